package source

// The rules auth-header and basic-auth-url, by hand: every part of them ends where a byte stands that it cannot take, so
// there is one way to read a text and nothing to try twice.

const (
	minCredential = 16
	maxUser       = 64
	minPassword   = 3
	maxPassword   = 128
	maxScheme     = 20 // characters after the first one
)

var authSchemes = [...]string{"bearer", "basic", "token"}

// header judges "authorization" at start by the rule auth-header.
func (s *secretScan) header(start int) int {
	rest := skipSpace(skipOne(s.text[start+len("authorization"):], quote))
	if len(rest) == 0 || rest[0] != ':' && rest[0] != '=' {
		return noRule
	}
	rest = skipOne(skipSpace(rest[1:]), quote)
	for _, scheme := range authSchemes {
		if !foldedPrefix(rest, scheme) {
			continue
		}
		rest = rest[len(scheme):]
		if credential := skipSpace(rest); len(credential) < len(rest) && isCredential(credential) {
			return authHeader
		}
		return noRule
	}
	return noRule
}

// isCredential is [0-9A-Za-z._~+/=-]{16,} at the beginning of text.
func isCredential(text []byte) bool {
	if len(text) < minCredential {
		return false
	}
	for _, c := range text[:minCredential] {
		switch {
		case isNameByte(c), c == '~', c == '+', c == '/', c == '=':
		default:
			return false
		}
	}
	return true
}

// address judges "://" at start by the rule basic-auth-url.
func (s *secretScan) address(start int) int {
	if !s.endsScheme(start) {
		return noRule
	}
	rest := s.text[start+len("://"):]
	user := addressPart(rest, ':', maxUser)
	if user <= 0 || user == len(rest) || rest[user] != ':' {
		return noRule
	}
	rest = rest[user+1:]
	password := addressPart(rest, '@', maxPassword)
	if password < 0 || password == len(rest) || rest[password] != '@' || runes(rest[:password]) < minPassword {
		return noRule
	}
	if host := rest[password+1:]; len(host) == 0 || !isAlphanumeric(host[0]) && host[0] != '.' && host[0] != '-' {
		return noRule
	}
	return basicAuthURL
}

// endsScheme is [a-z][a-z0-9+.-]{1,20} before the colon.
func (s *secretScan) endsScheme(colon int) bool {
	for before := 1; before <= maxScheme+1 && before <= colon; before++ {
		c := s.text[colon-before]
		switch {
		case 'a' <= c && c <= 'z':
			if before > 1 {
				return true
			}
		case '0' <= c && c <= '9', c == '+', c == '.', c == '-':
		default:
			return false
		}
	}
	return false
}

// addressPart gives the length of what stands before the first space, slash, quote, at sign or stop; -1 when that is
// more than most characters away.
func addressPart(text []byte, stop byte, most int) int {
	count := 0
	for i, c := range text {
		if byteKinds[c]&(space|quote) != 0 || c == '/' || c == '@' || c == stop {
			return i
		}
		if c&0xc0 != 0x80 { // the first byte of a character
			if count++; count > most {
				return -1
			}
		}
	}
	return len(text)
}

func runes(text []byte) (count int) {
	for _, c := range text {
		if c&0xc0 != 0x80 {
			count++
		}
	}
	return count
}
