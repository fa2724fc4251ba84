//go:build linux

package registry

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/pathguard"
)

func TestFilesAreReadAgainWhenTheyChange(t *testing.T) { // M-21, M-22
	w := newWorld(t)
	r := w.registry()
	check := func(what string, projects Status, generation int, ids string) *Snapshot {
		t.Helper()
		s := r.Snapshot()
		var got []string
		list, err := s.Projects()
		for _, p := range list {
			got = append(got, p.ID)
		}
		if s.ProjectsState.Status != projects || s.ProjectsState.Generation != generation || strings.Join(got, " ") != ids {
			t.Errorf("%s: %s, generation %d, %v (%v, %v)", what, s.ProjectsState.Status, s.ProjectsState.Generation, got, err, s.ProjectsState.Problem)
		}
		if s.GrantsState.Status != Missing || s.GrantsState.Generation != 1 {
			t.Errorf("%s: grants are %s, generation %d", what, s.GrantsState.Status, s.GrantsState.Generation)
		}
		return s
	}
	check("no file", Missing, 1, "")
	check("still no file", Missing, 1, "")
	w.put(ProjectsFile, oneProject)
	first := check("a file", OK, 2, "p1")
	if again := check("the same file", OK, 2, "p1"); again != first {
		t.Error("a new snapshot although nothing has changed")
	}
	w.put(ProjectsFile, oneProject+"  p2:\n    name: Two\n    root: ROOTS/p2\n")
	check("a project more", OK, 3, "p1 p2")
	if list, err := first.Projects(); err != nil || len(list) != 1 {
		t.Errorf("a snapshot in use has changed: %v, %v", list, err)
	}
	w.put(ProjectsFile, "version: 1\nprojects: [broken")
	broken := check("a broken file", Invalid, 4, "")
	_, err := broken.Project("p1")
	wantCode(t, "a project of a broken file", err, pathguard.RegistryInvalid)
	_, err = broken.Scope("", "g")
	wantCode(t, "the other registry", err, pathguard.GrantNotFound)
	check("still broken", Invalid, 4, "")
	w.put(ProjectsFile, oneProject)
	check("corrected", OK, 5, "p1")
	if err := os.WriteFile(w.file(ProjectsFile), []byte(strings.ReplaceAll(strings.Replace(oneProject, "p1:", "p9:", 1), "ROOTS", w.roots)), 0o600); err != nil {
		t.Fatal(err)
	}
	check("the same size, in place, at once", OK, 6, "p9")
	if err := os.Chmod(w.file(ProjectsFile), 0o606); err != nil {
		t.Fatal(err)
	}
	if s := check("writable by everyone", Invalid, 7, ""); s.ProjectsState.Kind() != Permissions {
		t.Errorf("kind %q", s.ProjectsState.Kind())
	}
	if err := os.Remove(w.file(ProjectsFile)); err != nil {
		t.Fatal(err)
	}
	check("removed", Missing, 8, "")
}

