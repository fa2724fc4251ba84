package source

import (
	"strings"
	"testing"
)

func TestFindPackedRef(t *testing.T) {
	one, two := strings.Repeat("1a", 20), strings.Repeat("2b", 20)
	header := "# pack-refs with: peeled fully-peeled sorted \n"
	for _, c := range []struct {
		content, name, want string
		sure                bool
	}{
		{"", "refs/heads/main", "", true},
		{header, "refs/heads/main", "", true},
		{header + one + " refs/heads/main\n", "refs/heads/main", one, true},
		{header + one + " refs/heads/a\n" + two + " refs/heads/main\n^" + one + "\n", "refs/heads/main", two, true},
		{one + " refs/heads/main2\n", "refs/heads/main", "", true},
		{one + " refs/heads/main\n", "heads/main", "", true},
		{one + " refs/heads/main", "refs/heads/main", "", false},
		{"junk refs/heads/main\n", "refs/heads/main", "", false},
		{one[1:] + " refs/heads/main\n", "refs/heads/main", "", false},
		{strings.ToUpper(one) + " refs/heads/main\n", "refs/heads/main", "", false},
		{"# see refs/heads/main\n" + one + " refs/heads/main\n", "refs/heads/main", one, true},
	} {
		if got, sure := findPackedRef(c.content, c.name, sha1Digits); got != c.want || sure != c.sure {
			t.Errorf("%q in %q: got %q, %v", c.name, c.content, got, sure)
		}
	}
}

func TestSharedReference(t *testing.T) {
	for _, name := range []string{"refs/heads/main", "refs/heads/a/b", "refs/heads/a.b", "refs/heads/é", "refs/remotes/o/x@y"} {
		if !sharedReference(name) {
			t.Errorf("%q is left to Git", name)
		}
	}
	for _, name := range []string{"", "HEAD", "refs/", "refs//a", "refs/heads/", "refs/heads/.invalid", "refs/../x", "refs/heads/a..b", "refs/a.lock",
		"refs/heads/a b", "refs/heads/a\\b", "refs/heads/a*", "refs/heads/a\x01", "refs/heads/@{u}", "refs/bisect/a", "refs/worktree/a", "/refs/a"} {
		if sharedReference(name) {
			t.Errorf("%q is followed", name)
		}
	}
}

func TestRepositoryConfig(t *testing.T) {
	plain := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = \"a;b\" # c\n"
	for _, c := range []struct {
		name, content        string
		understood, ordinary bool
	}{
		{"empty", "", true, true},
		{"plain", plain, true, true},
		{"odd case", "[CORE]\nBare=No\n; comment\n", true, true},
		{"bare", "[core]\n bare\n", true, false},
		{"bare by name", plain + "[core]\nbare = yes\n", true, false},
		{"working tree", plain + "[core]\n worktree = /x\n", true, false},
		{"quoted", "[core]\n bare = \"true\"\n", false, false},
		{"goes on", "[core]\n bare = \\\ntrue\n", false, false},
		{"on one line", "[core] bare = true\n", false, false},
		{"bracket at the end", "[core] worktree = \"x]\n", false, false},
		{"bracket in quotes", "[a \"x\"] b = \"y\"]\n", false, false},
		{"version 1", "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n", true, true},
		{"extension without its version", "[core]\nrepositoryformatversion = 0\n[extensions]\nobjectformat = sha256\n", true, false},
		{"later version", "[core]\nrepositoryformatversion = 2\n", true, false},
		{"other references", "[core]\nrepositoryformatversion = 1\n[extensions]\nrefstorage = reftable\n", true, false},
		{"unknown extension", "[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = true\n", true, false},
	} {
		var found repositoryConfig
		understood := found.read(c.content)
		if understood != c.understood || understood && found.ordinary() != c.ordinary {
			t.Errorf("%s: understood %v, ordinary %v", c.name, understood, found.ordinary())
		}
	}
}
