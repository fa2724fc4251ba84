package index

// Languages of functions and lists.

var elixir = grammar{
	comments: []string{"#"},
	controls: "if else unless case cond for with receive try rescue catch after return import alias require use raise do end fn",
	keywords: []keywords{
		{formName, "def defp defmacro defmacrop defguard defguardp defdelegate defmodule defprotocol defimpl " +
			"@type @typep @opaque @callback @macrocallback"},
	},
	letters: "?!@",
}

var erlang = grammar{
	comments: []string{"%"},
	keywords: []keywords{
		{formCall, "-module -record -define -callback"},
		{formName, "-type -opaque"},
	},
	letters: "-",
	shapes:  []lineShape{shapeClause},
	column0: true,
}

var haskell = grammar{
	comments: []string{"--", "{-"},
	controls: "if then else case of let in where do import infixl infixr infix deriving",
	keywords: []keywords{
		{formName, "data newtype type module family pattern"},
		{formContext, "class"},
	},
	letters: "'",
	shapes:  []lineShape{shapeSignature},
	openers: "{,",
}

var ocaml = grammar{
	comments:  []string{"(*"},
	modifiers: "rec nonrec private virtual mutable",
	controls:  "if then else match with for while do done begin end open in try fun function",
	keywords: []keywords{
		{formBinding, "let and"},
		{formName, "type module exception val external class method"},
	},
	letters: "'",
}

var fSharp = grammar{
	comments:  []string{"//", "(*"},
	modifiers: "rec private internal public inline mutable static abstract override default",
	controls:  "if then elif else match with for while do open try fun function return yield",
	keywords: []keywords{
		{formBinding, "let and"},
		{formName, "type module exception val namespace member"},
	},
	letters: "'",
}

var clojure = grammar{
	comments: []string{";"},
	controls: "default defer delay",
	keywords: []keywords{{formName, "ns"}},
	letters:  "-?!*+<>=/'.",
	openers:  "(",
	shapes:   []lineShape{shapeList},
}

var lisp = grammar{
	comments: []string{";"},
	controls: "default defer",
	keywords: []keywords{{formName, "in-package"}},
	letters:  "-?!*+<>=/:%",
	openers:  "(",
	shapes:   []lineShape{shapeList},
}
