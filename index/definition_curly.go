package index

// Languages of classes with bodies in braces.

const curlyControls = "if else for while do switch case default return break continue throw new try catch finally " +
	"import package using assert yield super this await goto"

var java = grammar{
	comments:  []string{"//", "/*", "* "},
	modifiers: "public private protected static final abstract native synchronized transient volatile strictfp default sealed",
	controls:  curlyControls,
	keywords: []keywords{
		{formName, "class interface @interface enum record"},
	},
	letters:    "@",
	attributes: "@",
	shapes:     []lineShape{shapeEnumerator, shapeFunction},
	members:    true,
	declares:   true,
}

var cSharp = grammar{
	comments: []string{"//", "/*", "* "},
	modifiers: "public private protected internal static readonly abstract sealed override virtual async partial extern " +
		"unsafe new required const event delegate ref implicit explicit",
	controls: curlyControls + " lock foreach fixed checked get set var namespace " +
		"from where select orderby join let group into",
	attributes: "[",
	keywords: []keywords{
		{formName, "class interface struct enum record"},
	},
	shapes:   []lineShape{shapeEnumerator, shapeFunction},
	members:  true,
	declares: true,
}

var dart = grammar{
	attributes: "@",
	comments:   []string{"//", "/*", "* "},
	modifiers:  "abstract static final const late external factory covariant base sealed interface var get set operator",
	controls:   curlyControls + " export part library rethrow",
	keywords: []keywords{
		{formName, "class mixin enum extension typedef"},
	},
	shapes:   []lineShape{shapeEnumerator, shapeFunction},
	members:  true,
	declares: true,
}

var groovy = grammar{
	attributes: "@",
	comments:   []string{"//", "/*", "* "},
	modifiers:  "public private protected static final abstract synchronized",
	controls:   curlyControls,
	keywords: []keywords{
		{formName, "class interface trait enum def"},
		{formText, "task"},
		{formCall, "stage"},
	},
	shapes:  []lineShape{shapeFunction},
	members: true,
}

var kotlin = grammar{
	attributes: "@",
	comments:   []string{"//", "/*", "* "},
	modifiers: "public private protected internal open abstract final sealed data inner enum annotation value inline " +
		"companion override suspend operator infix tailrec external const lateinit expect actual crossinline noinline reified vararg",
	controls: "if else for while do when return break continue throw try catch finally import package",
	keywords: []keywords{
		{formName, "fun class interface object typealias"},
		{formVariable, "val var"},
	},
	shapes: []lineShape{shapeEnumerator},
}

var scala = grammar{
	attributes: "@",
	comments:   []string{"//", "/*", "* "},
	modifiers:  "private protected final sealed abstract implicit lazy override inline case transparent opaque open infix export",
	controls:   "if else for while do match return throw try catch finally import new yield",
	keywords: []keywords{
		{formName, "def class object trait type enum given extension"},
		{formVariable, "val var"},
	},
}

var swift = grammar{
	comments: []string{"//", "/*", "* "},
	modifiers: "public private fileprivate internal open static final override mutating nonmutating lazy weak unowned dynamic " +
		"required convenience indirect prefix postfix infix optional nonisolated",
	attributes: "@",
	controls:   "if else for while repeat switch return break continue throw guard do catch defer import default",
	keywords: []keywords{
		{formName, "func class struct enum protocol extension actor typealias associatedtype macro precedencegroup"},
		{formVariable, "let var"},
		{formCases, "case"},
	},
}
