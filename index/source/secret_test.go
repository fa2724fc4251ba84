package source

import (
	"bytes"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// specified judges a text by the expressions of P-37 alone, one after the other, and gives the names of all that match.
func specified(path string, text []byte) []string {
	text = bytes.TrimPrefix(text, byteOrderMark)
	var names []string
	for i := range secretRules {
		if i == keywordPlain && !takesPlainValues(path) {
			continue
		}
		matches := secretRules[i].compiled().Match(text)
		if i == keywordQuoted || i == keywordPlain {
			matches = matchKeyword(i, text)
		}
		if matches {
			names = append(names, secretRules[i].name)
		}
	}
	return names
}

// agree fails when the scan and the expressions come to different verdicts.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, path string, text []byte) {
	t.Helper()
	got, want := findSecret(path, text), specified(path, text)
	if got == "" && len(want) == 0 || got != "" && strings.Contains(" "+strings.Join(want, " ")+" ", " "+got+" ") {
		return
	}
	t.Fatalf("%s: scan found %q, the expressions match %q\ntext: %.2000q", path, got, want, text)
}

// A sample is put together when the test runs, so that this file holds no secret itself.
func secretSamples() map[string][]string {
	join := func(parts ...string) string { return strings.Join(parts, "") }
	letters := strings.Repeat("aB3dE5fG7h", 20)
	return map[string][]string{
		"private-key":       {join("-----BEGIN RSA PRIV", "ATE KEY-----"), join("-----BEGIN PGP PRIVA", "TE KEY BLOCK-----"), join("-----BEGIN", strings.Repeat("A", 100), "PRIVATE KEY BLOCK-----")},
		"putty-key":         {join("PuTTY-User-", "Key-File-2: ssh-rsa"), join("x\nPuTTY-User-", "Key-File-3:")},
		"age-secret-key":    {join("AGE-SECRET-", "KEY-1", strings.Repeat("Q0", 29))},
		"aws-access-token":  {join("AKIA", "Z7QK4M2NX2P3R5T2"), join("A3TX", "Z7QK4M2NX2P3R5T2 "), join("(ASIA", "Z7QK4M2NX2P3R5T2)")},
		"github-token":      {join("ghp_", letters[:36]), join("github_pat_", letters[:22])},
		"gitlab-token":      {join("glpat-", letters[:20]), join("gldt-", letters[:20]), join("glptt-", letters[:20]), join("glrt-", letters[:20])},
		"slack-token":       {join("xoxb-", letters[:10])},
		"slack-webhook":     {join("hooks.slack.com/", "services/", letters[:24]), join("hooks.slack.com/", "workflows/", letters[:24])},
		"gcp-api-key":       {join("AIza", letters[:35])},
		"stripe-token":      {join("sk_live_", letters[:10]), join("rk_prod_", letters[:10])},
		"openai-key":        {join("sk-", letters[:32]), join("sk-proj-", letters[:32])},
		"anthropic-key":     {join("sk-ant-", "a-", letters[:20])},
		"npm-token":         {join("npm_", letters[:36])},
		"pypi-token":        {join("pypi-AgEIc", "HlwaS5vcmc", letters[:50])},
		"sendgrid-token":    {join("SG.", letters[:16], ".", letters[:16])},
		"twilio-key":        {join("SK", strings.Repeat("0f", 16))},
		"huggingface-token": {join("hf_", strings.Repeat("aB", 17))},
		"digitalocean-pat":  {join("dop_v1_", strings.Repeat("0f", 32))},
		"vault-token":       {join("hvs.", letters[:24])},
		"jwt":               {join("ey", letters[:17], ".ey", letters[:17], ".", letters[:10]), join("x-ey", letters[:17], ".ey", letters[:17], ".", letters[:10])},
		"webcodex-token":    {join("wc_pat_", letters[:8]), join("wc_agent_", letters[:8])},
		"auth-header":       {join("Authorization: Bea", "rer ", letters[:16]), join(`"authorization" = "bas`, "ic ", letters[:16])},
		"basic-auth-url":    {join("https://user:", "pass@host"), join("a+b://u:", "p:w@-")},
		"keyword-quoted":    {join("pass", `word = "hunter2!x"`), join("client_sec", `ret"]=>'abcdefgh'`), join("API_", "KEY := `abcdefgh`"), join(strings.Repeat("a", 40), "sec", `ret="abcdefgh"`), join(strings.Repeat("a", 40), "client_sec", `ret="abcdefgh"`)},
		"keyword-plain":     {join("pass", "word: hunter2!x"), join("  db.sec", "ret_key =\thunter2!x \r\nnext"), join(strings.Repeat("a", 40), "client_sec", "ret=abcdefgh")},
	}
}

