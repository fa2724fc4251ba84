package mcp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A paged tool, as the laws of M-41 to M-43 see it.
type paged struct {
	tool, arguments string
	offset, limit   string // names of the argument and member, and of the argument that bounds a page
	sizes           []int
	entries         func(map[string]any) []string
	want            []string // every entry in order
}

func (p *paged) ask(c *lineClient, offset, size int) (map[string]any, int) {
	c.t.Helper()
	o := c.call(p.tool, fmt.Sprintf(`{%s,%q:%d,%q:%d}`, p.arguments, p.offset, offset, p.limit, size))
	if o.code != "" {
		c.t.Fatalf("%s from %d: %s", p.tool, offset, o.raw)
	}
	return o.content, len(o.raw)
}

// follow follows the pages to the end and holds each to the laws.
func (p *paged) follow(c *lineClient, size, mostBytes int) {
	c.t.Helper()
	var got []string
	for offset := 0; ; {
		page, bytes := p.ask(c, offset, size)
		entries := p.entries(page)
		got = append(got, entries...)
		where := fmt.Sprintf("%s, %d at a time, from %d", p.tool, size, offset)
		if bytes > mostBytes || len(entries) > size {
			c.t.Errorf("%s: %d entries in %d bytes", where, len(entries), bytes)
		}
		if page[p.offset] != float64(offset) || page[p.limit] != float64(size) || page["truncated"] == page["complete"] {
			c.t.Errorf("%s: %v", where, members(page))
		}
		if total := page["total_count"]; total != nil && total != float64(len(p.want)) {
			c.t.Errorf("%s: total_count %v, want %d", where, total, len(p.want))
		}
		next, more := page["next_"+p.offset].(float64)
		if more != page["has_more"] || more && (page["complete"] == true || page["truncation_reason"] == nil) || !more && page["complete"] != true {
			c.t.Fatalf("%s: %v", where, members(page))
		}
		if !more {
			break
		}
		if int(next) != offset+len(entries) || len(entries) == 0 {
			c.t.Fatalf("%s: %d entries, next %v", where, len(entries), next)
		}
		offset = int(next)
	}
	if !slices.Equal(got, p.want) {
		c.t.Errorf("%s, %d at a time: %d entries, want %d; %s", p.tool, size, len(got), len(p.want), firstDifference(got, p.want))
	}
	for _, beyond := range []int{len(p.want), len(p.want) + 1, 1 << 29} {
		if page, _ := p.ask(c, beyond, size); len(p.entries(page)) != 0 || page["complete"] != true || page["has_more"] != false {
			c.t.Errorf("%s from %d of %d: %v", p.tool, beyond, len(p.want), members(page))
		}
	}
}

// members leaves out what is long.
func members(page map[string]any) map[string]any {
	short := maps.Clone(page)
	for _, long := range []string{"entries", "matches", "content"} {
		delete(short, long)
	}
	return short
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("entry %d is %.200q, want %.200q", i, got[i], want[i])
		}
	}
	return "one is the beginning of the other"
}

// each takes a text out of every entry of a list.
func each(list, member string) func(map[string]any) []string {
	return func(page map[string]any) []string {
		var found []string
		for _, entry := range page[list].([]any) {
			found = append(found, fmt.Sprint(entry.(map[string]any)[member]))
		}
		return found
	}
}

// lines takes the lines out of a page of text, with their ends.
func lines(page map[string]any) []string {
	return slices.DeleteFunc(strings.SplitAfter(page["content"].(string), "\n"), func(line string) bool { return line == "" })
}

