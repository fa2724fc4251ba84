//go:build linux

package registry

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestProjectsFile(t *testing.T) { // M-17, M-20, M-24
	w := newWorld(t)
	w.put(ProjectsFile, `# comment
version: 1
projects:
  my_project:
    name: "My Project: 研究"
    root: ROOTS/one/
    enabled: false
    git: true
    write_directory: reports/proposals//
  123: {name: x, root: ROOTS/two}
  null: {root: 'ROOTS/three', name: 'true'}
`)
	got, err := w.registry().Snapshot().Projects()
	if err != nil {
		t.Fatal(err)
	}
	want := []Project{
		{ID: "123", Name: "x", Root: w.roots + "/two", Enabled: true, WriteDirectory: "docs"},
		{ID: "my_project", Name: "My Project: 研究", Root: w.roots + "/one", Git: true, WriteDirectory: "reports/proposals"},
		{ID: "null", Name: "true", Root: w.roots + "/three", Enabled: true, WriteDirectory: "docs"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("projects\n got %v\nwant %v", got, want)
	}
	w.put(ProjectsFile, "version: 1\nprojects: {}\n")
	if s := w.registry().Snapshot(); s.ProjectsState.Status != OK {
		t.Errorf("an empty registry is %v", s.ProjectsState.Problem)
	}
}

func TestGrantsFile(t *testing.T) { // M-18
	w := newWorld(t)
	w.put(GrantsFile, `version: 1
grants:
  a: {name: A, root: ROOTS/a, created_at: 2026-01-01T00:00:00Z, expires_at: 2026-01-01T02:00:00+01:00}
  b: {name: B, root: ROOTS/b, permanent: true, disabled: true}
  c: {name: C, root: ROOTS/c, expires_at: "2026-12-01T00:00:00.5Z", permanent: false, revoked: true, revoked_at: 2026-01-01T01:00:00Z}
`)
	got, err := w.registry().Snapshot().Grants()
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		moment, _ := time.Parse(time.RFC3339Nano, text)
		return moment
	}
	want := []Grant{
		{ID: "a", Name: "A", Root: w.roots + "/a", CreatedAt: at("2026-01-01T00:00:00Z"), ExpiresAt: at("2026-01-01T01:00:00Z")},
		{ID: "b", Name: "B", Root: w.roots + "/b", Permanent: true, Disabled: true},
		{ID: "c", Name: "C", Root: w.roots + "/c", ExpiresAt: at("2026-12-01T00:00:00.5Z"), Revoked: true, RevokedAt: at("2026-01-01T01:00:00Z")},
	}
	for i := range want {
		if i >= len(got) || !sameGrant(got[i], want[i]) {
			t.Errorf("grant %d\n got %v\nwant %v", i, got, want[i])
		}
	}
}