func TestEveryRuleFindsItsSamples(t *testing.T) { // P-37
	samples := secretSamples()
	for _, rule := range secretRules {
		if len(samples[rule.name]) == 0 {
			t.Errorf("no sample for %s", rule.name)
		}
		for _, sample := range samples[rule.name] {
			for _, text := range []string{sample, "\ufeff" + sample, "first line\n" + sample + "\nlast line\n"} {
				if got := findSecret("conf/app.yaml", []byte(text)); got == "" {
					t.Errorf("%s: nothing found in %q", rule.name, text)
				}
				agree(t, "conf/app.yaml", []byte(text))
			}
		}
	}
}

func TestPlaceholdersAreNoSecrets(t *testing.T) { // P-37
	for _, value := range []string{
		"EXAMPLE-value", "changeme123", "my-placeholder", "your_key_here", "Your-Key-Here", "abxxxxcd", "ab****cd",
		"<your-key>", "${VARIABLE}", "{{value}}", "%(value)s", "........", "éééééééé", "aAaAaAaA",
	} {
		for _, text := range []string{"password = \"" + value + "\"", "password: " + value} {
			if got := findSecret("a.ini", []byte(text)); got != "" {
				t.Errorf("%q is refused by %s", text, got)
			}
		}
	}
	overlapping := "password='xxxx_secret='real-value-1'"
	if got := findSecret("a.go", []byte(overlapping)); got != "keyword-quoted" {
		t.Errorf("a value behind a placeholder is not found: %q", got)
	}
}

func TestPlainValuesConcernConfigurationOnly(t *testing.T) { // P-37
	text := []byte("password: hunter2!x\n")
	for path, want := range map[string]string{
		"a.yaml": "keyword-plain", "a.YML": "keyword-plain", "a/b.toml": "keyword-plain", "a.ini": "keyword-plain",
		"a.cfg": "keyword-plain", "a.conf": "keyword-plain", "a.Properties": "keyword-plain",
		"a.json": "", "a.md": "", "a.go": "", "yaml": "", "conf/makefile": "",
	} {
		if got := findSecret(path, text); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestFoldedLettersOutsideASCII(t *testing.T) {
	for _, text := range []string{
		"pa\u017fsword = 'hunter2!x'", "API_\u212aEY = 'hunter2!x'", "authorization: to\u212aen abcdefghijklmnop",
		"\u017fecret: hunter2!x", "x\u017f.password = 'hunter2!x'", "xyz" + strings.Repeat("\u212a", 40) + "secret='hunter2!x'",
	} {
		agree(t, "a.yaml", []byte(text))
		if findSecret("a.yaml", []byte(text)) == "" {
			t.Errorf("%q is not found", text)
		}
	}
}

func TestPairTable(t *testing.T) {
	table := pairTable()
	if n := len(table.candidates); n > 255 {
		t.Fatalf("%d classes do not fit one byte", n)
	}
	for i := range anchors {
		a := &anchors[i]
		if (a.pairs[0]+a.pairs[1])%2 != 1 {
			t.Errorf("anchor %q: of the pairs at %v not one is even and one odd", a.literal, a.pairs)
		}
	}
}

// nearMisses are pieces of which secrets, and what only looks like them, are made.
var nearMisses = func() []string {
	pieces := strings.Fields(`-----BEGIN RSA PRIVATE KEY ----- BLOCK PuTTY-User-Key-File- 2: AGE-SECRET-KEY-1 A3T AKIA ASIA ghp_ gho_ github_pat_
		glpat- gldt- xoxb- xoxz- hooks.slack.com/ services/ AIza sk_ rk_ test_ live_ sk- proj- ant- npm_ pypi-AgEIcHlwaS5vcmc SG. SK hf_ dop_v1_
		hvs. ey .ey . wc_ agent_ pat_ authorization Authorization bearer BASIC token : = := => " ' ] [ :// https a @ user pass / host
		api_key APIKEY auth_key access_key accesstoken secret secret_key private_key client_secret client_ auth_token password PASSWD
		example changeme your_ xxxx **** < ${ {{ %( # - _ é 中 0123456789abcdef ABCDEFGH abcdefgh aaaaaaaa`)
	for _, n := range []int{2, 7, 8, 15, 16, 17, 20, 22, 24, 34, 35, 36, 40, 41, 50, 58, 64} {
		pieces = append(pieces, strings.Repeat("a", n), strings.Repeat("B2", n/2), strings.Repeat("x.", n/2), strings.Repeat("0f", n/2))
	}
	pieces = append(pieces, " ", "\t", "\n", "\r\n", "\f", "\v", "`", "\u017f", "\u212a", "\ufeff", "  ", "\n\n")
	for _, samples := range secretSamples() {
		for _, sample := range samples {
			pieces = append(pieces, sample[:len(sample)-1], sample[1:], sample[:len(sample)/2], sample[len(sample)/2:])
		}
	}
	return pieces
}()

func TestScanAgreesWithExpressions(t *testing.T) { // P-37
	piece := rapid.OneOf(
		rapid.SampledFrom(nearMisses),
		rapid.StringMatching(`[ -~]{0,3}`),
		rapid.StringN(0, 3, -1),
	)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(piece, 0, 24).Draw(t, "parts")
		path := rapid.SampledFrom([]string{"a.go", "a.yaml"}).Draw(t, "path")
		agree(t, path, bytes.ToValidUTF8([]byte(strings.Join(parts, "")), nil))
	})
}

