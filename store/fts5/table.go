// Package fts5 gives the few operations of an SQLite FTS5 table that admission asks for, on the store of
// this module and nothing else, and a probe that shows that they work on this host.
//
// It answers one question: can a full-text table be created, written and queried here? It is not an SQL
// engine, keeps no connection to SQLite, and indexes no repository; the engine proper is package index.
// There is no other search engine to fall back to: a failed probe is a failed admission (P-3).
package fts5

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"projectknowledge/store"
)

// Table is a full-text table of one column, kept in the index file of one directory. Every Insert publishes
// a new generation. A Table is for one goroutine.
type Table struct{ dir *store.Dir }

// CreateVirtualTable makes an empty table in dir, as CREATE VIRTUAL TABLE … USING fts5 would. A table or
// index that is already there is an error.
func CreateVirtualTable(ctx context.Context, dir *store.Dir) (*Table, error) {
	if s, err := dir.Open(); err == nil {
		s.Close()
		return nil, errors.New("fts5: the table exists")
	}
	t := &Table{dir: dir}
	return t, t.write(ctx, nil)
}

// Insert adds a row with the given text and gives its row id, one above the highest one, from 1 on.
func (t *Table) Insert(ctx context.Context, text string) (rowid uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	rows, err := t.rows()
	if err != nil {
		return 0, err
	}
	rows = append(rows, tokens(text))
	return uint64(len(rows)), t.write(ctx, rows)
}

// Match gives the ids of the rows that hold the token, ascending, as WHERE table MATCH token would.
func (t *Table) Match(ctx context.Context, token string) (rowids []uint64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	query := tokens(token)
	if len(query) != 1 {
		return nil, errors.New("fts5: a query of one token is needed")
	}
	err = t.view(func(r *store.Reader) {
		term, ok := r.Term([]byte(query[0]))
		if !ok {
			return
		}
		var block [64]store.Posting
		it := r.Postings(term)
		for n := it.Next(block[:]); n > 0; n = it.Next(block[:]) {
			for _, p := range block[:n] {
				rowids = append(rowids, r.Source(r.Chunk(p.Chunk).Source).Base)
			}
		}
	})
	return rowids, err
}

// view opens the published generation for one reading.
func (t *Table) view(fn func(r *store.Reader)) error {
	s, err := t.dir.Open()
	if err != nil {
		return err
	}
	defer s.Close()
	return s.View(func(r *store.Reader) error {
		fn(r)
		return nil
	})
}

// rows reads the tokens of every row back, in dictionary order and as often as they occur.
func (t *Table) rows() (rows [][]string, err error) {
	err = t.view(func(r *store.Reader) {
		rows = make([][]string, r.Chunks())
		var block [64]store.Posting
		for c := r.Seek(nil); c.Next(); {
			it := r.Postings(c.Term())
			for n := it.Next(block[:]); n > 0; n = it.Next(block[:]) {
				for _, p := range block[:n] {
					rows[p.Chunk] = append(rows[p.Chunk], slices.Repeat([]string{string(c.Name())}, int(p.Text))...)
				}
			}
		}
	})
	return rows, err
}

// write publishes a generation in which row i+1 is one source with one chunk.
func (t *Table) write(ctx context.Context, rows [][]string) error {
	w, err := t.dir.Create()
	if err != nil {
		return err
	}
	defer w.Discard()
	for i := range rows {
		s := store.Source{Path: fmt.Sprintf("row/%020d", i+1), Lines: 1, Base: uint64(i + 1), First: uint32(i), Chunks: 1}
		if err := w.AddSource(s); err != nil {
			return err
		}
	}
	postings := map[string][]store.Posting{}
	for i, row := range rows {
		if err := w.AddChunk(store.Chunk{Source: uint32(i), Line: 1, Lines: 1, Terms: uint16(len(row))}); err != nil {
			return err
		}
		for _, token := range row {
			list := postings[token]
			if n := len(list); n > 0 && list[n-1].Chunk == uint32(i) {
				list[n-1].Text++
			} else {
				list = append(list, store.Posting{Chunk: uint32(i), Text: 1})
			}
			postings[token] = list
		}
	}
	var run store.TermRun
	for _, token := range slices.Sorted(maps.Keys(postings)) {
		run.Add([]byte(token), postings[token], nil)
	}
	if err := w.AddTerms(&run); err != nil {
		return err
	}
	return w.Publish(ctx, meta(len(rows)))
}

// meta describes a complete generation of n rows.
func meta(n int) store.Meta {
	return store.Meta{NextBase: uint64(n + 1), Coverage: store.Coverage{
		EligibleFiles: n, IndexedFiles: n, UpdatedFiles: n, Chunks: n, StopReason: "complete", Mode: "rebuild",
	}}
}

// tokens cuts text as FTS5's default tokenizer does for plain words: runs of letters and digits, folded.
func tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