// invalidFiles: the text, the kind, the line, and a word of the reason.
var invalidFiles = []struct {
	file, text string
	kind       Kind
	line       int
	reason     string
}{
	{ProjectsFile, "", SchemaError, 1, "empty"},
	{ProjectsFile, "# only a comment\n", SchemaError, 1, "empty"},
	{ProjectsFile, "version: 1\nprojects: [broken", ParseError, 2, "YAML"},
	{ProjectsFile, "version: 1\nprojects: {\n  a: b: c}\n", ParseError, 2, "YAML"},
	{ProjectsFile, "version: 1\nprojects:\n  a: 1\n b: 2\n", ParseError, 4, "YAML"},
	{ProjectsFile, "version: 1\nprojects:\n\t- x\n", ParseError, 3, "YAML"},
	{ProjectsFile, "version: 1\nprojects:\n  a: \"x\n", ParseError, 3, "YAML"},
	{ProjectsFile, "]", ParseError, 1, "YAML"},
	{ProjectsFile, "version: 1\nprojects: [broken]\n", SchemaError, 2, "mapping"},
	{ProjectsFile, "version: 1\nprojects:\n", SchemaError, 2, "mapping"},
	{ProjectsFile, "version: 1\nprojects: ~\n", SchemaError, 2, "mapping"},
	{ProjectsFile, "- version: 1\n", SchemaError, 1, "mapping"},
	{ProjectsFile, "projects: {}\n", SchemaError, 1, "version"},
	{ProjectsFile, "version: 1\n", SchemaError, 1, "projects"},
	{ProjectsFile, "version: 2\nprojects: {}\n", SchemaError, 1, "version"},
	{ProjectsFile, "version: \"1\"\nprojects: {}\n", SchemaError, 1, "version"},
	{ProjectsFile, "version: 1.0\nprojects: {}\n", SchemaError, 1, "version"},
	{ProjectsFile, "version: 1\nversion: 1\nprojects: {}\n", SchemaError, 2, "twice"},
	{ProjectsFile, "version: 1\nprojects: {}\nmore: 1\n", SchemaError, 3, "not known"},
	{ProjectsFile, oneProject + "  p1:\n    name: x\n    root: ROOTS/x\n", SchemaError, 6, "twice"},
	{ProjectsFile, oneProject + "    colour: red\n", SchemaError, 6, "not known"},
	{ProjectsFile, oneProject + "    name: again\n", SchemaError, 6, "twice"},
	{ProjectsFile, oneProject + "    enabled: yes\n", SchemaError, 6, "true or false"},
	{ProjectsFile, oneProject + "    git: \"true\"\n", SchemaError, 6, "true or false"},
	{ProjectsFile, oneProject + "    git: {}\n", SchemaError, 6, "true or false"},
	{ProjectsFile, oneProject + "    git: [[[[]]]]\n", SchemaError, 6, "deep"},
	{ProjectsFile, oneProject + "    write_directory: [docs]\n", SchemaError, 6, "deep"},
	{ProjectsFile, oneProject + "    write_directory: {}\n", SchemaError, 6, "text"},
	{ProjectsFile, oneProject + "    write_directory: ../x\n", SchemaError, 6, "write_directory"},
	{ProjectsFile, oneProject + "---\nversion: 1\nprojects: {}\n", SchemaError, 6, "document"},
	{ProjectsFile, oneProject + "...\n\tx: [", ParseError, 7, "YAML"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: &a\n    name: x\n    root: ROOTS/x\n", SchemaError, 3, "anchors"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: {name: &n x, root: *n}\n", SchemaError, 3, "a"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: !!map {name: x, root: ROOTS/x}\n", SchemaError, 3, "tags"},
	{ProjectsFile, "version: !!int 1\nprojects: {}\n", SchemaError, 1, "tags"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: {name: x, root: *missing}\n", ParseError, 0, "YAML"},
	{ProjectsFile, "version: 1\nprojects:\n  P1: {name: x, root: ROOTS/x}\n", SchemaError, 3, "ID"},
	{ProjectsFile, "version: 1\nprojects:\n  \"\": {name: x, root: ROOTS/x}\n", SchemaError, 3, "ID"},
	{ProjectsFile, "version: 1\nprojects:\n  " + strings.Repeat("a", 65) + ": {name: x, root: ROOTS/x}\n", SchemaError, 3, "ID"},
	{ProjectsFile, "version: 1\nprojects:\n  ? [a]\n  : {name: x, root: ROOTS/x}\n", SchemaError, 3, "plain word"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: text\n", SchemaError, 3, "mapping"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: {name: x}\n", SchemaError, 3, "root is missing"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: {root: ROOTS/x}\n", SchemaError, 3, "name is missing"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: 7\n    root: ROOTS/x\n", SchemaError, 4, "text"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: \"\"\n    root: ROOTS/x\n", SchemaError, 4, "name"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: \"a\\nb\"\n    root: ROOTS/x\n", SchemaError, 4, "control"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: " + strings.Repeat("é", 201) + "\n    root: ROOTS/x\n", SchemaError, 4, "200"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: x\n    root: relative\n", SchemaError, 5, "absolute"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: x\n    root: /etc/ssl\n", RootForbidden, 5, "p1"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: x\n    root: ROOTS/.ssh/x\n", RootForbidden, 5, "never served"},
	{ProjectsFile, "version: 1\nprojects:\n  p1:\n    name: x\n    root: ROOTS/../config\n", RootForbidden, 5, "own directories"},
	{ProjectsFile, "version: 1\nprojects:\n  p1: {name: x, root: ROOTS/a}\n  p2:\n    name: y\n    root: ROOTS/a/b\n", Overlap, 3, "project p1 overlaps that of project p2"},
	{ProjectsFile, "version: 1\nprojects:\n  b: {name: x, root: ROOTS/a}\n  a: {name: y, root: ROOTS/a}\n", Overlap, 4, "overlaps"},
	{GrantsFile, oneGrant + "    expires_at: 2026-01-01T00:00:00Z\n", SchemaError, 6, "both"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x}\n", SchemaError, 3, "neither"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, permanent: false}\n", SchemaError, 3, "neither"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, expires_at: 2026-01-01T00:00:00}\n", SchemaError, 3, "zone"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, expires_at: 2026-01-01}\n", SchemaError, 3, "zone"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, expires_at: 2026-01-01 00:00:00Z}\n", SchemaError, 3, "zone"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, expires_at: 1767225600}\n", SchemaError, 3, "zone"},
	{GrantsFile, "version: 1\ngrants:\n  g: {name: x, root: ROOTS/x, expires_at: 0001-01-01T00:00:00Z}\n", SchemaError, 3, "zone"},
	{GrantsFile, oneGrant + "    revoked_at: 2026-01-01T00:00:00Z\n", SchemaError, 7, "revoked_at"},
	{GrantsFile, oneGrant + "    write_directory: docs\n", SchemaError, 7, "not known"},
	{GrantsFile, strings.Replace(oneGrant, "grants", "projects", 1), SchemaError, 2, "not known"},
}

