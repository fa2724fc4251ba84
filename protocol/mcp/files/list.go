package files

import (
	"context"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// ListArgs are the arguments of list_dir (M-49).
type ListArgs struct {
	Path   string
	Offset int
	Limit  int
}

// ListResult is the result of list_dir.
type ListResult struct {
	Path    string      `json:"path"`
	Entries []ListEntry `json:"entries"`
	page.OffsetPage
}

// ListEntry is one entry of a directory. Type, size and time of a link are those of its target.
type ListEntry struct {
	Name       string         `json:"name"`
	Path       string         `json:"path"`
	Type       pathguard.Type `json:"type"`
	Size       *int64         `json:"size"` // of a file
	ModifiedAt string         `json:"modified_at"`
	Symlink    bool           `json:"symlink"`
}

const timeFormat = "2006-01-02T15:04:05.000Z"

var (
	listFixed      = page.BoundOnce(ListResult{OffsetPage: longestCut.OffsetPage(1 << 40)}, 0)
	listEntryFixed = page.BoundOnce(ListEntry{Type: pathguard.Directory, Size: new(int64(1 << 60)), ModifiedAt: timeFormat}, len("292277026596-"))
)

// ListDir lists a directory by pages (M-49), bytewise by name. Every name is judged, so that the total is exact, but only
// the page's entries are looked at.
func ListDir(ctx context.Context, scope Scope, args ListArgs, limits Limits) (*ListResult, error) {
	if err := OffsetRange.Check("offset", args.Offset); err != nil {
		return nil, err
	}
	if err := ListRange.Check("limit", args.Limit); err != nil {
		return nil, err
	}
	dir, err := scope.Tree.Resolve(args.Path, pathguard.ForDirectory)
	if err != nil {
		return nil, err
	}
	found, total, err := scope.Tree.ReadDir(ctx, dir.Path, args.Offset, args.Limit)
	if err != nil {
		return nil, ended(ctx, err)
	}
	total -= min(args.Limit, max(total-args.Offset, 0)) - len(found) // gone since their names were read
	result := &ListResult{Path: dir.Path, Entries: make([]ListEntry, 0, len(found))}
	cut := page.Cut{Offset: args.Offset, Total: total, Reason: page.PageLimit}
	meter := page.NewMeter(limits.ResultBytes, listFixed()+page.StringSize(dir.Path))
	for _, entry := range found {
		name := entry.Name()
		if !meter.Take(listEntryFixed() + page.StringSize(entry.Path) + page.StringSize(name)) {
			cut.Reason = page.ByteLimit
			break
		}
		result.Entries = append(result.Entries, ListEntry{
			Name: name, Path: entry.Path, Type: entry.Type, Size: fileSize(entry),
			ModifiedAt: entry.Modified.UTC().Format(timeFormat), Symlink: entry.Symlink,
		})
	}
	cut.Shown = len(result.Entries)
	cut.More = args.Offset+cut.Shown < total
	result.OffsetPage = cut.OffsetPage(args.Limit)
	return result, nil
}
