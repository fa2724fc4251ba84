package gitview

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// DiffArgs are the arguments of git_diff (M-58).
type DiffArgs struct {
	Path         string // "" = everything; a file need not exist any more
	Staged       bool
	ContextLines int
	OffsetLine   int
	LimitLines   int
}

// DiffResult is the result of git_diff. The numbers are those of the whole diff, not of the page; denied and ignored files
// are in neither.
type DiffResult struct {
	ProjectID    string `json:"project_id"`
	Staged       bool   `json:"staged"`
	FilesChanged int    `json:"files_changed"`
	Insertions   int    `json:"insertions"`
	Deletions    int    `json:"deletions"`
	BinaryFiles  int    `json:"binary_files"`
	Content      string `json:"content"`
	LineCount    int    `json:"line_count"`
	page.LinePage
}

var diffFixed = page.Bound(DiffResult{
	FilesChanged: 1 << 31, Insertions: 1 << 31, Deletions: 1 << 31, BinaryFiles: 1 << 31, LineCount: 1 << 31,
	LinePage: page.Cut{Offset: 1 << 31, Shown: 1 << 31, Total: 1 << 31, More: true, Reason: page.PageLimit}.LinePage(1 << 31),
})

// Diff gives a page of the lines of the differences between work tree and index, or, staged, between index and last
// commit. Files come bytewise by path. Bytes that are not UTF-8 are shown as U+FFFD.
func (g *Git) Diff(ctx context.Context, repository Repository, args DiffArgs, resultBytes int) (*DiffResult, error) {
	if err := args.check(); err != nil {
		return nil, err
	}
	path, err := args.pathspec(repository.Tree)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, g.timeout)
	defer stop()
	command, err := g.ready(ctx, repository)
	if err != nil {
		return nil, err
	}
	output, err := command.run(ctx, maxOutput, diffArguments(args, path)...)
	if err != nil {
		return nil, err
	}
	parts, err := parsePatch(output)
	if err != nil {
		return nil, pathguard.Fault(pathguard.GitFailed).Because(err)
	}
	parts = slices.DeleteFunc(parts, func(p filePatch) bool { return p.bare || !shown(repository.Tree, p.path) })
	slices.SortStableFunc(parts, func(a, b filePatch) int { return strings.Compare(a.path, b.path) })
	result := &DiffResult{ProjectID: repository.ProjectID, Staged: args.Staged}
	result.count(parts)
	meter := page.NewMeter(resultBytes, diffFixed+page.StringSize(repository.ProjectID))
	if err := result.fill(parts, args, meter); err != nil {
		return nil, err
	}
	return result, nil
}

func (a DiffArgs) check() error {
	if err := ContextRange.Check("context_lines", a.ContextLines); err != nil {
		return err
	}
	if err := files.OffsetRange.Check("offset_line", a.OffsetLine); err != nil {
		return err
	}
	return files.LinesRange.Check("limit_lines", a.LimitLines)
}

// pathspec gives the path in normal form, judged by its names alone: what was deleted can still be asked for.
func (a DiffArgs) pathspec(tree *pathguard.Tree) (string, error) {
	if a.Path == "" {
		return "", nil
	}
	clean, err := pathguard.ValidatePath(a.Path, pathguard.ForEither)
	if err != nil {
		return "", err
	}
	if err := tree.Visible(clean, strings.HasSuffix(a.Path, "/")); err != nil {
		return "", err
	}
	return clean, nil
}

func diffArguments(args DiffArgs, path string) []string {
	arguments := []string{
		"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all", "--full-index",
		"--src-prefix=a/", "--dst-prefix=b/", "-U" + strconv.Itoa(args.ContextLines),
	}
	if args.Staged {
		arguments = append(arguments, "--cached")
	}
	arguments = append(arguments, "--")
	if path != "" && path != "." {
		arguments = append(arguments, path)
	}
	return arguments
}

// count adds the parts up. A file with a conflict can have two parts.
func (r *DiffResult) count(parts []filePatch) {
	for i, part := range parts {
		if i == 0 || part.path != parts[i-1].path {
			r.FilesChanged++
		}
		r.Insertions += part.insertions
		r.Deletions += part.deletions
		if part.binary {
			r.BinaryFiles++
		}
	}
}

// fill puts the lines of a page together. line_too_long: the page would have to begin with a line that no page can hold.
func (r *DiffResult) fill(parts []filePatch, args DiffArgs, meter page.Meter) error {
	var content strings.Builder
	cut := page.Cut{Offset: args.OffsetLine, Reason: page.PageLimit}
	closed := false
	for _, part := range parts {
		text := part.text
		if lines := lineCount(text); closed || cut.Total+lines <= args.OffsetLine {
			cut.Total += lines
			continue
		}
		for len(text) > 0 {
			length := lineLength(text)
			line := text[:length]
			text = text[length:]
			if cut.Total++; cut.Total <= args.OffsetLine || closed {
				continue
			}
			shown := strings.ToValidUTF8(string(line), "\uFFFD")
			if cut.Shown == args.LimitLines {
				closed = true
			} else if !meter.Take(page.StringSize(shown)) {
				closed, cut.Reason = true, page.ByteLimit
			} else {
				content.WriteString(shown)
				cut.Shown++
			}
		}
	}
	if closed && cut.Shown == 0 {
		return pathguard.Errorf(pathguard.LineTooLong, "A line of the diff is longer than a result may be; continue behind it.").With("line_number", args.OffsetLine+1)
	}
	cut.More = args.OffsetLine+cut.Shown < cut.Total
	r.Content, r.LineCount = content.String(), cut.Shown
	r.LinePage = cut.LinePage(args.LimitLines)
	return nil
}

func lineCount(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
