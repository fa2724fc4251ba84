package source

import (
	"regexp"
	"sync"
)

// A rule is one pattern of P-37. Its expression is the specification, in the syntax of RE2; how it is looked for is
// found in secretscan.go, and a test holds that both always come to the same verdict.
type rule struct {
	name       string
	expression string
	compiled   func() *regexp.Regexp // on first use: to compile all of them costs a process a millisecond
}

// Indexes of the rules in secretRules.
const (
	privateKey = iota
	puttyKey
	ageSecretKey
	awsAccessToken
	githubToken
	gitlabToken
	slackToken
	slackWebhook
	gcpAPIKey
	stripeToken
	openaiKey
	anthropicKey
	npmToken
	pypiToken
	sendgridToken
	twilioKey
	huggingfaceToken
	digitaloceanPAT
	vaultToken
	jsonWebToken
	webcodexToken
	authHeader
	basicAuthURL
	keywordQuoted
	keywordPlain // only for paths of plainExtensions

	ruleCount
)

const keywords = `(api_?key|auth_?key|access_?key|secret_?key|private_?key|client_?secret|auth_?token|access_?token|password|passwd|secret)`

// secretRules holds the patterns of P-37. A match of one of the two keyword rules counts only when its value, the group
// named value, is no placeholder.
var secretRules = [ruleCount]rule{
	privateKey:   {name: "private-key", expression: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY( BLOCK)?-----`},
	puttyKey:     {name: "putty-key", expression: `(?m)^PuTTY-User-Key-File-[0-9]:`},
	ageSecretKey: {name: "age-secret-key", expression: `AGE-SECRET-KEY-1[0-9A-Z]{58}`},
	// Wider than P-37's [A-Z2-7]{16}: keys with other digits are met in the wild, and one that is let through costs
	// more than a file that is left out.
	awsAccessToken:   {name: "aws-access-token", expression: `\b(A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`},
	githubToken:      {name: "github-token", expression: `\b(gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{22,})`},
	gitlabToken:      {name: "gitlab-token", expression: `\bgl(pat|dt|ptt|rt)-[0-9A-Za-z_-]{20,}`},
	slackToken:       {name: "slack-token", expression: `\bxox[abeoprs]-[0-9A-Za-z-]{10,}`},
	slackWebhook:     {name: "slack-webhook", expression: `hooks\.slack\.com/(services|workflows|triggers)/[0-9A-Za-z+/]{24,}`},
	gcpAPIKey:        {name: "gcp-api-key", expression: `\bAIza[0-9A-Za-z_-]{35}`},
	stripeToken:      {name: "stripe-token", expression: `\b(sk|rk)_(test|live|prod)_[0-9A-Za-z]{10,}`},
	openaiKey:        {name: "openai-key", expression: `\bsk-(proj-|svcacct-|admin-)?[0-9A-Za-z_-]{32,}`},
	anthropicKey:     {name: "anthropic-key", expression: `\bsk-ant-[0-9A-Za-z]+-[0-9A-Za-z_-]{20,}`},
	npmToken:         {name: "npm-token", expression: `\bnpm_[0-9A-Za-z]{36}`},
	pypiToken:        {name: "pypi-token", expression: `\bpypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{50,}`},
	sendgridToken:    {name: "sendgrid-token", expression: `\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`},
	twilioKey:        {name: "twilio-key", expression: `\bSK[0-9a-fA-F]{32}\b`},
	huggingfaceToken: {name: "huggingface-token", expression: `\bhf_[A-Za-z]{34}`},
	digitaloceanPAT:  {name: "digitalocean-pat", expression: `\bdop_v1_[a-f0-9]{64}`},
	vaultToken:       {name: "vault-token", expression: `\bhvs\.[0-9A-Za-z_-]{24,}`},
	jsonWebToken:     {name: "jwt", expression: `\bey[0-9A-Za-z_-]{17,}\.ey[0-9A-Za-z_-]{17,}\.[0-9A-Za-z_-]{10,}`},
	webcodexToken:    {name: "webcodex-token", expression: `\bwc_(pat|agent|acct|oat|ort|csec|pair|boot)_[0-9A-Za-z]{8,}`},
	authHeader:       {name: "auth-header", expression: `(?i)authorization["']?\s*[:=]\s*["']?(bearer|basic|token)\s+[0-9A-Za-z._~+/=-]{16,}`},
	basicAuthURL:     {name: "basic-auth-url", expression: `[a-z][a-z0-9+.-]{1,20}://[^\s/:@"']{1,64}:[^\s/@"']{3,128}@[0-9A-Za-z.-]+`},
	keywordQuoted:    {name: "keyword-quoted", expression: `(?i)\b[\w.-]{0,40}` + keywords + `["']?\]?\s*(:=|=>|=|:)\s*["'\x60](?P<value>[^\s"'\x60]{8,})["'\x60]`},
	keywordPlain:     {name: "keyword-plain", expression: `(?im)^[ \t]*[\w.-]{0,40}` + keywords + `[ \t]*[:=][ \t]*(?P<value>[^\s"'#]{8,})[ \t\r]*$`},
}

func init() {
	for i := range secretRules {
		rule := &secretRules[i]
		rule.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(rule.expression) })
	}
}
