package index

// formatExtensions and formatNames give the language of each format of P-33
// that has definitions; txt, text and files of law or people have none.
var formatExtensions = map[string]*grammar{
	"md": &markdown, "markdown": &markdown, "mdx": &markdown, "rst": &reStructured,
	"adoc": &asciidoc, "asciidoc": &asciidoc, "org": &orgMode,

	"go": &golang, "rs": &rust, "zig": &zig, "nim": &nim,
	"c": &cLanguage, "h": &cPlusPlus, "cc": &cPlusPlus, "cpp": &cPlusPlus, "cxx": &cPlusPlus,
	"hh": &cPlusPlus, "hpp": &cPlusPlus, "hxx": &cPlusPlus, "m": &objectiveC, "mm": &objectiveC,
	"cs": &cSharp, "java": &java, "kt": &kotlin, "kts": &kotlin, "scala": &scala,
	"groovy": &groovy, "gradle": &groovy, "swift": &swift, "dart": &dart,

	"py": &python, "pyi": &python, "rb": &ruby, "php": &php, "pl": &perl, "pm": &perl,
	"lua": &lua, "r": &rLanguage, "jl": &julia, "awk": &awk,
	"ex": &elixir, "exs": &elixir, "erl": &erlang, "hrl": &erlang,
	"hs": &haskell, "ml": &ocaml, "mli": &ocaml, "fs": &fSharp, "fsx": &fSharp,
	"clj": &clojure, "cljs": &clojure, "cljc": &clojure, "edn": &clojure,
	"el": &lisp, "lisp": &lisp, "scm": &lisp,

	"js": &javaScript, "mjs": &javaScript, "cjs": &javaScript, "jsx": &javaScript,
	"ts": &javaScript, "mts": &javaScript, "cts": &javaScript, "tsx": &javaScript,
	"vue": &javaScript, "svelte": &javaScript,
	"html": &markup, "htm": &markup, "xml": &markup, "xsd": &markup,
	"css": &styleSheet, "scss": &styleSheet, "less": &styleSheet, "sass": &sass,

	"sh": &shellScript, "bash": &shellScript, "zsh": &shellScript, "fish": &fish,
	"ps1": &powerShell, "bat": &batch, "cmd": &batch,

	"sql": &sql, "proto": &protobuf, "graphql": &graphQL, "gql": &graphQL, "thrift": &thrift,
	"tf": &terraform, "hcl": &terraform, "nix": &nix,
	"cmake": &cmake, "mk": &makefile, "bzl": &bazel, "bazel": &bazel,

	"json": &jsonKeys, "jsonc": &jsonKeys, "json5": &jsonKeys, "yaml": &yamlKeys, "yml": &yamlKeys,
	"toml": &tomlKeys, "ini": &tomlKeys, "cfg": &tomlKeys, "conf": &tomlKeys, "properties": &tomlKeys,
}

var formatNames = map[string]*grammar{
	"makefile": &makefile, "gnumakefile": &makefile, "justfile": &justfile,
	"dockerfile": &dockerfile, "containerfile": &dockerfile, "jenkinsfile": &groovy,
	"vagrantfile": &ruby, "gemfile": &ruby, "rakefile": &ruby, "brewfile": &ruby,
	"procfile": &yamlKeys, "build": &bazel, "workspace": &bazel,
	"readme": &markdown, "changelog": &markdown, "contributing": &markdown,
	"go.mod": &goModule, "cmakelists.txt": &cmake,
}
