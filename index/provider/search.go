package provider

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"projectknowledge/index"
	"projectknowledge/index/source"
)

// Search ranks chunks of the published index and gives those whose source still is what was indexed (P-69 to P-76). It
// never builds an index.
func (p *Provider) Search(ctx context.Context, req SearchRequest) (*SearchResult, error) {
	return serve(p, "search", func() (*SearchResult, error) { return p.search(ctx, req) })
}

func (p *Provider) search(ctx context.Context, req SearchRequest) (*SearchResult, error) {
	arrival := p.now()
	if err := p.checkSearchArguments(&req); err != nil {
		return nil, err
	}
	ctx, cancel := within(ctx, p.opt.SearchBudget)
	defer cancel()
	if err := p.root.Check(ctx); err != nil {
		return nil, err
	}
	cache, err := p.cache.open(false)
	if err != nil {
		return nil, err
	}
	defer cache.release()
	run := searchRun{p: p, req: req, cache: cache, result: &SearchResult{Hits: []Hit{}}}
	if p.opt.SearchBudget > 0 {
		run.deadline = arrival.Add(p.opt.SearchBudget)
	}
	defer run.sources.release(&p.buffers)
	if err := run.collect(ctx); err != nil {
		return nil, err
	}
	return run.result, nil
}

// checkSearchArguments fills in the defaults and refuses what is out of range (P-9, P-70).
func (p *Provider) checkSearchArguments(req *SearchRequest) error {
	if req.Query == "" || utf8.RuneCountInString(req.Query) > p.opt.MaxQuery {
		return newError(InvalidArguments, "query must have 1 to "+decimal(p.opt.MaxQuery)+" characters.", nil)
	}
	if req.Explain && p.opt.ResultBytes > 0 {
		return newError(InvalidArguments, "Explanations are not part of a result with a byte bound.", nil)
	}
	if req.Limit == 0 {
		req.Limit = min(DefaultLimit, p.opt.MaxLimit)
	}
	if req.Limit < 1 || req.Limit > p.opt.MaxLimit {
		return newError(InvalidArguments, "limit must be an integer from 1 to "+decimal(p.opt.MaxLimit)+".", nil)
	}
	return checkFilters(req)
}

// checkFilters refuses a pattern that is none and a format that no source can have.
func checkFilters(req *SearchRequest) error {
	for _, name := range req.Languages {
		if _, known := slices.BinarySearch(formats(), name); !known {
			return newError(InvalidArguments, "A language is not one of the formats that are indexed.", nil)
		}
	}
	return nil
}

// Formats gives the names of the formats that are indexed, in order; the caller does not change them.
func Formats() []string { return formats() }

var formats = sync.OnceValue(source.Formats)

// The pool of candidates starts somewhat larger than the limit, so that a few stale sources need no second ranking, and
// grows by a factor as long as verification leaves the list short.
const (
	poolSlack  = 16
	poolGrowth = 8
)

// searchRun is one search under way.
type searchRun struct {
	p        *Provider
	req      SearchRequest
	cache    *openCache
	seen     *source.Observation
	judged   bool      // the index was made under the content rules of this program (P-36)
	deadline time.Time // zero: none
	sources  verifiedSources
	pool     int // candidates asked for in this round
	examined int
	known    map[candidate]bool // candidates examined in earlier rounds; nil in the first
	size     int                // JSON bytes of the hits so far, with their commas
	leftOut  int                // hits of which not one line fitted into the byte bound
	result   *SearchResult
}

// candidate names a chunk of the index across rounds.
type candidate struct {
	path string
	line int
}

// errEnough ends a round: the result is as long as it may get.
var errEnough = errors.New("enough hits")

