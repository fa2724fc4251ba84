//go:build linux

package pathguard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestBuiltinIgnores(t *testing.T) { // M-39
	rules := BuiltinRules()
	for _, dir := range strings.Fields(".git .hg .svn .venv venv env .conda node_modules __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .cache .ipynb_checkpoints .idea") {
		if !rules.Ignored(dir, true) || !rules.Ignored("a/"+dir, true) || !rules.Ignored("a/"+dir+"/x/y", false) {
			t.Errorf("the directory %s is not ignored", dir)
		}
		if rules.Ignored(dir, false) != (dir == ".git") {
			t.Errorf("a file called %s: ignored is %v", dir, dir != ".git")
		}
	}
	for _, ending := range strings.Fields("pyc pyo pt pth ckpt safetensors onnx gguf h5 hdf5 npy npz pkl pickle joblib parquet tfrecord") {
		if !rules.Ignored("a/model."+ending, false) {
			t.Errorf("*.%s is not ignored", ending)
		}
	}
	for _, path := range []string{".", "outputs/run.log", "a.txt", "pyc", "x.py", "envs/x", "a.pt.txt"} {
		if rules.Ignored(path, false) {
			t.Errorf("%s is ignored", path)
		}
	}
}

// putIgnores writes an ignore file in place.
func putIgnores(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestIgnoreFilesOfTheConfiguration(t *testing.T) { // M-39
	dir := t.TempDir()
	book := NewRuleBook(dir)
	check := func(what, project string, want ...string) {
		t.Helper()
		rules, err := book.Rules(project)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var got []string
		for _, path := range []string{"a.log", "b.tmp", "x.pyc"} {
			if rules.Ignored(path, false) {
				got = append(got, path)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: ignored %v, want %v", what, got, want)
		}
	}
	check("no file", "p1", "x.pyc")
	putIgnores(t, dir, DefaultIgnoreFile, "*.log\n")
	check("a default list instead of the built-in one", "p1", "a.log")
	check("a grant", "", "a.log")
	putIgnores(t, dir, "project_ignores/p1.mcpignore", "!a.log\n*.tmp\n")
	check("a list of the project's own", "p1", "b.tmp")
	check("another project", "p2", "a.log")
	check("a grant", "", "a.log")
	putIgnores(t, dir, DefaultIgnoreFile, "*.pyc\n")
	check("another default of the same size", "p1", "b.tmp", "x.pyc")
	putIgnores(t, dir, DefaultIgnoreFile, "")
	check("an empty default is a list as well", "p2")
	for _, name := range []string{DefaultIgnoreFile, "project_ignores/p1.mcpignore"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	check("no file again", "p1", "x.pyc")
	first, _ := book.Rules("p1")
	if second, _ := book.Rules("p1"); first != second {
		t.Error("rules are compiled again although nothing has changed")
	}
}

func TestIgnoreFilesThatCannotBeRead(t *testing.T) { // M-22, M-39
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, DefaultIgnoreFile), 0o600); err != nil {
		t.Fatal(err)
	}
	book := NewRuleBook(dir)
	_, err := book.Rules("p1")
	wantCode(t, "a pipe", err, RegistryInvalid)
	if err := os.Remove(filepath.Join(dir, DefaultIgnoreFile)); err != nil {
		t.Fatal(err)
	}
	putIgnores(t, dir, DefaultIgnoreFile, strings.Repeat("x", maxIgnoreBytes+1))
	_, err = book.Rules("")
	wantCode(t, "a file that is too large", err, RegistryInvalid)
	putIgnores(t, dir, DefaultIgnoreFile, "x\n")
	if rules, err := book.Rules("p1"); err != nil || !rules.Ignored("x", false) {
		t.Errorf("a corrected file does not heal: %v", err)
	}
}

func TestRuleBookInManyHands(t *testing.T) { // M-39
	dir := t.TempDir()
	book := NewRuleBook(dir)
	var users sync.WaitGroup
	for i := range 4 {
		users.Go(func() {
			for range 50 {
				if rules, err := book.Rules(fmt.Sprintf("p%d", i)); err != nil || rules == nil {
					t.Errorf("no rules: %v", err)
				}
			}
		})
	}
	for i := range 20 {
		putIgnores(t, dir, DefaultIgnoreFile, strings.Repeat("*.log\n", i%3))
	}
	users.Wait()
}

func TestSignaturesSettle(t *testing.T) { // M-21
	now := time.Now().UnixNano()
	for _, c := range []struct {
		changed int64
		want    bool
	}{{now, false}, {now - int64(time.Second), true}, {now + int64(time.Second), false}, {now + int64(time.Hour), true}} {
		if (Signature{Changed: c.changed}).Settled() != c.want {
			t.Errorf("settled %v from now: %v", time.Duration(c.changed-now), !c.want)
		}
	}
}

func FuzzIgnore(f *testing.F) { // M-39
	for _, seed := range patternPieces {
		f.Add("a"+seed+"b\n"+seed, "a/b")
	}
	f.Add("[[:alpha:]-z]\n!**/a/**\n", "x/a/y")
	f.Add(strings.Repeat("*a", 50)+"b", strings.Repeat("a", 200))
	f.Add(strings.Repeat("**/a/", 30)+"b", strings.Repeat("a/", 60)+"c")
	f.Fuzz(func(t *testing.T, patterns, path string) {
		if len(patterns) > 4096 || len(path) > 1024 {
			return
		}
		rules := ParseRules([]byte(patterns))
		for _, dir := range []bool{false, true} {
			got := rules.Ignored(path, dir)
			if want := slowlyIgnored(rules, path, dir); path != "." && got != want {
				t.Fatalf("patterns %q, path %q, directory %v: %v, one by one %v", patterns, path, dir, got, want)
			}
		}
	})
}

// slowlyIgnored is Ignored without tables.
func slowlyIgnored(rules *Rules, path string, dir bool) bool {
	for at := 0; at <= len(path); at++ {
		if at < len(path) && path[at] != '/' {
			continue
		}
		for i := len(rules.patterns) - 1; i >= 0; i-- {
			if p := &rules.patterns[i]; p.matches(path[:at], dir || at < len(path)) {
				if !p.lifts {
					return true
				}
				break
			}
		}
	}
	return false
}

// Projects without a list of their own share the compiled default: a thousand of them cost no more than one.
func TestRulesAreShared(t *testing.T) {
	config := t.TempDir()
	book := NewRuleBook(config)
	rules := func(id string) *Rules {
		t.Helper()
		found, err := book.Rules(id)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if rules("a") != rules("b") || rules("a") != rules("") {
		t.Error("the default is compiled more than once")
	}
	own := filepath.Join(config, ProjectIgnoreDir, "a"+ProjectIgnoreSuffix)
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("*.own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !rules("a").Ignored("x.own", false) || rules("b").Ignored("x.own", false) || rules("").Ignored("x.own", false) {
		t.Error("a list of one project is that of another")
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if rules("a") != rules("b") {
		t.Error("the list that is gone still holds")
	}
}
