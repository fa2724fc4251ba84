package gitview

import (
	"context"
	"slices"
	"strings"

	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// Bounds of the arguments (M-58).
var (
	StatusRange  = files.Range{Min: 1, Max: 1000, Default: 200}
	ContextRange = files.Range{Min: 0, Max: 20, Default: 3}
)

// StatusArgs are the arguments of git_status.
type StatusArgs struct {
	Offset int
	Limit  int
}

// StatusResult is the result of git_status (M-58).
type StatusResult struct {
	ProjectID    string        `json:"project_id"`
	Branch       *string       `json:"branch"` // nil when detached
	Head         *string       `json:"head"`   // nil before the first commit
	Detached     bool          `json:"detached"`
	Ahead        *int          `json:"ahead"` // nil without an upstream
	Behind       *int          `json:"behind"`
	Clean        bool          `json:"clean"` // nothing is changed, what is left out included
	Counts       StatusCounts  `json:"counts"`
	Entries      []StatusEntry `json:"entries"`
	OmittedCount int           `json:"omitted_count"` // changed files with denied or ignored paths
	page.OffsetPage
}

// StatusCounts counts the entries of all pages. A file may be both staged and unstaged.
type StatusCounts struct {
	Staged     int `json:"staged"`
	Unstaged   int `json:"unstaged"`
	Untracked  int `json:"untracked"`
	Conflicted int `json:"conflicted"`
}

// StatusEntry is one changed file, with Git's letters: '.' unchanged, '?' untracked.
type StatusEntry struct {
	Path           string `json:"path"`
	IndexStatus    string `json:"index_status"`
	WorktreeStatus string `json:"worktree_status"`
}

// Summary is the Git part of project_info (M-47).
type Summary struct {
	Branch         *string `json:"branch"`
	Head           *string `json:"head"`
	Detached       bool    `json:"detached"`
	ChangedCount   int     `json:"changed_count"` // tracked files
	UntrackedCount int     `json:"untracked_count"`
}

var (
	statusFixed = page.Bound(StatusResult{
		Head: new(strings.Repeat("0", 64)), Branch: new(""), Ahead: new(1 << 31), Behind: new(1 << 31), OmittedCount: 1 << 31,
		Counts:     StatusCounts{1 << 31, 1 << 31, 1 << 31, 1 << 31},
		OffsetPage: page.Cut{Offset: 1 << 31, Shown: 1 << 31, Total: 1 << 31, More: true, Reason: page.PageLimit}.OffsetPage(1 << 31),
	})
	statusEntryFixed = page.Bound(StatusEntry{IndexStatus: ".", WorktreeStatus: "."})
)

// Status gives a page of the changed files, bytewise by path, with the counts of all (M-58). resultBytes bounds the result
// as compact JSON.
func (g *Git) Status(ctx context.Context, repository Repository, args StatusArgs, resultBytes int) (*StatusResult, error) {
	if err := files.OffsetRange.Check("offset", args.Offset); err != nil {
		return nil, err
	}
	if err := StatusRange.Check("limit", args.Limit); err != nil {
		return nil, err
	}
	top, changes, omitted, err := g.changes(ctx, repository)
	if err != nil {
		return nil, err
	}
	result := &StatusResult{
		ProjectID: repository.ProjectID, Branch: top.branchName(), Head: top.commitName(), Detached: top.detached,
		Clean: len(changes) == 0 && omitted == 0, Counts: count(changes), Entries: []StatusEntry{}, OmittedCount: omitted,
	}
	if top.tracked {
		result.Ahead, result.Behind = new(top.ahead), new(top.behind)
	}
	meter := page.NewMeter(resultBytes, statusFixed+page.StringSize(top.branch)+page.StringSize(repository.ProjectID))
	result.fill(changes, args, meter)
	return result, nil
}

// Summarize gives the Git part of project_info.
func (g *Git) Summarize(ctx context.Context, repository Repository) (*Summary, error) {
	top, changes, _, err := g.changes(ctx, repository)
	if err != nil {
		return nil, err
	}
	untracked := count(changes).Untracked
	return &Summary{
		Branch: top.branchName(), Head: top.commitName(), Detached: top.detached,
		ChangedCount: len(changes) - untracked, UntrackedCount: untracked,
	}, nil
}

// changes asks Git for the status and leaves out what is denied or ignored.
func (g *Git) changes(ctx context.Context, repository Repository) (top head, visible []change, omitted int, err error) {
	ctx, stop := context.WithTimeout(ctx, g.timeout)
	defer stop()
	command, err := g.ready(ctx, repository)
	if err != nil {
		return top, nil, 0, err
	}
	output, err := command.run(ctx, maxOutput, "status", "--porcelain=v2", "--branch", "-z",
		"--untracked-files=all", "--ignore-submodules=all", "--no-renames")
	if err != nil {
		return top, nil, 0, err
	}
	top, all, err := parseStatus(output)
	if err == errChanges {
		return top, nil, 0, pathguard.Fault(pathguard.GitOutputTooLarge).Because(err)
	}
	if err != nil {
		return top, nil, 0, pathguard.Fault(pathguard.GitFailed).Because(err)
	}
	for _, one := range all {
		if shown(repository.Tree, one.path) {
			visible = append(visible, one)
		}
	}
	slices.SortFunc(visible, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return top, visible, len(all) - len(visible), nil
}

// shown reports whether a path that Git names may be: a caller must be able to ask for it, and neither M-38 nor M-39 hides it.
func shown(tree *pathguard.Tree, path string) bool {
	clean, err := pathguard.ValidatePath(path, pathguard.ForEither)
	return err == nil && tree.Visible(clean, strings.HasSuffix(path, "/")) == nil
}

func count(changes []change) (counts StatusCounts) {
	for _, one := range changes {
		switch {
		case one.added:
			counts.Untracked++
		case one.conflicted:
			counts.Conflicted++
		default:
			if one.index != '.' {
				counts.Staged++
			}
			if one.worktree != '.' {
				counts.Unstaged++
			}
		}
	}
	return counts
}

func (r *StatusResult) fill(changes []change, args StatusArgs, meter page.Meter) {
	cut := page.Cut{Offset: args.Offset, Total: len(changes), Reason: page.PageLimit}
	for _, one := range changes[min(args.Offset, len(changes)):] {
		if len(r.Entries) == args.Limit {
			break
		}
		if !meter.Take(statusEntryFixed + page.StringSize(one.path)) {
			cut.Reason = page.ByteLimit
			break
		}
		r.Entries = append(r.Entries, StatusEntry{Path: one.path, IndexStatus: string(rune(one.index)), WorktreeStatus: string(rune(one.worktree))})
	}
	cut.Shown = len(r.Entries)
	cut.More = args.Offset+cut.Shown < len(changes)
	r.OffsetPage = cut.OffsetPage(args.Limit)
}

func (h *head) branchName() *string {
	if h.detached || h.branch == "" {
		return nil
	}
	return new(strings.ToValidUTF8(h.branch, "\uFFFD"))
}

func (h *head) commitName() *string {
	if h.commit == "" {
		return nil
	}
	return &h.commit
}
