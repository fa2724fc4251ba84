package gitview

import (
	"os"
	"path/filepath"
	"testing"
)

// A repository can name files of patterns by which Git leaves out or orders paths. Were they followed, an answer would tell
// what a file outside the root holds, or that it exists (M-34, M-59).
func TestListsOutsideTheRoot(t *testing.T) {
	const guess = "guessed-line"
	for _, c := range []struct{ name, text string }{{"core.excludesFile", guess + "\n"}, {"diff.orderFile", "b.txt\n"}, {"diff.orderFile", ""}} {
		r := newRepo(t, map[string]string{"a.txt": "one\n", "b.txt": "bee\n"})
		outside := filepath.Join(r.base, "outside")
		if c.text != "" {
			must(t, os.WriteFile(outside, []byte(c.text), 0o644))
		}
		r.put(guess, "untracked\n")
		r.put("a.txt", "changed\n")
		r.put("b.txt", "changed too\n")
		diff, err := r.diff(nil)
		must(t, err)
		status, err := r.status()
		must(t, err)
		r.run("config", c.name, outside)
		told, err := r.diff(nil)
		if err != nil || told.Content != diff.Content {
			t.Errorf("%s: the differences: %v %+v", c.name, err, told)
		}
		listed, err := r.status()
		if err != nil || len(listed.Entries) != len(status.Entries) {
			t.Errorf("%s: the status: %v %+v", c.name, err, listed)
		}
	}
}
