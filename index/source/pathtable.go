package source

import (
	"slices"
	"strings"
)

// The tables of P-33 and P-34. Every entry is in lower case, and names are compared in lower case (P-35).

// Formats by extension (P-33). Prose and configuration count as such for the words of P-34.
const (
	proseExtensions = "md markdown mdx rst adoc asciidoc txt text org"

	codeExtensions = "go py pyi rs c h cc cpp cxx hh hpp hxx m mm cs java kt kts scala groovy gradle swift rb php pl pm lua r jl " +
		"dart ex exs erl hrl hs ml mli fs fsx clj cljs cljc edn el lisp scm nim zig vue svelte js mjs cjs jsx ts mts cts tsx " +
		"html htm css scss sass less sql sh bash zsh fish ps1 bat cmd awk proto graphql gql thrift tf hcl cmake mk nix bzl bazel"

	configurationExtensions = "json jsonc json5 yaml yml toml ini cfg conf properties xml xsd"

	// plainExtensions are the formats in which a value needs no quotes (the keyword-plain rule of P-37).
	plainExtensions = "yaml yml toml ini cfg conf properties"
)

// wholeNames are last components that are sources whatever their extension (P-33).
const wholeNames = "makefile gnumakefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile brewfile " +
	"justfile build workspace license licence notice readme changelog contributing authors maintainers codeowners " +
	"go.mod go.sum go.work"

// Sensitive names (P-34).
const (
	sensitiveComponents = "secret secrets credential credentials password passwords passwd tokens private_key private_keys " +
		"private-key private-keys keystore keystores gnupg ssh aws-credentials projects.d"

	sensitiveNames = "credentials.json client_secret.json client_secrets.json service_account.json service-account.json " +
		"serviceaccount.json secrets.json secrets.yaml secrets.yml secrets.toml htpasswd netrc pgpass npmrc pypirc dockercfg " +
		"kubeconfig terraform.tfstate terraform.tfvars wp-config.php runner.toml agent.toml webcodex.env"

	sensitivePrefixes = "id_rsa id_dsa id_ecdsa id_ed25519 client_secret service-account service_account runner.toml " +
		"agent.toml webcodex.env"

	sensitiveSuffixes = ".env .pem .key .p12 .pfx .pkcs12 .jks .keystore .kdbx .ppk .asc .gpg .pgp .ovpn .tfstate .tfvars .toml.bak"

	sensitiveWords = "secret secrets credential credentials password passwords passwd apikey apikeys privatekey token tokens"
)

// format is what an extension or a whole name says about a file.
type format uint8

const (
	prose format = 1 << iota
	code
	configuration
	plainValues
)

var (
	formatOf     = formats()
	allowedNames = set(wholeNames)

	componentSet = set(sensitiveComponents)
	nameSet      = set(sensitiveNames)
	wordSet      = set(sensitiveWords)
	prefixList   = strings.Fields(sensitivePrefixes)
	suffixList   = strings.Fields(sensitiveSuffixes)
)

func formats() map[string]format {
	table := make(map[string]format, 128)
	for _, group := range []struct {
		extensions string
		format     format
	}{
		{proseExtensions, prose},
		{codeExtensions, code},
		{configurationExtensions, configuration},
		{plainExtensions, plainValues},
	} {
		for _, extension := range strings.Fields(group.extensions) {
			table[extension] |= group.format
		}
	}
	return table
}

func set(words string) map[string]struct{} {
	list := strings.Fields(words)
	members := make(map[string]struct{}, len(list))
	for _, word := range list {
		members[word] = struct{}{}
	}
	return members
}

// Formats gives the names of the formats of P-33 in order: extensions without the dot, and whole file names.
func Formats() []string {
	all := strings.Fields(proseExtensions + " " + codeExtensions + " " + configurationExtensions + " " + wholeNames)
	slices.Sort(all)
	return slices.Compact(all)
}