func TestOverlapBetweenTheFiles(t *testing.T) { // M-22, M-23, M-25
	w := newWorld(t)
	r := w.registry()
	w.put(ProjectsFile, oneProject)
	w.put(GrantsFile, oneGrant)
	check := func(what string, want Status) *Snapshot {
		t.Helper()
		s := r.Snapshot()
		if s.ProjectsState.Status != want || s.GrantsState.Status != want {
			t.Errorf("%s: projects %s, grants %s", what, s.ProjectsState.Status, s.GrantsState.Status)
		}
		return s
	}
	check("apart", OK)
	inside := strings.Replace(oneGrant, "ROOTS/g1", "ROOTS/p1/sub", 1)
	w.put(GrantsFile, inside)
	s := check("a grant inside a project", Invalid)
	for _, state := range []State{s.ProjectsState, s.GrantsState} {
		if state.Kind() != Overlap || state.Problem.Line != 5 || !strings.Contains(state.Problem.Reason, "overlap") {
			t.Errorf("problem %v", state.Problem)
		}
	}
	if s.ProjectsState.Generation != 1 || s.GrantsState.Generation != 2 {
		t.Errorf("generations %d and %d", s.ProjectsState.Generation, s.GrantsState.Generation)
	}
	w.put(GrantsFile, inside+"    disabled: true\n")
	check("a disabled grant reserves", Invalid)
	w.put(GrantsFile, inside+"    revoked: true\n")
	check("a revoked grant does not", OK)
	w.put(GrantsFile, strings.Replace(inside, "permanent: true", "expires_at: 2026-03-01T13:00:00Z", 1))
	check("a grant that has not expired", Invalid)
	w.now = w.now.Add(time.Hour)
	check("the same, expired by the clock", OK)
	w.now = w.now.Add(-time.Minute)
	check("the clock set back", Invalid)
	w.put(ProjectsFile, strings.Replace(oneProject, "    name: One\n", "    name: One\n    enabled: false\n", 1))
	if s := check("a disabled project reserves", Invalid); s.ProjectsState.Problem.Line != 6 {
		t.Errorf("line %d", s.ProjectsState.Problem.Line)
	}
	w.put(ProjectsFile, "version: 1\nprojects: {}\n")
	check("corrected in the other file", OK)
	if err := os.Symlink(w.root("p1"), filepath.Join(w.roots, "alias")); err != nil {
		t.Fatal(err)
	}
	w.put(ProjectsFile, strings.Replace(oneProject, "ROOTS/p1", "ROOTS/alias/sub", 1))
	w.root("p1/sub")
	check("overlap by canonical path", Invalid)
	w.put(ProjectsFile, strings.Replace(oneProject, "ROOTS/p1", "ROOTS/p1/su", 1))
	check("a name that begins alike", OK)
}

func TestRootsInOrder(t *testing.T) { // M-23
	ordered := []string{"/", "/a", "/a/b", "/a/b/c", "/a/b!", "/a!", "/a!/b", "/ab", "/b", "/é"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareByComponent(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%q against %q: %d", a, b, got)
			}
		}
	}
}

func TestOverlapsOfRandomRoots(t *testing.T) { // M-23
	name := rapid.SampledFrom([]string{"a", "b", "a!", "ab"})
	rapid.Check(t, func(t *rapid.T) {
		var projects []Project
		touched := make(map[string]bool)
		for i, parts := range rapid.SliceOfN(rapid.SliceOfN(name, 1, 4), 0, 12).Draw(t, "roots") {
			projects = append(projects, Project{ID: fmt.Sprintf("p%d", i), Root: "/" + strings.Join(parts, "/")})
		}
		for i, a := range projects {
			for j, b := range projects {
				if i != j && pathguard.Contains(a.Root, b.Root) {
					touched[a.ID], touched[b.ID] = true, true
				}
			}
		}
		found := make(map[string]bool)
		for _, c := range clashes(projects, nil, time.Time{}, func(root string) string { return root }) {
			if !pathguard.Contains(c.a.path, c.b.path) {
				t.Fatalf("%s and %s do not overlap", c.a.path, c.b.path)
			}
			found[c.a.id], found[c.b.id] = true, true
		}
		if !maps.Equal(found, touched) {
			t.Fatalf("found %v, want %v", found, touched)
		}
	})
}

func TestOneFileOverlapsItself(t *testing.T) { // M-22
	w := newWorld(t)
	w.put(ProjectsFile, "version: 1\nprojects:\n  a: {name: x, root: ROOTS/a}\n  b: {name: x, root: ROOTS/a/b}\n")
	w.put(GrantsFile, oneGrant)
	s := w.registry().Snapshot()
	if s.ProjectsState.Kind() != Overlap || s.GrantsState.Status != OK {
		t.Errorf("projects %v, grants %s", s.ProjectsState.Problem, s.GrantsState.Status)
	}
}

