package source

// The rules whose expression is asked on a bounded stretch of the text, from the literal on. A repetition without an
// upper bound needs no more than its lower bound, so that the stretch gives the same verdict as the text. What an
// expression demands to its left, \b or the start of a line, is looked at before; the stretch then begins where \b and
// ^ hold at the beginning of a text as they do here, and only a match at its beginning counts, since any other match has
// a literal of its own. A \b at the end is given one more byte to look at.

// A stretch says where the text for a rule's expression begins and ends, given the place of the literal.
type stretch struct {
	reach  int  // bytes from the literal's start
	inText bool // the literal may stand inside a word; else \b must hold before it
	line   bool // the literal begins a line
	// find, for the rules with two repetitions, gives the bounds itself; found is false when there is no match.
	find func(text []byte, start int) (from, to int, found bool)
}

var stretches = [ruleCount]stretch{
	privateKey:       {reach: len("-----BEGIN") + 100 + len("PRIVATE KEY BLOCK-----"), inText: true},
	puttyKey:         {reach: len("PuTTY-User-Key-File-0:"), inText: true, line: true},
	ageSecretKey:     {reach: len("AGE-SECRET-KEY-1") + 58, inText: true},
	awsAccessToken:   {reach: len("AKIA") + 16 + 1},
	githubToken:      {reach: len("ghp_") + 36},
	gitlabToken:      {reach: len("glpat-") + 20},
	slackToken:       {reach: len("xoxb-") + 10},
	slackWebhook:     {reach: len("hooks.slack.com/workflows/") + 24, inText: true},
	gcpAPIKey:        {reach: len("AIza") + 35},
	stripeToken:      {reach: len("sk_test_") + 10},
	openaiKey:        {reach: len("sk-") + 32}, // the optional part is made of the letters that follow it
	anthropicKey:     {find: anthropicStretch},
	npmToken:         {reach: len("npm_") + 36},
	pypiToken:        {reach: len("pypi-AgEIcHlwaS5vcmc") + 50},
	sendgridToken:    {find: sendgridStretch},
	twilioKey:        {reach: len("SK") + 32 + 1},
	huggingfaceToken: {reach: len("hf_") + 34},
	digitaloceanPAT:  {reach: len("dop_v1_") + 64},
	vaultToken:       {reach: len("hvs.") + 24},
	jsonWebToken:     {find: webTokenStretch, inText: true},
	webcodexToken:    {reach: len("wc_agent_") + 8},
}

// token gives the judgement of a rule by its expression.
func token(rule int) func(*secretScan, int) int {
	return func(s *secretScan, start int) int {
		if stretches[rule].match(rule, s.text, start) {
			return rule
		}
		return noRule
	}
}

func (w *stretch) match(rule int, text []byte, start int) bool {
	if !w.inText && start > 0 && isWord(text[start-1]) {
		return false
	}
	if w.line && start > 0 && text[start-1] != '\n' {
		return false
	}
	end := min(start+w.reach, len(text))
	if w.find != nil {
		var found bool
		if start, end, found = w.find(text, start); !found {
			return false
		}
	}
	at := secretRules[rule].compiled().FindIndex(text[start:end])
	return at != nil && at[0] == 0
}

// anthropicStretch: the letters and digits after the literal, a hyphen, and the least that must follow.
func anthropicStretch(text []byte, start int) (int, int, bool) {
	hyphen := start + len("sk-ant-")
	for hyphen < len(text) && isAlphanumeric(text[hyphen]) {
		hyphen++
	}
	end := hyphen + 1 + 20
	return start, end, end <= len(text)
}

// sendgridStretch: the run after the literal, a dot, and the least that must follow.
func sendgridStretch(text []byte, start int) (int, int, bool) {
	end := endOfRun(text, start+len("SG.")) + 1 + 16
	return start, end, end <= len(text)
}

// webTokenStretch: the literal joins the first two parts. The first part is looked for backwards: it begins with "ey",
// where no word goes on, and leaves room for 17 letters.
func webTokenStretch(text []byte, joint int) (int, int, bool) {
	run := joint
	for run > 0 && isTokenByte(text[run-1]) {
		run--
	}
	for from := run; from+2+17 <= joint; from++ {
		if text[from] == 'e' && text[from+1] == 'y' && (from == run || text[from-1] == '-') {
			end := endOfRun(text, joint+1) + 1 + 10
			return from, end, end <= len(text)
		}
	}
	return 0, 0, false
}

// endOfRun gives the end of the letters, digits, underscores and hyphens that begin at start.
func endOfRun(text []byte, start int) int {
	for start < len(text) && isTokenByte(text[start]) {
		start++
	}
	return start
}

func isAlphanumeric(c byte) bool { return byteKinds[c]&alphanumeric != 0 }
func isWord(c byte) bool         { return byteKinds[c]&(alphanumeric|underscore) != 0 }
func isTokenByte(c byte) bool    { return byteKinds[c]&(alphanumeric|underscore|hyphen) != 0 }
func isSpace(c byte) bool        { return byteKinds[c]&space != 0 }

// Kinds of bytes, as the classes of RE2 have them: \w is alphanumeric and underscore, \s is space.
const (
	alphanumeric = 1 << iota
	underscore
	hyphen
	dot
	space
	quote // " and '
)

var byteKinds = [256]uint8{
	'_': underscore, '-': hyphen, '.': dot, '\t': space, '\n': space, '\f': space, '\r': space, ' ': space, '"': quote, '\'': quote,
	'0': alphanumeric, '1': alphanumeric, '2': alphanumeric, '3': alphanumeric, '4': alphanumeric,
	'5': alphanumeric, '6': alphanumeric, '7': alphanumeric, '8': alphanumeric, '9': alphanumeric,
	'A': alphanumeric, 'B': alphanumeric, 'C': alphanumeric, 'D': alphanumeric, 'E': alphanumeric, 'F': alphanumeric,
	'G': alphanumeric, 'H': alphanumeric, 'I': alphanumeric, 'J': alphanumeric, 'K': alphanumeric, 'L': alphanumeric,
	'M': alphanumeric, 'N': alphanumeric, 'O': alphanumeric, 'P': alphanumeric, 'Q': alphanumeric, 'R': alphanumeric,
	'S': alphanumeric, 'T': alphanumeric, 'U': alphanumeric, 'V': alphanumeric, 'W': alphanumeric, 'X': alphanumeric,
	'Y': alphanumeric, 'Z': alphanumeric,
	'a': alphanumeric, 'b': alphanumeric, 'c': alphanumeric, 'd': alphanumeric, 'e': alphanumeric, 'f': alphanumeric,
	'g': alphanumeric, 'h': alphanumeric, 'i': alphanumeric, 'j': alphanumeric, 'k': alphanumeric, 'l': alphanumeric,
	'm': alphanumeric, 'n': alphanumeric, 'o': alphanumeric, 'p': alphanumeric, 'q': alphanumeric, 'r': alphanumeric,
	's': alphanumeric, 't': alphanumeric, 'u': alphanumeric, 'v': alphanumeric, 'w': alphanumeric, 'x': alphanumeric,
	'y': alphanumeric, 'z': alphanumeric,
}
