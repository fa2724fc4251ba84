package index

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"projectknowledge/store"
)

// ErrGlob reports a Query.PathGlob that is no pattern.
var ErrGlob = errors.New("index: the path pattern is malformed")

// A filter tells which sources may be hits. It is asked while candidates are
// gathered, so that a filtered query still finds what is there.
type filter struct {
	glob      string
	languages []string
	allowed   []bool // per source
}

// newFilter gives nil for a query without a filter.
func newFilter(q Query, r *store.Reader) (*filter, error) {
	if q.PathGlob == "" && len(q.Languages) == 0 {
		return nil, nil
	}
	if q.PathGlob != "" && !doublestar.ValidatePattern(q.PathGlob) {
		return nil, fmt.Errorf("%w: %q", ErrGlob, q.PathGlob)
	}
	f := &filter{glob: q.PathGlob, languages: q.Languages, allowed: make([]bool, r.Sources())}
	for i := range f.allowed {
		f.allowed[i] = f.admits(string(r.SourcePath(uint32(i))))
	}
	return f, nil
}

func (f *filter) admits(p string) bool {
	if len(f.languages) > 0 && !slices.ContainsFunc(f.languages, func(name string) bool { return inLanguage(p, name) }) {
		return false
	}
	return f.glob == "" || doublestar.MatchUnvalidated(f.glob, p)
}

// inLanguage reports whether a path is of the format that Query.Languages
// calls name: its extension, or its whole last component, in lower case.
func inLanguage(p, name string) bool {
	base := strings.ToLower(path.Base(p))
	dot := strings.LastIndexByte(base, '.')
	return base == name || dot > 0 && base[dot+1:] == name
}

// filter withdraws what the filter does not admit from the scores.
func (s *search) filter() error {
	f, err := newFilter(s.q, s.r)
	if err != nil || f == nil {
		return err
	}
	a := s.acc
	a.touched = slices.DeleteFunc(a.touched, func(c uint32) bool {
		if f.allowed[s.r.Chunk(c).Source] {
			return false
		}
		a.scores[c] = 0
		return true
	})
	a.sources = slices.DeleteFunc(a.sources, func(src uint32) bool {
		if f.allowed[src] {
			return false
		}
		a.paths[src], a.met[src] = 0, pathMet{}
		return true
	})
	s.admits = f
	return nil
}