func TestStatesOfGrants(t *testing.T) { // M-25
	w := newWorld(t)
	root := w.root("g")
	past, future := w.now.Add(-time.Second), w.now.Add(time.Second)
	for _, c := range []struct {
		grant Grant
		want  GrantStatus
	}{
		{Grant{Root: root, Permanent: true}, Active},
		{Grant{Root: root, ExpiresAt: future}, Active},
		{Grant{Root: root, ExpiresAt: w.now}, Expired},
		{Grant{Root: root, ExpiresAt: past, Disabled: true}, Expired},
		{Grant{Root: root, ExpiresAt: past, Revoked: true}, Revoked},
		{Grant{Root: root, Permanent: true, Disabled: true, Revoked: true}, Revoked},
		{Grant{Root: root + "-gone", Permanent: true, Disabled: true}, Disabled},
		{Grant{Root: root + "-gone", Permanent: true}, Unavailable},
		{Grant{Root: root + "-gone", ExpiresAt: past}, Expired},
	} {
		if got := c.grant.StatusAt(w.now); got != c.want {
			t.Errorf("%+v is %s, want %s", c.grant, got, c.want)
		}
	}
}

func TestScopes(t *testing.T) { // M-25, M-27, M-31
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	w.project(r, "off")
	w.grant(r, "g1", time.Hour)
	for id, set := range map[string]func(g *Grant){"disabled": func(g *Grant) { g.Disabled = true }, "revoked": func(g *Grant) { g.Revoked = true }} {
		w.grant(r, id, 0)
		if _, err := r.setGrant(t.Context(), id, false, func(g *Grant, _ time.Time) error { set(g); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.DisableProject(t.Context(), "off"); err != nil {
		t.Fatal(err)
	}
	check := func(project, grant string, want pathguard.Code) {
		t.Helper()
		scope, err := r.Snapshot().Scope(project, grant)
		if err == nil {
			var tree *pathguard.Tree
			if tree, err = scope.Open(); err == nil {
				_ = tree.Close()
			}
		}
		wantCode(t, project+"|"+grant, err, want)
		if want != "" {
			wantNoPaths(t, err)
		}
	}
	check("p1", "", "")
	check("", "g1", "")
	check("", "", pathguard.ScopeRequired)
	check("p1", "g1", pathguard.ScopeConflict)
	check("none", "", pathguard.ProjectNotFound)
	check("../p1", "", pathguard.ProjectNotFound)
	check("g1", "", pathguard.ProjectNotFound)
	check("", "p1", pathguard.GrantNotFound)
	check("off", "", pathguard.ProjectDisabled)
	check("", "disabled", pathguard.GrantDisabled)
	check("", "revoked", pathguard.GrantRevoked)
	if p, err := r.Snapshot().DescribedProject("off"); err != nil || p.Enabled {
		t.Errorf("a disabled project is not described: %v, %v", p, err)
	}
	_, err := r.Snapshot().ProjectScope("p1", "g1")
	wantCode(t, "a grant for a project tool", err, pathguard.ScopeNotSupported)
	_, err = r.Snapshot().ProjectScope("", "")
	wantCode(t, "no project", err, pathguard.ScopeRequired)
	scope, err := r.Snapshot().ProjectScope("p1", "")
	if err != nil || scope.String() != "project:p1" || scope.WriteDirectory != "docs" || scope.Grant {
		t.Errorf("scope %+v, %v", scope, err)
	}
	for _, id := range []string{"p1", "g1"} {
		if err := os.Rename(w.root(id), w.root(id)+"-moved"); err != nil {
			t.Fatal(err)
		}
	}
	check("p1", "", pathguard.ProjectUnavailable)
	check("", "g1", pathguard.GrantUnavailable)
	if err := os.Symlink(w.root("p1-moved"), filepath.Join(w.roots, "p1")); err != nil {
		t.Fatal(err)
	}
	check("p1", "", pathguard.ProjectUnavailable)
	w.now = w.now.Add(2 * time.Hour)
	check("", "g1", pathguard.GrantExpired)
}

func TestIgnoreFilesOfAScope(t *testing.T) { // M-39
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	w.grant(r, "p2", 0)
	if err := os.MkdirAll(filepath.Join(w.config, pathguard.ProjectIgnoreDir), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"p1", "p2"} {
		w.put(filepath.Join(pathguard.ProjectIgnoreDir, id+pathguard.ProjectIgnoreSuffix), "*.log\n")
	}
	for _, c := range []struct {
		project, grant string
		want           bool
	}{{"p1", "", true}, {"", "p2", false}} {
		scope, err := r.Snapshot().Scope(c.project, c.grant)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := scope.Rules()
		if err != nil || rules.Ignored("x.log", false) != c.want || !rules.Ignored("x.pyc", false) {
			t.Errorf("%s: the rules are not the scope's: %v", scope, err)
		}
	}
}

func TestSingleProject(t *testing.T) { // M-3
	w := newWorld(t)
	root := w.root("one")
	w.put(ProjectsFile, "broken")
	r, err := Single(root+"/.", "my_project", "", w.places)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Snapshot()
	p, err := s.Project("my_project")
	if err != nil || p.Root != root || p.WriteDirectory != "" || p.Git || !p.Enabled {
		t.Errorf("project %+v, %v", p, err)
	}
	if s.ProjectsState.Status != OK || s.GrantsState.Status != OK || s.ProjectsState.Generation != 1 {
		t.Errorf("states %+v, %+v", s.ProjectsState, s.GrantsState)
	}
	places := w.places
	places.Config = w.config
	w.put(pathguard.DefaultIgnoreFile, "*.log\n")
	if r, err = Single(root, "x", "", places); err != nil {
		t.Fatal(err)
	}
	if scope, err := r.Snapshot().Scope("x", ""); err != nil {
		t.Error(err)
	} else if rules, err := scope.Rules(); err != nil || !rules.Ignored("x.log", false) {
		t.Errorf("the ignore files of the configuration do not hold: %v", err)
	}
	for _, dir := range []string{".git/objects", ".git/refs"} {
		w.root("one/" + dir)
	}
	if err := os.WriteFile(filepath.Join(root, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err = Single(root, "x", "docs/", w.places); err != nil {
		t.Fatal(err)
	}
	if p, _ := r.Snapshot().Project("x"); !p.Git || p.WriteDirectory != "docs" {
		t.Errorf("project %+v", p)
	}
	for _, c := range []struct {
		root, id, dir string
		want          pathguard.Code
	}{
		{root, "Bad", "", pathguard.IDInvalid}, {root + "/none", "x", "", pathguard.RootInvalid}, {"/etc", "x", "", pathguard.RootForbidden},
		{w.places.Home, "x", "", pathguard.RootForbidden}, {root, "x", "../docs", pathguard.WriteDirectoryInvalid},
	} {
		_, err := Single(c.root, c.id, c.dir, w.places)
		wantCode(t, c.root+" "+c.id+" "+c.dir, err, c.want)
	}
}

func TestSnapshotsInManyHands(t *testing.T) { // M-21
	w := newWorld(t)
	r := w.registry()
	w.put(ProjectsFile, oneProject)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 200 {
				s := r.Snapshot()
				projects, err := s.Projects()
				if ok := s.ProjectsState.Status == OK; ok != (err == nil) || ok != (len(projects) == 1) {
					t.Errorf("a snapshot contradicts itself: %s, %v, %v", s.ProjectsState.Status, projects, err)
				}
			}
		})
	}
	for i := range 40 {
		w.put(ProjectsFile, []string{oneProject, "broken"}[i%2])
	}
	readers.Wait()
}
