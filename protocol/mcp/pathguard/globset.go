package pathguard

import "strings"

// set reads a bracket expression: "[", an optional "!" or "^", members, ranges and named classes, "]".
func (c *globCompiler) set() {
	s := setReader{rest: c.rest[1:]}
	if !s.read() {
		c.bad = true
		return
	}
	c.tokens = append(c.tokens, token{kind: byteSet, set: &s.bits})
	c.rest = s.rest
}

type setReader struct {
	rest    string
	bits    [4]uint64
	before  byte // the member before a "-" of a range; 0 when there is none
	negated bool
}

func (s *setReader) read() bool {
	if s.rest != "" && (s.rest[0] == '!' || s.rest[0] == '^') {
		s.negated, s.rest = true, s.rest[1:]
	}
	for first := true; ; first = false {
		if s.rest == "" {
			return false
		}
		if s.rest[0] == ']' && !first {
			s.rest = s.rest[1:]
			break
		}
		if !s.member() {
			return false
		}
	}
	if s.negated {
		for i := range s.bits {
			s.bits[i] = ^s.bits[i]
		}
	}
	s.bits['/'/64] &^= 1 << ('/' % 64)
	return true
}

func (s *setReader) add(b byte) { s.bits[b/64] |= 1 << (b % 64) }

// take removes the next member, which a backslash may protect.
func (s *setReader) take() (byte, bool) {
	if s.rest[0] == '\\' {
		s.rest = s.rest[1:]
		if s.rest == "" {
			return 0, false
		}
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b, true
}

func (s *setReader) member() bool {
	switch {
	case s.rest[0] == '-' && s.before != 0 && len(s.rest) > 1 && s.rest[1] != ']':
		return s.span()
	case strings.HasPrefix(s.rest, "[:"):
		if known, class := s.class(); class {
			return known
		}
		s.add('[')
		s.before, s.rest = '[', s.rest[1:]
		return s.rest != ""
	}
	b, ok := s.take()
	if ok {
		s.add(b)
		s.before = b
	}
	return ok
}

// span reads "-x" behind a member.
func (s *setReader) span() bool {
	s.rest = s.rest[1:]
	last, ok := s.take()
	if !ok {
		return false
	}
	for b := int(s.before); b <= int(last); b++ {
		s.add(byte(b))
	}
	s.before = 0
	return true
}

// class reads "[:name:]". class is false when what follows is no named class but an ordinary "["; known is false for a
// name that does not exist or an expression that does not end.
func (s *setReader) class() (known, class bool) {
	end := strings.IndexByte(s.rest[2:], ']')
	if end < 0 {
		return false, true
	}
	name := s.rest[2 : 2+end]
	if !strings.HasSuffix(name, ":") {
		return false, false
	}
	fits, known := byteClasses[name[:len(name)-1]]
	if !known {
		return false, true
	}
	for b := range 128 {
		if fits(byte(b)) {
			s.add(byte(b))
		}
	}
	s.before, s.rest = 0, s.rest[2+end+1:]
	return true, true
}

// byteClasses are the named classes of POSIX, in ASCII.
var byteClasses = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isLetter(b) || isDigit(b) },
	"alpha":  isLetter,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 0x7f },
	"lower":  func(b byte) bool { return 'a' <= b && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 0x7f },
	"punct":  func(b byte) bool { return b > ' ' && b < 0x7f && !isLetter(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' },
	"upper":  func(b byte) bool { return 'A' <= b && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' },
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
