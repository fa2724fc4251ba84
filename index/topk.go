package index

import "cmp"

// Among equal scores the lower chunk number is better: chunks are numbered by
// path and line, which is the order of ties (P-47).

// ordered is a candidate reduced to what its place depends on.
type ordered struct {
	score float64
	chunk uint32
	at    int32
}

// compareOrdered puts the better first.
func compareOrdered(a, b ordered) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Compare(a.chunk, b.chunk)
}

// best moves the k best of ids to the front, in no particular order, and gives
// them. Ids are distinct.
func best(ids []uint32, scores []float64, k int) []uint32 {
	selectTop(ids, k, func(a, b uint32) bool {
		if scores[a] != scores[b] {
			return scores[a] > scores[b]
		}
		return a < b
	})
	return ids[:min(k, len(ids))]
}

// bestOrdered does the same for candidates.
func bestOrdered(c []ordered, k int) []ordered {
	selectTop(c, k, func(a, b ordered) bool {
		return a.score > b.score || a.score == b.score && a.chunk < b.chunk
	})
	return c[:min(k, len(c))]
}

// selectTop is Hoare's quickselect with the median of three as pivot: the k
// best come to the front in time linear in len(s) on average. Past a number of
// rounds that only contrived input reaches, a heap of the k best bounds it by
// len(s)·log k.
func selectTop[T any](s []T, k int, better func(a, b T) bool) {
	if k <= 0 {
		return
	}
	lo, hi := 0, len(s)
	for rounds := 64; k < hi && hi-lo > 1; rounds-- {
		if rounds == 0 {
			heapTop(s[lo:hi], k-lo, better)
			return
		}
		p := partition(s[lo:hi], better) + lo
		switch {
		case p == k || p == k-1:
			return
		case p < k:
			lo = p + 1
		default:
			hi = p
		}
	}
}

// partition moves what is better than a pivot in front of it and gives its
// place.
func partition[T any](s []T, better func(a, b T) bool) int {
	last := len(s) - 1
	mid := last / 2
	if better(s[mid], s[0]) {
		s[mid], s[0] = s[0], s[mid]
	}
	if better(s[last], s[0]) {
		s[last], s[0] = s[0], s[last]
	}
	if better(s[mid], s[last]) {
		s[mid], s[last] = s[last], s[mid]
	}
	pivot := s[last] // the median of the three
	i := 0
	for j := range last {
		if better(s[j], pivot) {
			s[i], s[j] = s[j], s[i]
			i++
		}
	}
	s[i], s[last] = s[last], s[i]
	return i
}

// heapTop moves the k best to the front by a heap whose root is the worst.
func heapTop[T any](s []T, k int, better func(a, b T) bool) {
	if k <= 0 || k >= len(s) {
		return
	}
	down := func(i int) {
		for {
			c := 2*i + 1
			if c >= k {
				return
			}
			if c+1 < k && better(s[c], s[c+1]) {
				c++
			}
			if !better(s[i], s[c]) {
				return
			}
			s[i], s[c] = s[c], s[i]
			i = c
		}
	}
	for i := k/2 - 1; i >= 0; i-- {
		down(i)
	}
	for i := k; i < len(s); i++ {
		if better(s[i], s[0]) {
			s[i], s[0] = s[0], s[i]
			down(0)
		}
	}
}
