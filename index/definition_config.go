package index

// Data and build descriptions, configuration and prose.

var sql = grammar{
	comments: []string{"--", "/*"},
	modifiers: "create or replace temp temporary global local unique clustered nonclustered materialized recursive unlogged " +
		"external virtual foreign constraint aggregate",
	controls: "alter drop select insert update delete grant revoke comment set begin commit declare exec call values references primary check",
	keywords: []keywords{
		{formCreate, "table view function procedure proc index trigger type schema sequence database domain extension role policy"},
	},
	openers: ",",
	shapes:  []lineShape{shapeCommonTable},
	anyCase: true,
}

var protobuf = grammar{
	comments:  []string{"//", "/*", "* "},
	modifiers: "export local",
	keywords:  []keywords{{formName, "message enum service rpc oneof"}},
}

var thrift = grammar{
	comments: []string{"//", "/*", "#", "* "},
	keywords: []keywords{
		{formName, "struct enum service exception union"},
		{formLast, "typedef const"},
	},
	letters: ".",
}

var graphQL = grammar{
	comments:  []string{"#"},
	modifiers: "extend",
	keywords: []keywords{
		{formName, "type interface union enum input scalar fragment query mutation subscription"},
		{formText, "directive"},
	},
	letters: "@",
}

var terraform = grammar{
	comments: []string{"#", "//", "/*"},
	keywords: []keywords{
		{formLabels, "resource data variable output module provider check source build job group task service"},
	},
	letters: "-",
}

var nix = grammar{
	comments: []string{"#", "/*"},
	controls: "let in if then else with inherit rec import assert",
	letters:  "-'.",
	shapes:   []lineShape{shapeEqualsKey},
}

var cmake = grammar{
	comments: []string{"#"},
	controls: "if elseif else endif foreach endforeach while return message include",
	keywords: []keywords{{formCall, "function macro project set option add_executable add_library add_custom_target add_custom_command add_test find_package"}},
	anyCase:  true,
}

var makefile = grammar{
	comments:  []string{"#"},
	modifiers: "export override private",
	controls:  "ifeq ifneq ifdef ifndef else endif include -include endef undefine",
	keywords:  []keywords{{formName, "define"}},
	letters:   "-./%",
	openers:   "$",
	shapes:    []lineShape{shapeGlobal, shapeTarget},
	column0:   true,
}

var justfile = grammar{
	comments:  []string{"#", "["},
	modifiers: "export",
	controls:  "set import mod",
	keywords:  []keywords{{formName, "alias"}},
	letters:   "-",
	openers:   "@",
	shapes:    []lineShape{shapeGlobal, shapeRecipe},
	column0:   true,
}

var dockerfile = grammar{
	comments: []string{"#"},
	controls: "run cmd copy add workdir user expose entrypoint volume label",
	keywords: []keywords{
		{formAlias, "from"},
		{formName, "arg env"},
	},
	letters: "-",
	anyCase: true,
	column0: true,
}

var bazel = grammar{
	comments: []string{"#"},
	controls: "if elif else for return load pass",
	keywords: []keywords{{formName, "def"}},
	shapes:   []lineShape{shapeNameArgument, shapeGlobal},
}

var jsonKeys = grammar{
	comments: []string{"//", "/*"},
	openers:  "\"'",
	letters:  "$-",
	shapes:   []lineShape{shapeQuotedKey},
}

var yamlKeys = grammar{
	comments: []string{"#", "---", "..."},
	openers:  "\"'-./$<",
	letters:  "-",
	shapes:   []lineShape{shapeColonKey},
}

// tomlKeys serves ini, conf and properties, too.
var tomlKeys = grammar{
	comments: []string{"#", ";", "!", "//"},
	openers:  "[\"'",
	letters:  "-.",
	shapes:   []lineShape{shapeSection, shapeEqualsKey},
}

var markdown = grammar{
	openers: "#",
	shapes:  []lineShape{shapeHash},
}

// reStructured has only what one line tells: its headings are known by the
// line below them.
var reStructured = grammar{
	tags: "function class method attribute data exception module option envvar macro type var confval program " +
		"currentmodule setting term decorator staticmethod classmethod enum struct member",
	openers: ".",
	shapes:  []lineShape{shapeDirective},
}

var asciidoc = grammar{
	comments: []string{"//"},
	openers:  "=",
	shapes:   []lineShape{shapeEqualSigns},
	column0:  true,
}

var orgMode = grammar{
	comments: []string{"#"},
	openers:  "*",
	shapes:   []lineShape{shapeStars},
	column0:  true,
}
