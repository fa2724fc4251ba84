package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"projectknowledge/index"
	"projectknowledge/index/provider"
)

// searchCommand is one search as the person asked for it.
type searchCommand struct {
	projectFlags
	limit            int
	refresh, explain bool
	profile, path    string
	languages        []string
}

func newSearch(c *console) *cobra.Command {
	var s searchCommand
	cmd := &cobra.Command{
		Use:   "search [flags] QUERY...",
		Short: "Find the passages that match a query best",
		Long: `search ranks the passages of the index by the words, names and parts of names in the query, reads their files again and
prints only what stands in them now. There is no query syntax: several arguments are one query.

Files that changed since the index was made are left out and counted; --refresh brings the index up to date first.`,
		Example: `  project-knowledge search --refresh "posting list"
  project-knowledge search --limit 20 parseHTTPRequest`,
		Args: usageArgs(s.arguments),
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(s.languages, "help") {
				return c.listFormats()
			}
			if s.limit < 1 || s.limit > provider.MaxLimitCLI {
				return &usageError{fmt.Errorf("--limit %d is not from 1 to %d", s.limit, provider.MaxLimitCLI)}
			}
			return s.with(cmd.Context(), func(p *provider.Provider) error { return s.run(cmd, c, p, strings.Join(args, " ")) })
		},
	}
	s.add(cmd)
	cmd.Flags().IntVar(&s.limit, "limit", provider.DefaultLimit, fmt.Sprintf("print at most `N` hits, 1 to %d", provider.MaxLimitCLI))
	cmd.Flags().BoolVar(&s.refresh, "refresh", false, "bring the index up to date first, or build it")
	cmd.Flags().BoolVar(&s.explain, "explain", false, "tell of every hit how its score came about")
	cmd.Flags().StringVar(&s.path, "path", "", "give hits only in paths that fit `GLOB`: *, ?, [..], {a,b}, and ** across folders")
	cmd.Flags().StringSliceVar(&s.languages, "lang", nil, "give hits only in this format, by `NAME`; may be repeated; help lists the names")
	cmd.Flags().StringVar(&s.profile, "profile", "ranked", "scoring `PROFILE`: ranked, or fts5 (the bm25 of SQLite FTS5)")
	return cmd
}

// arguments wants a query, unless the formats are asked for.
func (s *searchCommand) arguments(cmd *cobra.Command, args []string) error {
	if slices.Contains(s.languages, "help") {
		return nil
	}
	return cobra.MinimumNArgs(1)(cmd, args)
}

// listFormats prints the names that --lang takes.
func (c *console) listFormats() error {
	for _, name := range provider.Formats() {
		fmt.Fprintln(c.out, name)
	}
	return nil
}

// checkFilters finds out before anything is read that a filter is no filter.
func (s *searchCommand) checkFilters() error {
	for _, name := range s.languages {
		if !slices.Contains(provider.Formats(), name) {
			return &usageError{fmt.Errorf("--lang %q is no format; --lang help lists them", name)}
		}
	}
	if s.path != "" && !doublestar.ValidatePattern(s.path) {
		return &usageError{fmt.Errorf("--path %q is no pattern", s.path)}
	}
	return nil
}

// profiles are the names of the scoring profiles (P-43).
var profiles = map[string]index.Profile{"ranked": index.Ranked, "fts5": index.FTS5}

func (s *searchCommand) run(cmd *cobra.Command, c *console, p *provider.Provider, query string) error {
	profile, ok := profiles[s.profile]
	if !ok {
		return &usageError{fmt.Errorf("--profile %q is not ranked or fts5", s.profile)}
	}
	if err := s.checkFilters(); err != nil {
		return err
	}
	if s.refresh {
		bar := newProgress(c)
		result, err := updateFully(cmd.Context(), p, provider.Refresh, bar.report)
		bar.end()
		if err != nil {
			return about("refresh of the index", err)
		}
		c.notePartial(result)
	}
	result, err := p.Search(cmd.Context(), provider.SearchRequest{
		Query: query, Limit: s.limit, Profile: profile, Explain: s.explain, PathGlob: s.path, Languages: s.languages,
	})
	if err != nil {
		return about("query "+query, err)
	}
	if s.json {
		return c.printJSON(result)
	}
	c.printHits(result, newHighlighter(query))
	return nil
}

// printHits writes hits to stdout, and to stderr what a reader of the hits must know.
func (c *console) printHits(result *provider.SearchResult, h *highlighter) {
	for i, hit := range result.Hits {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		fmt.Fprintln(c.out, c.paint(stylePath, plainLine(fmt.Sprintf("%s:%d-%d", hit.Path, hit.StartLine, hit.EndLine))))
		c.printExcerpt(hit.Text, hit.StartLine, h)
		if hit.Explanation != nil {
			c.printExplanation(hit)
		}
	}
	if len(result.Hits) == 0 {
		fmt.Fprintln(c.err, "no hits: the index has no verified passage with these words")
	}
	if result.Stale > 0 {
		fmt.Fprintf(c.err, "note: passages left out because their files changed since they were indexed: %d; --refresh brings the index up to date\n", result.Stale)
	}
	if result.Truncated {
		fmt.Fprintln(c.err, "note: there are more hits than shown; --limit shows more")
	}
}

// notePartial tells when a refresh could not cover everything.
func (c *console) notePartial(result *provider.IndexResult) {
	if coverage := result.Coverage; coverage.RemainingFiles > 0 {
		fmt.Fprintf(c.err, "note: the index is %s\n", coverageState(coverage))
	}
}

func (c *console) printExplanation(hit provider.Hit) {
	e := hit.Explanation
	faint := func(format string, args ...any) {
		fmt.Fprintln(c.out, c.paint(styleFaint, fmt.Sprintf("    "+format, args...)))
	}
	row := "-"
	if hit.Row != nil {
		row = fmt.Sprint(*hit.Row)
	}
	faint("score %.6f, row %s", e.Score, row)
	for _, signal := range e.Signals {
		faint("%-24s %+.6f", signal.Signal, signal.Score)
	}
	for _, term := range e.Terms {
		faint("term %-19s %+.6f  idf %.4f, in %d chunks, %d in the text, %d in names", plainLine(term.Term), term.Score,
			term.IDF, term.Chunks, term.Text, term.Names)
	}
}