func TestSamplesCutAndChanged(t *testing.T) { // P-37: one byte less, more or other, at every place
	for _, samples := range secretSamples() {
		for _, sample := range samples {
			for i := range len(sample) {
				for _, text := range []string{
					sample[:i] + sample[i+1:], sample[:i] + "-" + sample[i+1:], sample[:i] + "_" + sample[i:],
					sample[:i] + " " + sample[i:], "x" + sample[:i], "." + sample[i:], sample + sample[:i], "é" + sample + "é",
				} {
					if utf8.ValidString(text) {
						agree(t, "a.ini", []byte(text))
					}
				}
			}
		}
	}
}

func FuzzSecrets(f *testing.F) {
	for _, samples := range secretSamples() {
		for _, sample := range samples {
			f.Add([]byte(sample), true)
		}
	}
	f.Add([]byte("password='xxxx_secret='real-value-1'"), false)
	f.Fuzz(func(t *testing.T, text []byte, plain bool) {
		if !utf8.Valid(text) || len(text) > 4096 {
			return
		}
		path := "a.go"
		if plain {
			path = "a.yaml"
		}
		agree(t, path, text)
	})
}

// libraryFiles reads the source of the Go standard library that passes the rules of paths and size.
func libraryFiles(t testing.TB) (paths []string, texts [][]byte) {
	library := os.DirFS(filepath.Join(build.Default.GOROOT, "src"))
	err := fs.WalkDir(library, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || ClassifyPath(path) != "" {
			return err
		}
		text, err := fs.ReadFile(library, path)
		if err == nil && len(text) <= MaxFileBytes && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
			paths, texts = append(paths, path), append(texts, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths, texts
}

// TestStandardLibrary holds the rate of harmless files that are refused, and compares with the expressions on all of
// these and on a sample of the rest; on the whole library the expressions take a minute.
func TestStandardLibrary(t *testing.T) { // P-38
	const stride = 499
	paths, texts := libraryFiles(t)
	refused := map[string]int{}
	count := 0
	for i, text := range texts {
		rule := findSecret(paths[i], text)
		if rule != "" {
			refused[rule]++
			count++
		}
		if rule != "" && len(text) < 32<<10 || i%stride == 0 {
			agree(t, paths[i], text)
		}
	}
	t.Logf("%d of %d files refused: %v", count, len(paths), refused)
	if count*1000 > len(paths)*3 {
		t.Errorf("more than 0.3 %% of the files are refused")
	}
}

func BenchmarkAdmit(b *testing.B) {
	paths, texts := libraryFiles(b)
	var size int64
	for _, text := range texts {
		size += int64(len(text))
	}
	b.SetBytes(size)
	refused := map[string]int{}
	for b.Loop() {
		clear(refused)
		for i, text := range texts {
			if refusal, ok := Admit(paths[i], text).(*Refusal); ok {
				refused[refusal.Rule]++
			}
		}
	}
	b.Logf("%d files, refused %v", len(texts), refused)
}