// collect ranks and verifies, with a larger pool each round, until the limit is reached or no candidate is left.
func (s *searchRun) collect(ctx context.Context) error {
	for s.pool = s.req.Limit + poolSlack; ; s.pool = min(s.pool*poolGrowth, MaxCandidates) {
		found, err := s.cache.index.Search(ctx, index.Query{
			Text: s.req.Query, Limit: s.pool, Profile: s.req.Profile, Explain: s.req.Explain,
			PathGlob: s.req.PathGlob, Languages: s.req.Languages,
		})
		if err != nil {
			return s.late(missing(err, NotIndexed))
		}
		if err := s.observe(ctx, &found); err != nil {
			return s.late(err)
		}
		err = s.round(ctx, &found)
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return s.late(err)
		}
		if s.pool >= MaxCandidates || !s.beyond(&found) {
			s.truncate(s.beyond(&found))
			return nil
		}
		s.remember(found.Hits)
	}
}

// late turns the end of the time for work into a shorter result, once there is one to shorten (P-72).
func (s *searchRun) late(err error) error {
	if s.examined > 0 && errors.Is(err, context.DeadlineExceeded) {
		s.truncate(true)
		return nil
	}
	return err
}

// observe takes the state of the working tree once, after the first ranking.
func (s *searchRun) observe(ctx context.Context, found *index.Results) error {
	if s.seen != nil {
		return nil
	}
	s.result.IndexRevision = found.Revision
	s.result.Terms = found.Terms
	s.judged = found.Rules == source.RulesVersion
	seen, err := s.p.root.Observe(ctx)
	if err != nil {
		return err
	}
	s.seen = seen
	s.result.ObservedRevision = revisionOf(seen)
	return nil
}

// remember keeps the candidates of a round from being examined again in the next.
func (s *searchRun) remember(hits []index.Hit) {
	if s.known == nil {
		s.known = make(map[candidate]bool, len(hits))
	}
	for i := range hits {
		s.known[candidate{hits[i].Path, hits[i].StartLine}] = true
	}
}

// round examines the candidates of one ranking in their order.
func (s *searchRun) round(ctx context.Context, found *index.Results) error {
	for i := range found.Hits {
		hit := &found.Hits[i]
		if s.known[candidate{hit.Path, hit.StartLine}] {
			continue
		}
		if len(s.result.Hits)+s.leftOut == s.req.Limit {
			s.truncate(s.more(found, i))
			return errEnough
		}
		if s.examined == MaxCandidates {
			s.truncate(true)
			return errEnough
		}
		if err := s.inTime(ctx); err != nil {
			return err
		}
		s.examined++
		if s.req.Allow != nil && !s.req.Allow(hit.Path) {
			continue
		}
		if err := s.examine(hit, found); err != nil {
			return err
		}
	}
	return nil
}

// inTime reports the end of the call's time as context.DeadlineExceeded.
func (s *searchRun) inTime(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.deadline.IsZero() && !s.p.now().Before(s.deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// more reports whether the list would go on after its limit: whether a candidate from at on may still be a hit. Files
// are not read for it.
func (s *searchRun) more(found *index.Results, at int) bool {
	for i := at; i < len(found.Hits); i++ {
		path := found.Hits[i].Path
		if s.seen.Eligible(path) && (s.req.Allow == nil || s.req.Allow(path)) {
			return true
		}
	}
	return s.beyond(found)
}

// beyond reports whether chunks match that the pool had no room for.
func (s *searchRun) beyond(found *index.Results) bool {
	return len(found.Hits) == s.pool && found.Matched > s.pool
}

func (s *searchRun) truncate(cut bool) { s.result.Truncated = s.result.Truncated || cut }

// examine verifies one candidate and adds it to the result.
func (s *searchRun) examine(found *index.Hit, all *index.Results) error {
	text, fresh, err := s.verify(found)
	if err != nil {
		return err
	}
	if !fresh {
		s.result.Stale++
		return nil
	}
	excerpt, ok := index.Excerpt(text, found.StartLine, found.EndLine)
	if !ok {
		return errCoordinates
	}
	hit := Hit{
		Path: found.Path, StartLine: found.StartLine, EndLine: found.EndLine, Text: excerpt,
		SourceHash: hexHash(found.Hash), IndexRevision: all.Revision, ObservedRevision: s.result.ObservedRevision,
	}
	if s.req.Explain {
		hit.Score, hit.Row, hit.Explanation = &found.Score, &found.Row, found.Explanation
	}
	s.add(hit)
	return nil
}