func TestInvalidFiles(t *testing.T) { // M-20, M-67
	for _, c := range invalidFiles {
		w := newWorld(t)
		w.put(c.file, c.text)
		snapshot := w.registry().Snapshot()
		state, err := snapshot.ProjectsState, error(nil)
		if c.file == GrantsFile {
			state = snapshot.GrantsState
			_, err = snapshot.Grants()
		} else {
			_, err = snapshot.Projects()
		}
		problem := state.Problem
		if state.Status != Invalid || problem == nil {
			t.Errorf("%q is %s", c.text, state.Status)
			continue
		}
		if problem.Kind != c.kind || problem.Line != c.line || !strings.Contains(problem.Reason, c.reason) || problem.File != w.file(c.file) {
			t.Errorf("%q: %s (%s), want %s in line %d with %q", c.text, problem, problem.Kind, c.kind, c.line, c.reason)
		}
		wantCode(t, c.text, err, "registry_invalid")
		wantNoPaths(t, err)
	}
}

func makePipe(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return syscall.Mkfifo(path, 0o600)
}

func TestFilesOfTheWrongKind(t *testing.T) { // M-20
	for what, c := range map[string]struct {
		make func(path string) error
		kind Kind
	}{
		"world-writable": {func(path string) error { return os.Chmod(path, 0o602) }, Permissions},
		"a directory":    {func(path string) error { _ = os.Remove(path); return os.Mkdir(path, 0o700) }, ParseError},
		"a pipe":         {makePipe, ParseError},
		"too large":      {func(path string) error { return os.WriteFile(path, make([]byte, maxFileBytes+1), 0o600) }, SchemaError},
		"no text":        {func(path string) error { return os.WriteFile(path, []byte("version: \xff"), 0o600) }, ParseError},
	} {
		w := newWorld(t)
		w.put(ProjectsFile, oneProject)
		if err := c.make(w.file(ProjectsFile)); err != nil {
			t.Fatal(err)
		}
		if state := w.registry().Snapshot().ProjectsState; state.Status != Invalid || state.Kind() != c.kind {
			t.Errorf("%s: %s, %v", what, state.Status, state.Problem)
		}
	}
}

func TestNumberOfRecords(t *testing.T) { // M-20
	w := newWorld(t)
	var text strings.Builder
	text.WriteString("version: 1\nprojects:\n")
	for i := range maxRecords {
		fmt.Fprintf(&text, "  p%d: {name: x, root: ROOTS/p%d}\n", i, i)
	}
	w.put(ProjectsFile, text.String())
	if projects, err := w.registry().Snapshot().Projects(); err != nil || len(projects) != maxRecords {
		t.Errorf("%d records, %v", len(projects), err)
	}
	w.put(ProjectsFile, text.String()+"  one_more: {name: x, root: ROOTS/y}\n")
	if state := w.registry().Snapshot().ProjectsState; state.Kind() != SchemaError || state.Problem.Line != maxRecords+3 {
		t.Errorf("one record too many: %v", state.Problem)
	}
}

// hugeFiles are small or allowed files that stand for much work.
func hugeFiles() map[string]string {
	bomb := "version: 1\na: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		previous := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s]\n", c, c, previous, previous, previous, previous, previous, previous, previous, previous, previous)
	}
	full := func(piece string) string { return strings.Repeat(piece, (maxFileBytes-32)/2/len(piece)) }
	return map[string]string{
		"billion laughs": bomb, "brackets": full("["), "braces": "x: " + full("{a: "), "indents": full("- "), "lines": full("\n"), "comments": full("#\n"),
		"comments inside": "version: 1\nprojects:\n" + full("  # x\n"), "one scalar": "version: " + full("x"), "quoted scalar": "version: \"" + full("\\u00e9") + "\"",
		"keys": full("a: 1\n"), "many keys": manyKeys(), "tabs": full("\t"), "folded": "version: >\n" + full("  x\n"), "question marks": full("? "), "anchors": full("&a "), "bangs": full("!"),
		"directives": full("%YAML 1.1\n"), "documents": full("---\n"), "colons": full(": "), "quotes": full("'' "), "bars": full("|\n"),
	}
}

func manyKeys() string {
	var text strings.Builder
	text.WriteString("version: 1\nprojects:\n")
	for i := 0; text.Len() < maxFileBytes/2; i++ {
		fmt.Fprintf(&text, "  k%d: {}\n", i)
	}
	return text.String()
}

func TestFilesThatStandForMuchWork(t *testing.T) { // M-20
	r := newWorld(t).registry()
	for what, text := range hugeFiles() {
		began := time.Now()
		if _, _, problem := r.parseProjects([]byte(text)); problem == nil {
			t.Errorf("%s is valid", what)
		} else if len(problem.Reason) > 1000 {
			t.Errorf("%s: the reason has %d bytes", what, len(problem.Reason))
		}
		t.Logf("%-16s %7d bytes %v", what, len(text), time.Since(began))
	}
}