// pagedWorld is a repository with names and lines that take very different room in JSON.
func pagedWorld(t *testing.T) (*world, []paged) {
	w := newWorld(t)
	committed, now := map[string]string{}, map[string]string{}
	for i := range 120 {
		odd := []string{"a", "<&>", "\"q\"", "é", "漢字", strings.Repeat("n", 180), "a.b", "a-b", "\u2028", strings.Repeat("<", 100), "x y"}[i%11]
		name := fmt.Sprintf("many/%s %03d.txt", odd, i*7919%120)
		committed[name] = "old\n"
		now[name] = fmt.Sprintf("hit %d\nmiss\n%shit\n", i, strings.Repeat("\"", i*17%900))
	}
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "%d %s\n", i, strings.Repeat([]string{"x", "<", "\"", "\t", "漢"}[i%5], i*31%300))
	}
	committed["long.txt"], now["long.txt"] = "old\n", long.String()
	root := w.repository("p", committed)
	for name, text := range now {
		w.must(os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	w.projects(map[string]string{"p": "root: " + root + "\ngit: true"})
	w.env["PROJECT_MCP_MAX_RESULT_BYTES"] = "16384"

	names := slices.Sorted(maps.Keys(now))
	var many, hits []string
	for _, name := range names {
		if strings.HasPrefix(name, "many/") {
			many = append(many, name)
			hits = append(hits, name, name)
		}
	}
	const project = `"project_id":"p"`
	diff := w.plainDiff(root)
	return w, []paged{
		{"list_dir", project + `,"path":"many"`, "offset", "limit", []int{1, 7, 1000}, each("entries", "path"), many},
		{"glob", project + `,"pattern":"many/*"`, "offset", "max_results", []int{1, 7, 2000}, each("matches", "path"), many},
		{"grep", project + `,"pattern":"hit","path":"many"`, "offset", "max_results", []int{3, 50, 1000}, each("matches", "path"), hits},
		{"git_status", project, "offset", "limit", []int{41, 1000}, each("entries", "path"), names},
		{"read_file", project + `,"path":"long.txt"`, "offset_line", "limit_lines", []int{13, 5000}, lines, strings.SplitAfter(strings.TrimSuffix(now["long.txt"], "\n"), "\n")},
		{"git_diff", project + `,"path":"long.txt"`, "offset_line", "limit_lines", []int{400, 5000}, lines, diff},
	}
}

// plainDiff gives the lines of the difference of long.txt as Git prints it.
func (w *world) plainDiff(root string) []string {
	w.t.Helper()
	h := &snare{t: w.t, root: root, beside: w.dir}
	text := h.plain("", "diff", "--no-ext-diff", "--no-color", "--full-index", "--", "long.txt")
	return slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "" })
}

// Whoever follows the pages of a tool gets every entry once, in order, in pages within the bounds, however small these are
// and however large an entry is (M-41, M-42, M-43).
func TestEveryPage(t *testing.T) {
	w, tools := pagedWorld(t)
	c := w.connect(w.server())
	for _, p := range tools {
		if p.tool == "read_file" {
			p.want[len(p.want)-1] += "\n"
		}
		for _, size := range p.sizes {
			p.follow(c, size, 16384)
		}
	}
}

// A tree within its limits is the beginning of the whole one, and says what it leaves out (M-48).
func TestTreeWithinLimits(t *testing.T) {
	w, _ := pagedWorld(t)
	c := w.connect(w.server())
	w.env["PROJECT_MCP_MAX_RESULT_BYTES"] = fmt.Sprint(mib)
	paths := each("entries", "path")
	all := w.connect(w.server()).ok("tree", `{"project_id":"p","max_entries":5000,"max_depth":20}`)
	if all["complete"] != true || all["coverage"] != "full_subtree" || all["truncation_reason"] != nil {
		t.Fatalf("%v", members(all))
	}
	whole := paths(all)
	for most := 1; most <= 5000; most *= 3 {
		o := c.call("tree", fmt.Sprintf(`{"project_id":"p","max_entries":%d,"max_depth":20}`, most))
		got := paths(o.content)
		if len(o.raw) > 16384 || len(got) > most || !slices.Equal(got, whole[:len(got)]) || o.content["entry_count"] != float64(len(got)) {
			t.Errorf("at most %d: %d entries in %d bytes", most, len(got), len(o.raw))
		}
		complete := len(got) == len(whole)
		if o.content["complete"] != complete || o.content["truncated"] == complete || (o.content["coverage"] == "partial") == complete {
			t.Errorf("at most %d: %v", most, members(o.content))
		}
	}
	shallow := c.ok("tree", `{"project_id":"p","max_depth":1}`)
	if shallow["complete"] != true || shallow["coverage"] != "requested_depth" || shallow["truncation_reason"] != "depth_limit" {
		t.Errorf("%v", members(shallow))
	}
}
