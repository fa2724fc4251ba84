//go:build linux

package registry

import (
	"slices"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// What is accepted can be written and read back as the same, and every refusal says why (M-20, M-26, M-67).

func fuzzed() *Registry {
	return newRegistry("/srv/pk/config", pathguard.Places{Home: "/home/someone"}, func() time.Time { return time.Unix(1767225600, 0) })
}

func checkRefusal(t *testing.T, text string, problem *Problem) {
	if problem.Kind == "" || problem.Reason == "" || problem.Line < 0 || problem.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\u0085")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029")+2 {
		t.Fatalf("%q is refused with %+v", text, problem)
	}
}

func FuzzProjectsYAML(f *testing.F) {
	for _, c := range invalidFiles {
		f.Add(strings.ReplaceAll(c.text, "ROOTS", "/srv"))
	}
	f.Add(strings.ReplaceAll(oneProject, "ROOTS", "/srv"))
	f.Fuzz(func(t *testing.T, text string) {
		projects, roots, problem := fuzzed().parseProjects([]byte(text))
		if problem != nil {
			checkRefusal(t, text, problem)
			return
		}
		for _, p := range projects {
			if !validID(p.ID) || !validRecordName(p.Name) || pathguard.NewRootGuard(pathguard.Places{}).CheckText(p.Root) != nil || roots.lines[p.ID] == 0 {
				t.Fatalf("%q gives %+v", text, p)
			}
		}
		written, err := encodeProjects(projects)
		if err != nil {
			t.Fatal(err)
		}
		back, _, problem := fuzzed().parseProjects(written)
		if problem != nil || !slices.Equal(back, projects) {
			t.Fatalf("%q is written as %q and read back as %v, %v", text, written, back, problem)
		}
	})
}

func FuzzGrantsYAML(f *testing.F) {
	for _, c := range invalidFiles {
		f.Add(strings.ReplaceAll(c.text, "ROOTS", "/srv"))
	}
	f.Add(strings.ReplaceAll(oneGrant, "ROOTS", "/srv"))
	f.Add("version: 1\ngrants:\n  g: {name: x, root: /srv/x, created_at: 2026-01-01T00:00:00.123456789+23:59, expires_at: '2026-01-01T00:00:00Z', revoked: true, revoked_at: 2026-01-01T00:00:00Z}\n")
	f.Fuzz(func(t *testing.T, text string) {
		grants, roots, problem := fuzzed().parseGrants([]byte(text))
		if problem != nil {
			checkRefusal(t, text, problem)
			return
		}
		for _, g := range grants {
			if !validID(g.ID) || g.Permanent == !g.ExpiresAt.IsZero() || roots.lines[g.ID] == 0 {
				t.Fatalf("%q gives %+v", text, g)
			}
			if g.ExpiresAt.Year() > 9999 || g.CreatedAt.Year() > 9999 || g.RevokedAt.Year() > 9999 {
				return // such a time is read and not written: the commands refuse to touch the file
			}
		}
		written, err := encodeGrants(grants)
		if err != nil {
			t.Fatal(err)
		}
		back, _, problem := fuzzed().parseGrants(written)
		if problem != nil || !slices.EqualFunc(back, grants, sameGrant) {
			t.Fatalf("%q is written as %q and read back as %v, %v", text, written, back, problem)
		}
	})
}
