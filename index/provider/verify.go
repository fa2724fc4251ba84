package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store"
)

// errCoordinates is a chunk of the index that does not lie inside the very bytes that it was cut from (P-85).
var errCoordinates = fmt.Errorf("%w: a chunk lies outside its source", store.ErrDamaged)

// verifiedSources holds the sources that a search has looked at: each is read and hashed once a call.
type verifiedSources struct {
	byPath map[string]verifiedSource
	held   []*buffer
}

// verifiedSource is what a path was found to be: its current bytes and their hash, or nothing that may be used.
type verifiedSource struct {
	usable bool
	hash   [sha256.Size]byte
	text   []byte
}

// release gives the memory of the texts back; no text may be used afterwards.
func (v *verifiedSources) release(pool *bufferPool) {
	for _, b := range v.held {
		pool.give(b)
	}
	v.held, v.byPath = nil, nil
}

// verify gives the current bytes of the candidate's source if they still are what was indexed: the path is a current
// eligible entry, the file passes the content rules, and the hash of its complete bytes equals the stored one (P-69).
func (s *searchRun) verify(found *index.Hit) (text []byte, fresh bool, err error) {
	if !s.seen.Eligible(found.Path) {
		return nil, false, nil
	}
	have, ok := s.sources.byPath[found.Path]
	if !ok {
		if have, err = s.load(found); err != nil {
			return nil, false, err
		}
		if s.sources.byPath == nil {
			s.sources.byPath = make(map[string]verifiedSource, s.req.Limit)
		}
		s.sources.byPath[found.Path] = have
	}
	return have.text, have.usable && have.hash == found.Hash, nil
}

// load reads and hashes a source. The memory of one that is not what was indexed is given back at once, so that a search
// over many stale sources holds few of them.
func (s *searchRun) load(found *index.Hit) (verifiedSource, error) {
	b := s.p.buffers.take()
	text, err := s.p.root.Read(found.Path, b.bytes)
	if err != nil {
		s.p.buffers.give(b)
		if isRefusal(err) {
			err = nil
		}
		return verifiedSource{}, err
	}
	b.keep(text)
	have := verifiedSource{usable: true, hash: sha256.Sum256(text), text: text}
	if have.hash != found.Hash || !s.judged && source.Admit(found.Path, text) != nil {
		s.p.buffers.give(b)
		return verifiedSource{}, nil
	}
	s.sources.held = append(s.sources.held, b)
	return have, nil
}

// isRefusal reports whether a content rule refused the source (P-36).
func isRefusal(err error) bool {
	var refusal *source.Refusal
	return errors.As(err, &refusal)
}

// revisionOf gives the commit of an observation; nil before the first commit (P-74).
func revisionOf(seen *source.Observation) *string {
	if seen.Revision == "" {
		return nil
	}
	revision := seen.Revision
	return &revision
}

// hexHash writes a hash as every face shows it (P-74).
func hexHash(hash [sha256.Size]byte) string { return hex.EncodeToString(hash[:]) }
