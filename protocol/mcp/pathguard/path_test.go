package pathguard

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPathsInNormalForm(t *testing.T) { // M-32
	for _, c := range []struct {
		path string
		use  Use
		want string
	}{
		{"", ForDirectory, "."}, {".", ForDirectory, "."}, {"./", ForEither, "."}, {"src/", ForDirectory, "src"},
		{"./src//main.go", ForFile, "src/main.go"}, {".//x", ForFile, "x"}, {"a/./b", ForFile, "a/b"},
		{"中文 说明.txt", ForFile, "中文 说明.txt"}, {"100%.txt", ForFile, "100%.txt"}, {"a%20b", ForFile, "a%20b"},
		{"a:b/c", ForWrite, ""}, {"ab:c", ForFile, "ab:c"}, {"docs/x.md", ForWrite, "docs/x.md"}, {"...", ForFile, "..."},
		{strings.Repeat("a", 255), ForFile, strings.Repeat("a", 255)},
	} {
		got, err := ValidatePath(c.path, c.use)
		if c.want == "" {
			wantCode(t, c.path, err, InvalidPath)
		} else if err != nil || got != c.want {
			t.Errorf("ValidatePath(%q) = %q, %v, want %q", c.path, got, err, c.want)
		}
	}
}

func TestPathsRefusedByForm(t *testing.T) { // M-32, M-33
	for _, p := range []string{
		"/etc/passwd", "//etc", "~", "~/x", "~root/x", "./~x", ".//../x", "..", "../x", "a/..", "a/../b", "./../x", "a\x00", "a\nb", "a\x7f", "a\u0085",
		"a\\b", "..\\x", "C:\\x", "c:/x", "z:", "\\\\srv\\share", "a\xff", "\u202ea", "a\u2066b", "\u200fa", "\u061ca",
		strings.Repeat("a/", 2049), strings.Repeat("a", 256), "a/" + strings.Repeat("é", 128),
		"%2e%2e/x", "%2E%2e", "a/%2e%2e/b", "%2fetc/passwd", "%252fetc", "%25252fetc", "a%00", "a%0a", "%5cx", "%7ex", "a%ff", "%c3%28", "%43:x",
		"%e2%80%aea", "a/..%2fb", "a%2f..%2fb", "%252e%252e/x", "%25252e%25252e/x",
	} {
		for _, use := range []Use{ForFile, ForDirectory, ForEither, ForWrite} {
			_, err := ValidatePath(p, use)
			wantCode(t, p, err, InvalidPath)
		}
	}
}

func TestPathsWithHarmlessEscapes(t *testing.T) { // M-33
	for _, p := range []string{"a%20b.txt", "%41", "100%", "%zz", "a%2fb", "%2525252e%2525252e/x"} {
		if _, err := ValidatePath(p, ForFile); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for _, p := range []string{"docs/%41.md", "docs/a%20b.md", "docs/%2525.md"} {
		_, err := ValidatePath(p, ForWrite)
		wantCode(t, p, err, InvalidPath)
	}
	if _, err := ValidatePath("docs/100%.md", ForWrite); err != nil {
		t.Errorf("a percent sign alone is no escape: %v", err)
	}
}

func TestDirectoryFormsOfFilePaths(t *testing.T) { // M-32
	for _, p := range []string{"", ".", "./", "src/", "a/b/"} {
		_, err := ValidatePath(p, ForFile)
		wantCode(t, p, err, NotAFile)
	}
}

func TestDeniedPaths(t *testing.T) { // M-33, M-38, M-52
	for _, p := range []string{".env", "a/.ssh/b", "%2eenv", "a/%2Eenv", "%252eenv", "%25252eenv", "a%2f.env", "auth/x", "x/TOKEN.txt", "ｔｏｋｅｎ"} {
		_, err := ValidatePath(p, ForFile)
		wantCode(t, p, err, PathDenied)
	}
	for _, p := range []string{"docs/.x.md", ".docs/x.md", "docs/secrets.md", "docs/authors/x.md"} {
		_, err := ValidatePath(p, ForWrite)
		wantCode(t, p, err, PathDenied)
	}
}

func TestDeniedNames(t *testing.T) { // M-38
	for _, name := range []string{
		".env", ".ENV", ".env.local", ".Env.", "x.pem", ".pem", "x.KEY", "a.p12", "b.PfX", "id_rsa", "ID_ED25519", "credentials", "Credentials.json", "secrets",
		"secretsauce", "token", "tokenizer.py", "authors.md", "AUTH", "service-account.json", "service-account-x.JSON", ".netrc", ".npmrc", ".pypirc", "x.kdbx",
		".aws", ".ssh", ".gnupg", "．ｅｎｖ", "ſecrets", "\u00adtoken", "to\u200dken", "ＩＤ_ＲＳＡ", ".ﬁ.pem", "Key.ⓚey",
		".\u212aey.\u212aey", ".sſh", ".\ufe0fenv", "to\u2060ken",
	} {
		if !DeniedName(name) {
			t.Errorf("%q is not denied", name)
		}
	}
	for _, name := range []string{
		"env", ".envrc", "x.env", "pem", "x.pem.txt", "keys", "x.keys", "id_rsa.pub", "credential", "secret", "tok", "myauth", "service-account.yaml", "xservice-account.json",
		".netrc2", "aws", "ssh", "README.md", "研究.md", "",
	} {
		if DeniedName(name) {
			t.Errorf("%q is denied", name)
		}
	}
}

func FuzzValidatePath(f *testing.F) { // M-32, M-33, M-38
	for _, seed := range []string{"", ".", "a/b", "../x", "%2e%2e/x", "a%2fb", "././/a", "~x", "C:x", ".env", "a\u202eb", "ſecrets/x", "%25%32%65"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, p string) {
		for _, use := range []Use{ForFile, ForDirectory, ForEither, ForWrite} {
			clean, err := ValidatePath(p, use)
			if err != nil {
				if code := CodeOf(err); code != InvalidPath && code != PathDenied && code != NotAFile {
					t.Fatalf("%q: %v", p, err)
				}
				continue
			}
			if again, err := ValidatePath(clean, use); err != nil || again != clean {
				t.Fatalf("%q: the normal form %q becomes %q, %v", p, clean, again, err)
			}
			if path.IsAbs(clean) || path.Clean(clean) != clean || clean == ".." || strings.HasPrefix(clean, "../") || !utf8.ValidString(clean) {
				t.Fatalf("%q: bad normal form %q", p, clean)
			}
			for name := range strings.SplitSeq(clean, "/") {
				if DeniedName(name) {
					t.Fatalf("%q: %q has a denied name", p, clean)
				}
			}
		}
	})
}
