package index

// The bounds of a chunk (P-41, P-42).
const (
	MaxChunkLines = 32    // lines
	MaxChunkBytes = 2_048 // bytes of text, unless a single line has more
	MaxLineBytes  = 4_096 // bytes without terminator; a longer line is not indexed
)

// span is a run of neighbouring lines of one document.
type span struct {
	first int    // one-based number of the first line
	lines int    // number of lines
	text  []byte // from the first byte of the first line to the end of the last, terminators between them included
}

// chunker cuts a document into spans. It allocates nothing.
type chunker struct {
	rest    []byte // not yet cut
	line    int    // number of the first line of rest
	omitted int    // oversized lines met so far
}

func (c *chunker) reset(text []byte) { *c = chunker{rest: text, line: 1} }

// next gives the next span, or false at the end of the document. It takes as
// many lines as fit; a line that is too long ends the span and is passed over.
func (c *chunker) next() (span, bool) {
	var s span
	start := c.rest
	size := 0 // of the span's text as P-74 joins it
	end := 0  // offset in start behind the last line taken, its terminator excluded
	pos := 0  // offset in start of the first line not yet looked at
	for pos < len(start) {
		line, rest := cutLine(start[pos:])
		next := len(start) - len(rest)
		if len(line) > MaxLineBytes {
			if s.lines > 0 {
				break
			}
			c.omitted++
			c.line++
			pos = next
			start, pos, end = start[pos:], 0, 0
			continue
		}
		if s.lines > 0 && (s.lines == MaxChunkLines || size+1+len(line) > MaxChunkBytes) {
			break
		}
		if s.lines == 0 {
			s.first = c.line
		} else {
			size++
		}
		size += len(line)
		s.lines++
		end = pos + len(line)
		pos = next
	}
	c.rest = start[pos:]
	c.line += s.lines
	s.text = start[:end]
	return s, s.lines > 0
}
