package source

// An anchor is a literal that stands in every match of the rules it belongs to.
type anchor struct {
	literal string // with fold: letters in lower case
	then    string // bytes of which one follows the literal, for a pair that reaches beyond it
	pairs   [2]int // offsets of the two pairs of bytes by which the literal is found, one of them even and one odd
	fold    bool   // letters stand for both cases
	// judge says which rule matches around the literal at start, or noRule.
	judge func(s *secretScan, start int) int
}

const hexadecimal = "0123456789abcdefABCDEF"

// anchors covers every rule of secretRules. The pairs were chosen to be rare in source code and prose.
var anchors = []anchor{
	{literal: "-----BEGIN", pairs: [2]int{4, 5}, judge: token(privateKey)},
	{literal: "PuTTY-User-Key-File-", pairs: [2]int{1, 2}, judge: token(puttyKey)},
	{literal: "AGE-SECRET-KEY-1", pairs: [2]int{2, 3}, judge: token(ageSecretKey)},
	{literal: "A3T", pairs: [2]int{0, 1}, judge: token(awsAccessToken)},
	{literal: "AKIA", pairs: [2]int{0, 1}, judge: token(awsAccessToken)},
	{literal: "ASIA", pairs: [2]int{0, 1}, judge: token(awsAccessToken)},
	{literal: "ABIA", pairs: [2]int{0, 1}, judge: token(awsAccessToken)},
	{literal: "ACCA", pairs: [2]int{0, 1}, judge: token(awsAccessToken)},
	{literal: "ghp_", pairs: [2]int{1, 2}, judge: token(githubToken)},
	{literal: "gho_", pairs: [2]int{1, 2}, judge: token(githubToken)},
	{literal: "ghu_", pairs: [2]int{1, 2}, judge: token(githubToken)},
	{literal: "ghs_", pairs: [2]int{1, 2}, judge: token(githubToken)},
	{literal: "ghr_", pairs: [2]int{1, 2}, judge: token(githubToken)},
	{literal: "github_pat_", pairs: [2]int{5, 6}, judge: token(githubToken)},
	{literal: "glpat-", pairs: [2]int{1, 4}, judge: token(gitlabToken)},
	{literal: "gldt-", pairs: [2]int{2, 3}, judge: token(gitlabToken)},
	{literal: "glptt-", pairs: [2]int{1, 4}, judge: token(gitlabToken)},
	{literal: "glrt-", pairs: [2]int{0, 1}, judge: token(gitlabToken)},
	{literal: "xox", pairs: [2]int{0, 1}, judge: token(slackToken)},
	{literal: "hooks.slack.com/", pairs: [2]int{10, 11}, judge: token(slackWebhook)},
	{literal: "AIza", pairs: [2]int{1, 2}, judge: token(gcpAPIKey)},
	{literal: "sk_", pairs: [2]int{0, 1}, judge: token(stripeToken)},
	{literal: "rk_", pairs: [2]int{0, 1}, judge: token(stripeToken)},
	{literal: "sk-", pairs: [2]int{0, 1}, judge: token(openaiKey)},
	{literal: "sk-ant-", pairs: [2]int{0, 1}, judge: token(anthropicKey)},
	{literal: "npm_", pairs: [2]int{1, 2}, judge: token(npmToken)},
	{literal: "pypi-AgEIcHlwaS5vcmc", pairs: [2]int{6, 7}, judge: token(pypiToken)},
	{literal: "SG.", pairs: [2]int{0, 1}, judge: token(sendgridToken)},
	{literal: "SK", then: hexadecimal, pairs: [2]int{0, 1}, judge: token(twilioKey)},
	{literal: "hf_", pairs: [2]int{0, 1}, judge: token(huggingfaceToken)},
	{literal: "dop_v1_", pairs: [2]int{3, 4}, judge: token(digitaloceanPAT)},
	{literal: "hvs.", pairs: [2]int{0, 1}, judge: token(vaultToken)},
	{literal: ".ey", pairs: [2]int{0, 1}, judge: token(jsonWebToken)},
	{literal: "wc_", pairs: [2]int{0, 1}, judge: token(webcodexToken)},
	{literal: "authorization", pairs: [2]int{0, 7}, fold: true, judge: (*secretScan).header},
	{literal: "://", pairs: [2]int{0, 1}, judge: (*secretScan).address},
	{literal: "secret", pairs: [2]int{1, 2}, fold: true, judge: keywordEnding("secret", "", "key")},
	{literal: "passw", pairs: [2]int{2, 3}, fold: true, judge: keywordEnding("passw", "ord", "d")},
	{literal: "apikey", pairs: [2]int{1, 2}, fold: true, judge: keywordEnding("apikey", "")},
	{literal: "api_key", pairs: [2]int{1, 2}, fold: true, judge: keywordEnding("api_key", "")},
	{literal: "auth", then: "_kt", pairs: [2]int{0, 3}, fold: true, judge: keywordEnding("auth", "key", "token")},
	{literal: "access", pairs: [2]int{1, 4}, fold: true, judge: keywordEnding("access", "key", "token")},
	{literal: "private", pairs: [2]int{2, 3}, fold: true, judge: keywordEnding("private", "key")},
}

// standsIn reports whether the literal is at the beginning of text, which is long enough for it.
func (a *anchor) standsIn(text []byte) bool {
	if a.fold {
		return foldedPrefix(text, a.literal)
	}
	return string(text[:len(a.literal)]) == a.literal
}

// foldedPrefix reports whether text begins with word, whose letters are in lower case and stand for both cases.
func foldedPrefix(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if c := text[i]; c != word[i] && (word[i] < 'a' || word[i] > 'z' || c != word[i]-'a'+'A') {
			return false
		}
	}
	return true
}

// newPairs makes the table by which the literals are found.
func newPairs(anchors []anchor) *pairs {
	table := &pairs{candidates: make([][]candidate, 1, 256)} // class 0 has no candidate
	for i := range anchors {
		a := &anchors[i]
		for _, offset := range a.pairs {
			after := a.then
			if offset+1 < len(a.literal) {
				after = a.literal[offset+1 : offset+2]
			}
			for _, first := range spellings(a.literal[offset], a.fold) {
				for k := range len(after) {
					for _, second := range spellings(after[k], a.fold) {
						table.add(uint16(first)|uint16(second)<<8, candidate{a, offset})
					}
				}
			}
		}
	}
	return table
}

// add joins a candidate to those of a pair.
func (p *pairs) add(pair uint16, c candidate) {
	class := p.class[pair]
	if class == 0 {
		class = uint8(len(p.candidates)) // far fewer than 255 pairs are in use; a test counts them
		p.candidates = append(p.candidates, nil)
		p.class[pair] = class
	}
	p.candidates[class] = append(p.candidates[class], c)
}

// spellings gives the bytes that a byte of a literal stands for.
func spellings(c byte, fold bool) []byte {
	if fold && 'a' <= c && c <= 'z' {
		return []byte{c, c - 'a' + 'A'}
	}
	return []byte{c}
}
