package index

import "projectknowledge/store"

// A postingRun is what one inverter holds, sorted by term: the result of a
// counting sort over its forward lists. Its chunk numbers are those of the
// index that is being written.
type postingRun struct {
	terms    *termTable
	order    []uint32        // term numbers in ascending order of the terms
	start    []uint32        // start[i]..start[i+1] are the postings of order[i]
	postings []store.Posting // ascending by chunk within a term
}

// sortRun sorts the postings of docs, which are in the order of the index and
// whose sources know their first chunk. It takes time linear in the postings
// plus the sorting of the distinct terms.
func sortRun(terms *termTable, docs []*invertedDoc) *postingRun {
	run := &postingRun{terms: terms, order: terms.sorted()}
	next := make([]uint32, terms.len()) // per term: its postings, then where the next one goes
	for _, d := range docs {
		for i := range d.chunks {
			countTerms(d.chunks[i].forward, next)
		}
	}
	run.start = places(run.order, next)
	run.postings = make([]store.Posting, run.start[len(run.order)])
	for _, d := range docs {
		for i := range d.chunks {
			placeTerms(d.chunks[i].forward, d.source.First+uint32(i), next, run.postings)
		}
	}
	return run
}

// places turns the counts of a counting sort into the place where the first of
// each term goes, and gives the places in the order of the terms with the total
// behind them.
func places(order, counts []uint32) []uint32 {
	start := make([]uint32, len(order)+1)
	total := uint32(0)
	for i, id := range order {
		start[i] = total
		total, counts[id] = total+counts[id], total
	}
	start[len(order)] = total
	return start
}

func countTerms(forward []uint32, counts []uint32) {
	for i := 0; i < len(forward); i++ {
		counts[forward[i]&forwardTermMask]++
		if forward[i]>>forwardTermBits == forwardEscape {
			i++
		}
	}
}

func placeTerms(forward []uint32, chunk uint32, next []uint32, postings []store.Posting) {
	for i := 0; i < len(forward); i++ {
		id, code := forward[i]&forwardTermMask, forward[i]>>forwardTermBits
		p := store.Posting{Chunk: chunk, Text: uint16(code + 1)}
		if code == forwardEscape {
			i++
			p.Text, p.Names = uint16(forward[i]&cellMask), uint16(forward[i]/cellNames)
		}
		postings[next[id]] = p
		next[id]++
	}
}
