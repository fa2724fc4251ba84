package index

// Languages whose definitions begin with a keyword and that compile to a
// binary: Go, Rust, Zig, Nim, and C with its relatives.

var golang = grammar{
	comments: []string{"//", "/*"},
	keywords: []keywords{
		{formReceiver, "func"},
		{formName, "type"},
		{formVariable, "var const"},
	},
	capitals: true,
	// A statement in a function that begins like a member of a group.
	controls: "return if for switch case select defer go default",
	shapes:   []lineShape{shapeMember},
}

var goModule = grammar{
	comments: []string{"//"},
	keywords: []keywords{{formName, "module"}},
	letters:  "/-.",
}

var rust = grammar{
	comments:  []string{"//", "/*"},
	modifiers: "pub default async unsafe extern auto mut",
	controls:  "let if else for while loop match return use move where break continue",
	keywords: []keywords{
		{formName, "fn struct union trait enum type mod macro macro_rules!"},
		{formNames, "const static"},
		{formImpl, "impl"},
	},
	letters:    "!",
	attributes: "#",
	shapes:     []lineShape{shapeEnumerator},
}

var zig = grammar{
	comments:  []string{"//"},
	modifiers: "pub export extern inline noinline threadlocal comptime",
	controls:  "return if while for switch test defer errdefer try",
	keywords: []keywords{
		{formName, "fn"},
		{formLexical, "const var"},
	},
}

var nim = grammar{
	comments: []string{"#"},
	controls: "if elif else for while case of return result discard echo when import include",
	keywords: []keywords{
		{formName, "proc func method iterator template macro converter type"},
		{formVariable, "const let var"},
	},
	shapes: []lineShape{shapeObject},
}

const cControls = "if else for while do switch case default return goto break continue sizeof"

var cLanguage = grammar{
	comments:  []string{"//", "/*", "*"},
	modifiers: "static extern inline const volatile register _Noreturn __inline __inline__",
	controls:  cControls,
	keywords: []keywords{
		{formBody, "struct union enum"},
		{formTypedef, "typedef"},
	},
	shapes:  []lineShape{shapePreprocessor, shapeClosing, shapeEnumerator, shapeFunction},
	openers: "#}",
	untyped: true,
}

var cPlusPlus = grammar{
	comments:  []string{"//", "/*", "* "},
	modifiers: "static extern inline const volatile virtual explicit friend constexpr consteval constinit mutable export template",
	controls:  cControls + " throw new delete assert co_return co_await co_yield catch try public private protected namespace",
	keywords: []keywords{
		{formBody, "struct union enum class"},
		{formTypedef, "typedef"},
		{formName, "concept"},
		{formEquals, "using"},
	},
	shapes:  []lineShape{shapePreprocessor, shapeClosing, shapeEnumerator, shapeFunction},
	openers: "#}~",
	members: true,
	untyped: true,
}

var objectiveC = grammar{
	comments:  []string{"//", "/*", "* "},
	modifiers: "static extern inline const",
	controls:  cControls + " @end @import function end",
	keywords: []keywords{
		{formBody, "struct union enum"},
		{formName, "@interface @implementation @protocol"},
		{formTypedef, "typedef @property"},
	},
	letters: "@",
	shapes:  []lineShape{shapePreprocessor, shapeClosing, shapeSelectors, shapeFunction},
	openers: "#}-+",
}
