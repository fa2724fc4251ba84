package index

// Scripting languages.

var python = grammar{
	comments:  []string{"#", "@"},
	modifiers: "async cdef cpdef",
	controls: "if elif else for while try except finally with return yield raise import from assert del pass " +
		"break continue global nonlocal lambda match case print await",
	keywords: []keywords{{formName, "def class type"}},
	shapes:   []lineShape{shapeConstant, shapeGlobal},
}

var ruby = grammar{
	comments:  []string{"#"},
	modifiers: "private public protected private_class_method module_function memoize",
	controls:  "if elsif else unless for while until case when return begin rescue ensure end puts raise require require_relative include extend yield loop do",
	keywords: []keywords{
		{formName, "def class module"},
		{formSymbols, "attr_reader attr_writer attr_accessor attr define_method scope alias_method has_many has_one belongs_to task namespace delegate let subject"},
		{formName, "alias"},
	},
	letters: "?!",
	shapes:  []lineShape{shapeConstant},
}

var php = grammar{
	comments:  []string{"//", "/*", "#", "* "},
	modifiers: "public private protected static final abstract readonly",
	controls: "if else elseif for foreach while do switch case return break continue throw try catch finally echo print " +
		"use require require_once include new global match fn",
	keywords: []keywords{
		{formName, "function class interface trait enum"},
		{formNames, "const"},
		{formCall, "define"},
	},
}

var perl = grammar{
	comments:  []string{"#"},
	modifiers: "use",
	controls:  "if elsif else unless for foreach while until return last next die print printf my local require",
	keywords: []keywords{
		{formName, "sub package method class role constant our"},
		{formText, "has"},
	},
}

var lua = grammar{
	comments:  []string{"--"},
	modifiers: "local",
	controls:  "if elseif else for while repeat until return end do then break goto",
	keywords:  []keywords{{formName, "function"}},
	shapes:    []lineShape{shapeKeyed, shapeGlobal},
	colons:    true,
}

var rLanguage = grammar{
	comments: []string{"#"},
	controls: "if else for while repeat return function next break library require",
	keywords: []keywords{{formCall, "setClass setRefClass setGeneric setMethod R6Class setValidity"}},
	letters:  ".",
	shapes:   []lineShape{shapeArrow},
}

var julia = grammar{
	comments:  []string{"#"},
	modifiers: "mutable abstract primitive export @inline @noinline",
	controls:  "if elseif else for while return end begin let do try catch finally using import break continue quote",
	keywords: []keywords{
		{formName, "function macro struct type module baremodule"},
		{formVariable, "const global"},
	},
	letters: "!@",
	shapes:  []lineShape{shapeEquation, shapeGlobal},
}

var awk = grammar{
	comments: []string{"#"},
	keywords: []keywords{{formName, "function func"}},
	column0:  true,
}

var shellScript = grammar{
	comments: []string{"#"},
	controls: "if then elif else fi for while until do done case esac return exit echo printf cd set test local shift trap eval exec source",
	keywords: []keywords{
		{formName, "function"},
		{formAssigned, "export readonly declare typeset alias"},
	},
	letters: "-:.",
	shapes:  []lineShape{shapeShell, shapeGlobal},
}

var fish = grammar{
	comments: []string{"#"},
	controls: "if else for while switch case end return echo test",
	keywords: []keywords{
		{formName, "function alias abbr"},
		{formSet, "set"},
	},
	letters: "-",
}

var powerShell = grammar{
	comments: []string{"#"},
	controls: "if else elseif for foreach while do switch return throw try catch finally param begin process end",
	keywords: []keywords{
		{formName, "function filter class enum workflow configuration"},
	},
	letters: "-$",
	shapes:  []lineShape{shapeGlobal},
	anyCase: true,
}

var batch = grammar{
	comments: []string{"::"},
	controls: "rem if else for echo goto call exit",
	keywords: []keywords{{formAssigned, "set"}},
	openers:  ":",
	shapes:   []lineShape{shapeLabel},
	anyCase:  true,
}
