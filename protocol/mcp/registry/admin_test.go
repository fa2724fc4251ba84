//go:build linux

package registry

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

func TestAddedProjectsAreServed(t *testing.T) { // M-2, M-17, M-26, M-64
	w := newWorld(t)
	w.config = filepath.Join(w.config, "new", "deep")
	r := w.registry()
	given := w.record("p1")
	given.Root += "/../p1/"
	added, err := r.AddProject(t.Context(), given)
	if err != nil || added.Root != w.root("p1") {
		t.Fatalf("added %+v, %v", added, err)
	}
	other := w.record("p_2-x")
	other.Name, other.Enabled, other.WriteDirectory = "2026-01-01", false, "a/b/"
	if _, err := r.AddProject(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	other.WriteDirectory = "a/b"
	got, err := r.Snapshot().Projects()
	if err != nil || fmt.Sprint(got) != fmt.Sprint([]Project{added, other}) {
		t.Errorf("projects %v, %v", got, err)
	}
	for path, want := range map[string]fs.FileMode{w.config: 0o700, w.file(ProjectsFile): 0o600, w.file(LockFile): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestRefusedProjects(t *testing.T) { // M-19, M-23, M-24, M-30, M-65, M-66
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	w.grant(r, "g1", time.Hour)
	before := w.text(ProjectsFile)
	for what, c := range map[string]struct {
		change func(p *Project)
		want   pathguard.Code
	}{
		"an ID in use":           {func(p *Project) { p.ID = "p1" }, pathguard.IDExists},
		"capitals":               {func(p *Project) { p.ID = "Upper" }, pathguard.IDInvalid},
		"a space":                {func(p *Project) { p.ID = "a b" }, pathguard.IDInvalid},
		"a line end":             {func(p *Project) { p.ID = "a\n" }, pathguard.IDInvalid},
		"a slash":                {func(p *Project) { p.ID = "a/b" }, pathguard.IDInvalid},
		"nothing":                {func(p *Project) { p.ID = "" }, pathguard.IDInvalid},
		"too long":               {func(p *Project) { p.ID = strings.Repeat("a", 65) }, pathguard.IDInvalid},
		"no name":                {func(p *Project) { p.Name = "" }, pathguard.InvalidArguments},
		"a name of two lines":    {func(p *Project) { p.Name = "a\nb" }, pathguard.InvalidArguments},
		"a name that is no text": {func(p *Project) { p.Name = "\xff" }, pathguard.InvalidArguments},
		"no write directory":     {func(p *Project) { p.WriteDirectory = "" }, pathguard.WriteDirectoryInvalid},
		"a relative root":        {func(p *Project) { p.Root = "ws/p2" }, pathguard.RootInvalid},
		"a missing root":         {func(p *Project) { p.Root += "/none" }, pathguard.RootInvalid},
		"a system root":          {func(p *Project) { p.Root = "/etc/ssl" }, pathguard.RootForbidden},
		"home":                   {func(p *Project) { p.Root = w.places.Home }, pathguard.RootForbidden},
		"the configuration":      {func(p *Project) { p.Root = w.config }, pathguard.RootForbidden},
		"no work tree":           {func(p *Project) { p.Git = true }, pathguard.RootInvalid},
		"the same root":          {func(p *Project) { p.Root = w.root("p1") }, pathguard.RootOverlap},
		"an inner root":          {func(p *Project) { p.Root = w.root("p1/in") }, pathguard.RootOverlap},
		"an outer root":          {func(p *Project) { p.Root = w.roots }, pathguard.RootOverlap},
		"a grant's root":         {func(p *Project) { p.Root = w.root("g1") }, pathguard.RootOverlap},
	} {
		p := w.record("p2")
		c.change(&p)
		_, err := r.AddProject(t.Context(), p)
		wantCode(t, what, err, c.want)
		if c.want == pathguard.RootOverlap && !strings.Contains(err.Error(), "overlap") {
			t.Errorf("%s: %v does not say what is wrong", what, err)
		}
	}
	if w.text(ProjectsFile) != before {
		t.Error("a refused command has changed the file")
	}
}

func TestWriteDirectories(t *testing.T) { // M-24
	for dir, want := range map[string]string{"docs": "docs", "docs/": "docs", "a/b//": "a/b", "研究/计划": "研究/计划", strings.Repeat("a/", 9) + "a": strings.Repeat("a/", 9) + "a"} {
		if got, err := CheckWriteDirectory(dir); err != nil || got != want {
			t.Errorf("%q: %q, %v", dir, got, err)
		}
	}
	for _, dir := range []string{
		"", "/", ".", "./docs", "docs/.", "..", "../docs", "docs/../x", "/docs", "docs//x", ".docs", "docs/.x", "a\\b", "C:docs", "c:/docs", "docs\x00", "docs\n", "docs/%41",
		"%2e%2e", "token", "docs/secrets", "docs/x.key", "~docs", "a\u202eb", "docs\xff", strings.Repeat("a/", 10) + "a", strings.Repeat("a", 256),
	} {
		_, err := CheckWriteDirectory(dir)
		wantCode(t, dir, err, pathguard.WriteDirectoryInvalid)
	}
}

func TestUpdatedProjects(t *testing.T) { // M-64, M-66
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	w.project(r, "p2")
	set := func(change ProjectChange, want pathguard.Code) Project {
		t.Helper()
		p, err := r.UpdateProject(t.Context(), "p1", change)
		wantCode(t, fmt.Sprintf("%+v", change), err, want)
		return p
	}
	text := func(s string) *string { return &s }
	if p := set(ProjectChange{Name: text("Other")}, ""); p.Name != "Other" || p.Root != w.root("p1") {
		t.Errorf("%+v", p)
	}
	generation := r.Snapshot().ProjectsState.Generation
	set(ProjectChange{Name: text("Other"), WriteDirectory: text("docs/")}, "")
	set(ProjectChange{}, "")
	if now := r.Snapshot().ProjectsState.Generation; now != generation {
		t.Errorf("an update that changes nothing raises the generation from %d to %d", generation, now)
	}
	set(ProjectChange{Root: text(w.root("p1/inner"))}, "")
	set(ProjectChange{Root: text(w.root("p2/inner"))}, pathguard.RootOverlap)
	set(ProjectChange{Git: new(true)}, pathguard.RootInvalid)
	set(ProjectChange{WriteDirectory: text("")}, pathguard.WriteDirectoryInvalid)
	set(ProjectChange{Name: text("")}, pathguard.InvalidArguments)
	for _, dir := range []string{"objects", "refs"} {
		w.root("p1/inner/.git/" + dir)
	}
	if err := os.WriteFile(w.root("p1/inner/.git")+"/HEAD", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if p := set(ProjectChange{Git: new(true)}, ""); !p.Git || p.Root != w.root("p1/inner") {
		t.Errorf("%+v", p)
	}
	if err := os.RemoveAll(w.root("p1")); err != nil {
		t.Fatal(err)
	}
	set(ProjectChange{Name: text("still")}, "")
	_, err := r.UpdateProject(t.Context(), "none", ProjectChange{})
	wantCode(t, "an unknown ID", err, pathguard.ProjectNotFound)
}

func TestStatesOfProjects(t *testing.T) { // M-23, M-66
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	for _, enabled := range []bool{false, false, true, true} {
		p, err := r.setEnabled(t.Context(), "p1", enabled)
		if err != nil || p.Enabled != enabled {
			t.Errorf("%+v, %v", p, err)
		}
		if _, err := r.AddProject(t.Context(), Project{ID: "p2", Name: "x", Root: w.root("p1"), WriteDirectory: "docs"}); pathguard.CodeOf(err) != pathguard.RootOverlap {
			t.Errorf("a root that is reserved is given away: %v", err)
		}
	}
	if err := r.RemoveProject(t.Context(), "p1"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "removing again", r.RemoveProject(t.Context(), "p1"), pathguard.ProjectNotFound)
	_, err := r.EnableProject(t.Context(), "p1")
	wantCode(t, "enabling", err, pathguard.ProjectNotFound)
	w.project(r, "p1")
}

func TestGrantsFromAddingToRevoking(t *testing.T) { // M-19, M-25, M-66
	w := newWorld(t)
	r := w.registry()
	ctx := t.Context()
	g := w.grant(r, "g1", 2*time.Hour)
	if !g.CreatedAt.Equal(w.now.Truncate(time.Second)) || !g.ExpiresAt.Equal(g.CreatedAt.Add(2*time.Hour)) || g.Permanent {
		t.Errorf("%+v", g)
	}
	if !strings.Contains(w.text(GrantsFile), "expires_at: 2026-03-01T14:00:00Z\n") {
		t.Errorf("times are not written in UTC:\n%s", w.text(GrantsFile))
	}
	commands := map[string]func() error{
		"enable":  func() error { _, err := r.EnableGrant(ctx, "g1"); return err },
		"disable": func() error { _, err := r.DisableGrant(ctx, "g1"); return err },
		"revoke":  func() error { _, err := r.RevokeGrant(ctx, "g1"); return err },
		"add":     func() error { _, err := r.AddGrant(ctx, "g1", "x", w.root("other"), 0); return err },
	}
	check := func(command string, want pathguard.Code, status GrantStatus) {
		t.Helper()
		wantCode(t, command, commands[command](), want)
		s := r.Snapshot()
		grants, err := s.Grants()
		if err != nil || len(grants) != 1 || s.Status(grants[0]) != status {
			t.Errorf("%s: %v, %v, want %s", command, grants, err, status)
		}
	}
	check("enable", "", Active)
	check("disable", "", Disabled)
	check("disable", "", Disabled)
	check("add", pathguard.IDExists, Disabled)
	check("enable", "", Active)
	w.now = w.now.Add(3 * time.Hour)
	check("enable", pathguard.StateConflict, Expired)
	check("disable", "", Expired)
	check("revoke", "", Revoked)
	check("revoke", pathguard.StateConflict, Revoked)
	check("enable", pathguard.StateConflict, Revoked)
	check("disable", pathguard.StateConflict, Revoked)
	check("add", pathguard.IDExists, Revoked)
	if !strings.Contains(w.text(GrantsFile), "revoked_at: 2026-03-01T15:00:00Z\n") {
		t.Errorf("no time of revocation:\n%s", w.text(GrantsFile))
	}
	if p, err := r.AddProject(ctx, Project{ID: "p1", Name: "x", Root: w.root("g1"), WriteDirectory: "docs"}); err != nil {
		t.Errorf("the root of a revoked grant is not free: %v, %v", p, err)
	}
	for _, command := range []func(context.Context, string) (Grant, error){r.EnableGrant, r.DisableGrant, r.RevokeGrant} {
		_, err := command(ctx, "none")
		wantCode(t, "an unknown ID", err, pathguard.GrantNotFound)
	}
	_, err := r.AddGrant(ctx, "x", "x", w.root("x"), MaxTTL+1)
	wantCode(t, "too long a time", err, pathguard.TTLInvalid)
}

func TestTimesToLive(t *testing.T) { // M-25
	for word, want := range map[string]time.Duration{"1m": time.Minute, "90m": 90 * time.Minute, "2h": 2 * time.Hour, "365d": MaxTTL, "8760h": MaxTTL, "525600m": MaxTTL, "007d": 7 * 24 * time.Hour} {
		if got, err := ParseTTL(word); err != nil || got != want {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	for _, word := range []string{"", "1", "m", "0m", "-1h", "+1h", "1.5h", "1s", "1w", "1 h", "1H", "366d", "8761h", "525601m", "99999999999999999999d", "999999999d", "1h ", "1h30m"} {
		_, err := ParseTTL(word)
		wantCode(t, word, err, pathguard.TTLInvalid)
	}
}

func TestCommandsOnInvalidRegistries(t *testing.T) { // M-67
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	w.grant(r, "g1", 0)
	w.put(GrantsFile, oneGrant+"    colour: red\n")
	_, err := r.AddProject(t.Context(), w.record("p2"))
	wantCode(t, "add", err, pathguard.RegistryInvalid)
	if want := w.file(GrantsFile) + `:7: the key "colour" is not known`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
	_, err = r.UpdateProject(t.Context(), "p1", ProjectChange{})
	wantCode(t, "update", err, pathguard.RegistryInvalid)
	_, err = r.DisableProject(t.Context(), "p1")
	wantCode(t, "disabling a project while the grants are invalid", err, "")
	_, err = r.RevokeGrant(t.Context(), "g1")
	wantCode(t, "revoke in an invalid file", err, pathguard.RegistryInvalid)
	w.put(GrantsFile, strings.Replace(oneGrant, "ROOTS/g1", "ROOTS/p1/in", 1))
	_, err = r.EnableProject(t.Context(), "p1")
	wantCode(t, "enable under an overlap", err, pathguard.RegistryInvalid)
	_, err = r.RevokeGrant(t.Context(), "g1")
	wantCode(t, "revoke ends an overlap", err, "")
	if s := r.Snapshot(); s.ProjectsState.Status != OK || s.GrantsState.Status != OK {
		t.Errorf("still %s and %s", s.ProjectsState.Status, s.GrantsState.Status)
	}
}

func TestWritersWaitForEachOther(t *testing.T) { // M-26
	w := newWorld(t)
	const writers, each = 4, 8
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			r := w.registry()
			for j := range each {
				id := fmt.Sprintf("p%d-%d", i, j)
				if _, err := r.AddProject(t.Context(), w.record(id)); err != nil {
					t.Errorf("%s: %v", id, err)
				}
				if _, err := r.AddGrant(t.Context(), id, "x", w.root("g"+id), 0); err != nil {
					t.Errorf("grant %s: %v", id, err)
				}
			}
		})
	}
	all.Wait()
	s := w.registry().Snapshot()
	projects, _ := s.Projects()
	grants, _ := s.Grants()
	if len(projects) != writers*each || len(grants) != writers*each {
		t.Errorf("%d projects and %d grants are left of %d", len(projects), len(grants), writers*each)
	}
}

func TestLockThatIsHeld(t *testing.T) { // M-26
	w := newWorld(t)
	unlock, err := lock(t.Context(), w.config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = w.registry().AddProject(ctx, w.record("p1"))
	wantCode(t, "a lock that is held", err, pathguard.Busy)
	unlock()
	w.project(w.registry(), "p1")
}

func TestWritingIsAtomic(t *testing.T) { // M-26
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	before, err := os.Stat(w.file(ProjectsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, leftover := range []string{".projects.yaml.123.tmp", ".projects.yaml.x.tmp"} {
		w.put(leftover, "half a fi")
	}
	w.project(r, "p2")
	if after, err := os.Stat(w.file(ProjectsFile)); err != nil || os.SameFile(before, after) {
		t.Errorf("the file was written in place: %v", err)
	}
	entries, err := os.ReadDir(w.config)
	if err != nil || len(entries) != 2 {
		t.Errorf("left in the directory: %v, %v", entries, err)
	}
	if os.Geteuid() != 0 { // permissions do not bind the superuser
		if err := os.Chmod(w.config, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(w.config, 0o700)
		_, err = r.AddProject(t.Context(), w.record("p3"))
		wantCode(t, "a directory that cannot be written", err, pathguard.WriteFailed)
	}
	w.config = w.file(ProjectsFile)
	_, err = w.registry().AddProject(t.Context(), w.record("p4"))
	wantCode(t, "a file in the place of the directory", err, pathguard.WriteFailed)
}

func TestLockIsNoLink(t *testing.T) { // M-26
	w := newWorld(t)
	target := filepath.Join(w.roots, "victim")
	if err := os.Symlink(target, w.file(LockFile)); err != nil {
		t.Fatal(err)
	}
	_, err := w.registry().AddProject(t.Context(), w.record("p1"))
	wantCode(t, "a lock file that is a link", err, pathguard.WriteFailed)
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link was followed")
	}
	var stat unix.Stat_t
	if err := unix.Lstat(w.file(ProjectsFile), &stat); err == nil {
		t.Error("something was written without a lock")
	}
}
