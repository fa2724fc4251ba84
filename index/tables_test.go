package index

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"projectknowledge/store"
)

func TestTermTableAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := newTermTable(0)
		want := map[string]uint32{}
		for range rapid.IntRange(0, 300).Draw(t, "terms") {
			term := rapid.StringMatching(`[ab]{1,12}`).Draw(t, "term")
			id := table.number([]byte(term))
			if old, ok := want[term]; ok && old != id {
				t.Fatalf("%q has the numbers %d and %d", term, old, id)
			}
			want[term] = id
		}
		if table.len() != len(want) {
			t.Fatalf("%d terms, want %d", table.len(), len(want))
		}
		order := table.sorted()
		for i := 1; i < len(order); i++ {
			if bytes.Compare(table.term(order[i-1]), table.term(order[i])) >= 0 {
				t.Fatalf("terms out of order at %d", i)
			}
		}
	})
}

func TestTermTableGrows(t *testing.T) {
	table := newTermTable(0)
	var b [4]byte
	for i := range 5 * firstTable {
		b = [4]byte{byte(i), byte(i >> 8), byte(i >> 16), 'x'}
		if id := table.number(b[:]); id != uint32(i) {
			t.Fatalf("term %d got the number %d", i, id)
		}
	}
	b = [4]byte{7, 0, 0, 'x'}
	if id := table.number(b[:]); id != 7 {
		t.Fatalf("after growing, term 7 has the number %d", id)
	}
}

func TestWordTableAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := newWordTable(0)
		table.short, table.long = make([]shortWord, 8), make([]longWord, 8)
		want := map[string][]uint32{}
		for range rapid.IntRange(0, 200).Draw(t, "words") {
			word := []byte(rapid.StringMatching(`[a-c]{1,3}|[a-c]{7,9}|[a-c]{15,18}`).Draw(t, "word"))
			word = append(word, "tail that belongs to the text behind"[:rapid.IntRange(0, 20).Draw(t, "spare")]...)[:len(word)]
			ref, at := table.find(word)
			old, seen := want[string(word)]
			if seen != (ref.size != 0) {
				t.Fatalf("%q: found %v, want %v", word, ref.size != 0, seen)
			}
			if !seen {
				first := len(table.terms)
				old = rapid.SliceOfN(rapid.Uint32(), 0, 4).Draw(t, "terms")
				table.terms = append(table.terms, old...)
				ref = table.add(at, word, first)
				want[string(word)] = old
			}
			got := []uint32{ref.first}
			if ref.count != 1 {
				got = table.terms[ref.first : ref.first+uint32(ref.count)]
			}
			if !slices.Equal(got, old) {
				t.Fatalf("%q: terms %v, want %v", word, got, old)
			}
		}
	})
}

func TestJoinPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b, want []store.Posting
		for c := range uint32(40) {
			p := store.Posting{Chunk: c, Text: 1}
			switch rapid.IntRange(0, 2).Draw(t, "where") {
			case 0:
				a = append(a, p)
			case 1:
				b = append(b, p)
			default:
				continue
			}
			want = append(want, p)
		}
		if len(b) == 0 {
			return // lists that are joined are never empty
		}
		if got := joinPostings(slices.Clone(a), b); !slices.Equal(got, want) {
			t.Fatalf("%v and %v joined: %v", a, b, got)
		}
	})
}

func TestForwardCodes(t *testing.T) {
	inv := newInverter(0)
	counts := []uint32{1, 2, 62, 63, 64, 65, 4_000, cellNames + 1, 3*cellNames + 70, cellNames}
	for i, c := range counts {
		inv.terms.number([]byte{byte('a' + i)})
		inv.cells = append(inv.cells, c)
		inv.touched = append(inv.touched, uint32(i))
	}
	forward := inv.take()
	next := make([]uint32, len(counts))
	countTerms(forward, next)
	for i, n := range next {
		if n != 1 {
			t.Fatalf("term %d counted %d times", i, n)
		}
		next[i] = uint32(i)
	}
	got := make([]store.Posting, len(counts))
	placeTerms(forward, 7, next, got)
	for i, c := range counts {
		want := store.Posting{Chunk: 7, Text: uint16(c & cellMask), Names: uint16(c / cellNames)}
		if got[i] != want {
			t.Errorf("count %#x came back as %+v", c, got[i])
		}
	}
}
