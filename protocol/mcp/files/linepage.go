package files

import (
	"bytes"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// byteOrderMark is dropped from the beginning of a text (M-37).
var byteOrderMark = []byte("\xef\xbb\xbf")

// A lineCutter takes a text piece by piece, of any lengths, and keeps a page of its lines, their ends included. It also
// counts the lines and proves the text valid. Lines end with "\n"; a last one may lack it. Memory: the page and one line.
type lineCutter struct {
	offset, limit int // lines to skip, lines to keep
	maxBytes      int // raw bytes of a page, and of a line of it
	meter         page.Meter

	content []byte // the page: whole lines, and from open on the line that has begun
	open    int    // where the line that has begun begins in content
	shown   int    // whole lines in content
	full    page.Reason
	tooLong bool // the first line of the page does not fit a page alone

	lines   int    // lines that have ended
	begun   bool   // bytes have come since the last line end
	started bool   // the place of a byte order mark is behind us
	split   []byte // the beginning of a character, or of a byte order mark, whose rest has not come yet
	hold    [utf8.UTFMax]byte
}

// write takes the next piece. not_text and line_too_long end the reading.
func (c *lineCutter) write(piece []byte) error {
	if len(c.split) > 0 {
		piece = append(append(make([]byte, 0, len(c.split)+len(piece)), c.split...), piece...)
		c.split = nil
	}
	if !c.started {
		if len(piece) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, piece) {
			c.keepBack(piece)
			return nil
		}
		c.started = true
		piece = bytes.TrimPrefix(piece, byteOrderMark)
	}
	if tail := incomplete(piece); tail > 0 {
		c.keepBack(piece[len(piece)-tail:])
		piece = piece[:len(piece)-tail]
	}
	if !isText(piece) {
		return pathguard.Fault(pathguard.NotText)
	}
	c.cut(piece)
	return c.overlong()
}

// overlong is line_too_long when the page has to begin with a line that is longer than a page may be.
func (c *lineCutter) overlong() error {
	if !c.tooLong {
		return nil
	}
	return pathguard.Fault(pathguard.LineTooLong).With("line_number", c.offset+1).With("max_bytes", c.maxBytes)
}

func (c *lineCutter) keepBack(tail []byte) { c.split = c.hold[:copy(c.hold[:], tail)] }

// finish takes the end of the text.
func (c *lineCutter) finish() error {
	if !c.started && len(c.split) > 0 {
		c.started = true
		rest := c.split
		c.split = nil
		if !isText(rest) {
			return pathguard.Fault(pathguard.NotText)
		}
		c.cut(rest)
	}
	if len(c.split) > 0 {
		return pathguard.Fault(pathguard.NotText)
	}
	if c.begun {
		c.endLine()
	}
	return c.overlong()
}

// cut goes through valid text line by line as long as the page is open, then only counts.
func (c *lineCutter) cut(text []byte) {
	for len(text) > 0 {
		if c.lines < c.offset {
			text = c.skip(text)
			continue
		}
		if c.closed() {
			c.count(text)
			return
		}
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			c.keep(text)
			c.begun = true
			return
		}
		c.keep(text[:end])
		c.endLine()
		text = text[end:]
	}
}

// skip passes over what is in front of the page and gives the rest.
func (c *lineCutter) skip(text []byte) []byte {
	end := bytes.IndexByte(text, '\n') + 1
	if end == 0 {
		c.begun = true
		return nil
	}
	c.lines++
	c.begun = false
	return text[end:]
}

func (c *lineCutter) count(text []byte) {
	c.lines += bytes.Count(text, []byte{'\n'})
	c.begun = text[len(text)-1] != '\n'
}

// keep adds bytes to the line that has begun, unless the page is closed or has no room for them. A page ends at a whole
// line: what had come of a line without room is taken back.
func (c *lineCutter) keep(part []byte) {
	if c.closed() {
		return
	}
	if len(c.content)+len(part) <= c.maxBytes && c.meter.Take(page.BytesSize(part)) {
		c.content = append(c.content, part...)
		return
	}
	c.content = c.content[:c.open]
	c.full = page.ByteLimit
	c.tooLong = c.shown == 0
}

// endLine ends the line that has begun.
func (c *lineCutter) endLine() {
	c.begun = false
	inPage := c.lines >= c.offset && !c.closed()
	c.lines++
	if !inPage {
		return
	}
	c.shown++
	c.open = len(c.content)
	if c.shown == c.limit {
		c.full = page.PageLimit
	}
}

func (c *lineCutter) closed() bool { return c.full != "" }

// pageEnd describes the page after the end of the text; counted says that the text was read to its end.
func (c *lineCutter) pageEnd(counted bool) page.Cut {
	cut := page.Cut{Offset: c.offset, Shown: c.shown, Total: c.lines, More: c.offset+c.shown < c.lines, Reason: c.full}
	if !counted {
		cut.Total, cut.More, cut.Reason = page.UncountedTotal, true, page.Timeout
	}
	return cut
}

// isText reports whether b is UTF-8 without NUL (M-37).
func isText(b []byte) bool { return bytes.IndexByte(b, 0) < 0 && utf8.Valid(b) }

// incomplete gives how many bytes at the end of piece are the beginning of a character that is longer.
func incomplete(piece []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(piece); back++ {
		c := piece[len(piece)-back]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(piece[len(piece)-back:]) {
				return back
			}
			return 0
		}
	}
	return 0
}
