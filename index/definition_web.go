package index

// JavaScript with its dialects, pages and style sheets.

var javaScript = grammar{
	comments: []string{"//", "/*", "* "},
	modifiers: "export default declare async static public private protected readonly abstract override accessor get set " +
		"unique global",
	controls: "if else for while do switch case return break continue throw try catch finally with import await yield new super this typeof void constructor",
	keywords: []keywords{
		{formName, "function class interface enum namespace module"},
		{formEquals, "type"},
		{formLexical, "const let var"},
	},
	letters:    "$",
	attributes: "@",
	openers:    "#",
	shapes:     []lineShape{shapeKeyed, shapeEnumerator},
}

var markup = grammar{
	tags:    "h1 h2 h3 h4 h5 h6 title",
	letters: "-:",
	openers: "<",
	shapes:  []lineShape{shapeElement},
}

var styleSheet = grammar{
	comments: []string{"//", "/*", "* "},
	keywords: []keywords{{formName, "@mixin @function @keyframes @layer @property @-webkit-keyframes"}},
	controls: "@include @import @media @use @forward @extend @if @else @each @for @return @supports @font-face @charset",
	letters:  "-@",
	openers:  ".#$%=*[:&>",
	shapes:   []lineShape{shapeStyle},
}

// sass is the style sheet without braces: a selector needs no mark at its end.
var sass = grammar{
	comments: []string{"//", "/*"},
	keywords: []keywords{{formName, "@mixin @function @keyframes @layer"}},
	controls: "@include @import @media @use @forward @extend @if @else @each @for @return @supports",
	letters:  "-@",
	openers:  ".#$%=&>",
	shapes:   []lineShape{shapeStyle},
	members:  true,
}
