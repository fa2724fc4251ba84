package provider

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"strings"

	"projectknowledge/index/source"
	"projectknowledge/store"
)

// PathReport tells what a path is to the index (the command line's explain).
type PathReport struct {
	Path string `json:"path"`
	// Tracked tells whether Git's index has an entry of that path.
	Tracked bool `json:"tracked"`
	// Source tells whether it would be indexed now; otherwise Reason is the rule that refuses it (P-62b), or empty when
	// it is not tracked at all, and Rule the pattern of P-37 that matched.
	Source bool   `json:"source"`
	Reason string `json:"reason,omitempty"`
	Rule   string `json:"rule,omitempty"`
	// Indexed tells whether the published index has a row of the path, and Stale whether that row is not the current
	// bytes of a source any more, so that search leaves it out.
	Indexed bool `json:"indexed"`
	Stale   bool `json:"stale"`
	// Size is in bytes; SourceHash is what read asks for. Both are there for a source only.
	Size       int    `json:"size,omitempty"`
	SourceHash string `json:"source_hash,omitempty"`
}

// ExplainPath tells whether a path is a source here and which rule refuses it otherwise. It never fails for the sake of
// the path: one that breaks every rule has a report like any other.
func (p *Provider) ExplainPath(ctx context.Context, path string) (*PathReport, error) {
	return serve(p, "explain", func() (*PathReport, error) { return p.explainPath(ctx, path) })
}

func (p *Provider) explainPath(ctx context.Context, path string) (*PathReport, error) {
	ctx, cancel := within(ctx, p.opt.SearchBudget)
	defer cancel()
	if err := p.root.Check(ctx); err != nil {
		return nil, err
	}
	seen, err := p.root.Observe(ctx)
	if err != nil {
		return nil, err
	}
	report := &PathReport{Path: path, Tracked: true}
	var hash [sha256.Size]byte
	if seen.Eligible(path) {
		hash, err = p.explainContent(report)
	} else {
		err = p.explainEntry(ctx, report)
	}
	if err != nil {
		return nil, err
	}
	row, err := p.indexedRow(path)
	if err != nil {
		return nil, err
	}
	report.Indexed = row != nil
	report.Stale = row != nil && (!report.Source || row.Hash != hash)
	return report, nil
}

// explainContent judges the current bytes of an eligible path (P-36).
func (p *Provider) explainContent(report *PathReport) (hash [sha256.Size]byte, err error) {
	text, err := p.root.Read(report.Path, nil)
	if err == nil {
		err = source.Admit(report.Path, text)
	}
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		report.Reason, report.Rule = string(refusal.Reason), refusal.Rule
		return hash, nil
	}
	if err != nil {
		return hash, err
	}
	hash = sha256.Sum256(text)
	report.Source, report.Size, report.SourceHash = true, len(text), hexHash(hash)
	return hash, nil
}

// explainEntry finds out why Git's entry of a path is no source, or that there is none.
func (p *Provider) explainEntry(ctx context.Context, report *PathReport) error {
	report.Reason = string(source.ClassifyPath(report.Path))
	if report.Path == "" || strings.ContainsRune(report.Path, 0) {
		report.Tracked = false // no entry can have such a name, and Git cannot be asked for it
		return nil
	}
	git := source.ProviderGit(os.Environ())
	listing, err := git.Run(ctx, p.root.Path(), "--literal-pathspecs", "ls-files", "--stage", "-z", "--", report.Path)
	if err != nil {
		// Git refuses a path that leads out of the working tree.
		report.Tracked = false
		return ctx.Err()
	}
	kind, tracked := entryKind(string(listing), report.Path)
	report.Tracked = tracked
	if kind != "" {
		report.Reason = string(kind)
	}
	return nil
}

// entryKind reads what ls-files --stage -z prints about one path: <mode> <object> <stage>TAB<path>NUL.
func entryKind(listing, path string) (kind source.Reason, tracked bool) {
	for entry := range strings.SplitSeq(listing, "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if !ok || name != path {
			continue
		}
		tracked = true
		switch {
		case !strings.HasSuffix(about, " 0"):
			return source.Conflicted, true
		case strings.HasPrefix(about, "120000"):
			kind = source.Symlink
		case strings.HasPrefix(about, "160000"):
			kind = source.Submodule
		}
	}
	return kind, tracked
}

// indexedRow gives the row of a path in the published index; nil when there is no row or no index.
func (p *Provider) indexedRow(path string) (*store.Source, error) {
	cache, err := p.cache.open(false)
	if isCode(err, NotIndexed) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer cache.release()
	snapshot, err := cache.dir.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	var row *store.Source
	err = snapshot.View(func(r *store.Reader) error {
		if i, ok := r.FindSource(path); ok {
			found := r.Source(i)
			row = &found
		}
		return nil
	})
	return row, err
}
