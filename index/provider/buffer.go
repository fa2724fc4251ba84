package provider

import "sync"

// maxIdleBuffer bounds the memory that one idle buffer may keep: a source with the byte that tells an oversized one.
const maxIdleBuffer = 512 << 10

// buffer is memory for the bytes of one source.
type buffer struct{ bytes []byte }

// keep remembers the memory that a read has grown the buffer to.
func (b *buffer) keep(text []byte) { b.bytes = text[:0] }

// bufferPool lends buffers between calls; the zero value is ready.
type bufferPool struct{ pool sync.Pool }

func (p *bufferPool) take() *buffer {
	if b, ok := p.pool.Get().(*buffer); ok {
		return b
	}
	return new(buffer)
}

func (p *bufferPool) give(b *buffer) {
	if cap(b.bytes) <= maxIdleBuffer {
		p.pool.Put(b)
	}
}
