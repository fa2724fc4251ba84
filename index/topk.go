package index

// A chunkHeap is a min-heap of the best chunks seen, worst first. Among equal
// scores the lower chunk number is better: chunks are numbered by path and
// line, which is the order of ties (P-47).
type chunkHeap struct {
	chunks []uint32
	scores []float64 // of all chunks
}

func (h *chunkHeap) worse(a, b uint32) bool {
	if h.scores[a] != h.scores[b] {
		return h.scores[a] < h.scores[b]
	}
	return a > b
}

func (h *chunkHeap) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(h.chunks) {
			return
		}
		if c+1 < len(h.chunks) && h.worse(h.chunks[c+1], h.chunks[c]) {
			c++
		}
		if !h.worse(h.chunks[c], h.chunks[i]) {
			return
		}
		h.chunks[i], h.chunks[c] = h.chunks[c], h.chunks[i]
		i = c
	}
}

// best moves the k best of chunks to its front, in no particular order, and
// gives them. It takes time linear in len(chunks) when few of them displace
// another, and len(chunks)·log k at worst.
func best(chunks []uint32, scores []float64, k int) []uint32 {
	if len(chunks) <= k {
		return chunks
	}
	h := chunkHeap{chunks: chunks[:k], scores: scores}
	for i := k/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	for i := k; i < len(chunks); i++ {
		if h.worse(h.chunks[0], chunks[i]) {
			h.chunks[0], chunks[i] = chunks[i], h.chunks[0]
			h.down(0)
		}
	}
	return h.chunks
}
