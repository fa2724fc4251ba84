package files

import (
	"context"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// GrepArgs are the arguments of grep (M-51).
type GrepArgs struct {
	Pattern       string
	Path          string // a directory, or one file
	CaseSensitive bool
	Offset        int // matches to skip
	MaxResults    int
}

// GrepResult is the result of grep. FilesSkipped counts the files that are no text or larger than the read limit or could
// not be read: they are not searched, and the result is complete without them.
type GrepResult struct {
	Matches      []GrepMatch `json:"matches"`
	FilesScanned int         `json:"files_scanned"`
	FilesSkipped int         `json:"files_skipped"`
	page.ResultPage
}

// GrepMatch is one line that matches, without its end.
type GrepMatch struct {
	Path          string `json:"path"`
	LineNumber    int    `json:"line_number"` // from 1
	Text          string `json:"text"`
	TextTruncated bool   `json:"text_truncated"`
}

// MaxLineChars is how much of a matching line is shown (M-51).
const MaxLineChars = 2000

// Once the page of a grep is full, the search goes on for the total alone only while the files and bytes searched so far
// are below these: a small tree is always counted, a large one answers soon.
const (
	countedFiles = 4096
	countedBytes = 8 << 20
)

var (
	grepFixed      = page.BoundOnce(GrepResult{FilesScanned: 1 << 40, FilesSkipped: 1 << 40, ResultPage: longestCut.ResultPage(1 << 40)}, 0)
	grepMatchFixed = page.BoundOnce(GrepMatch{LineNumber: 1 << 40}, 0)
)

// Grep finds the lines that match a pattern in the text files below a directory, or in one file: bytewise by whole path,
// then by line (M-51). Files are read and searched on all processors and taken up in order, so that a page which is cut
// short has every match up to its end and none behind it.
func Grep(ctx context.Context, scope Scope, args GrepArgs, limits Limits, progress Progress) (*GrepResult, error) {
	if err := OffsetRange.Check("offset", args.Offset); err != nil {
		return nil, err
	}
	if err := GrepRange.Check("max_results", args.MaxResults); err != nil {
		return nil, err
	}
	expression, err := parseExpression(args.Pattern, args.CaseSensitive)
	if err != nil {
		return nil, err
	}
	target, err := scope.Tree.Resolve(args.Path, pathguard.ForEither)
	if err != nil {
		return nil, err
	}
	collector := &grepCollector{
		result: GrepResult{Matches: []GrepMatch{}},
		cut:    page.Cut{Offset: args.Offset, Reason: page.PageLimit},
		limit:  args.MaxResults,
		meter:  page.NewMeter(limits.ResultBytes, grepFixed()),
	}
	search := &grepSearch{tree: scope.Tree, expression: expression, limit: limits.ReadBytes, kept: keptMatches(args.MaxResults), progress: progress}
	collector.search = search
	err = search.run(ctx, target, collector.take)
	if timedOut(err) {
		collector.timeOut()
		err = nil
	}
	if err != nil {
		return nil, ended(ctx, err)
	}
	return collector.finish(), nil
}

// A grepCollector takes the files in order and puts the page together.
type grepCollector struct {
	result    GrepResult
	cut       page.Cut
	limit     int
	meter     page.Meter
	bytes     int64
	matched   int // lines that matched so far
	full      bool
	uncounted bool
	search    *grepSearch
}

// take takes up the next file and reports whether another one is wanted.
func (c *grepCollector) take(ctx context.Context, file *searchedFile) (more bool, err error) {
	if file.skipped {
		c.result.FilesSkipped++
		return true, nil
	}
	c.result.FilesScanned++
	c.bytes += file.size
	if err := c.fill(ctx, file); err != nil {
		return false, err
	}
	c.matched += file.matched
	if c.full && c.matched > c.cut.Offset+len(c.result.Matches) && (c.result.FilesScanned >= countedFiles || c.bytes >= countedBytes) {
		c.uncounted = true
		return false, nil
	}
	return true, nil
}

// fill puts those lines of a file on the page that belong there. Of a file with very many matches only some are kept;
// when the page begins or goes on behind them, the file is searched again from there.
func (c *grepCollector) fill(ctx context.Context, file *searchedFile) error {
	from := max(0, c.cut.Offset-c.matched)
	for !c.full && from < file.matched {
		if from < file.first || from >= file.first+len(file.kept) {
			if err := c.search.rescan(ctx, file, from); err != nil {
				return err
			}
			if from >= file.first+len(file.kept) {
				return nil // the file was changed and has fewer matches now
			}
		}
		for _, line := range file.kept[from-file.first:] {
			if !c.add(file.path, line) {
				return nil
			}
			from++
		}
	}
	return nil
}

// add puts a line on the page unless it is full.
func (c *grepCollector) add(path string, line matchedLine) bool {
	if len(c.result.Matches) == c.limit {
		c.fullBy(page.PageLimit)
		return false
	}
	fixed := grepMatchFixed() + page.StringSize(path)
	match := GrepMatch{Path: path, LineNumber: line.number, Text: line.text, TextTruncated: line.cut}
	if !c.meter.Take(fixed + page.StringSize(match.Text)) {
		if len(c.result.Matches) > 0 {
			c.fullBy(page.ByteLimit)
			return false
		}
		match.Text, match.TextTruncated = fitting(match.Text, c.meter.Left()-fixed), true
		c.meter.Take(fixed + page.StringSize(match.Text))
	}
	c.result.Matches = append(c.result.Matches, match)
	return true
}

// fullBy ends the page; from now on matches are only counted.
func (c *grepCollector) fullBy(reason page.Reason) {
	c.full, c.cut.Reason = true, reason
	c.search.countOnly.Store(true)
}

// fitting cuts a text to what takes at most the given bytes as JSON.
func fitting(text string, room int) string {
	end, used := 0, 0
	for i, r := range text {
		used += page.StringSize(string(r))
		if used > room {
			return text[:i]
		}
		end = i + len(string(r))
	}
	return text[:end]
}

// timeOut ends the search where it is: what was found is whole up to there.
func (c *grepCollector) timeOut() {
	c.uncounted = true
	if !c.full {
		c.cut.Reason = page.Timeout
	}
}

func (c *grepCollector) finish() *GrepResult {
	c.cut.Shown, c.cut.Total = len(c.result.Matches), c.matched
	c.cut.More = c.cut.Offset+c.cut.Shown < c.matched
	if c.uncounted {
		c.cut.Total, c.cut.More = page.UncountedTotal, true
	}
	c.result.ResultPage = c.cut.ResultPage(c.limit)
	return &c.result
}
