package plugin

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// world is the temporary layout of a case: the project and what lies around it.
type world struct {
	t                           *testing.T
	dir, root, out, cache, home string
	indexed                     map[string]string // path to SHA-256 at the last index call
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir}
	for name, at := range map[string]*string{"proj": &w.root, "outside": &w.out, "cache": &w.cache, "home": &w.home} {
		*at = filepath.Join(dir, name)
	}
	for _, path := range []string{w.root, w.out, w.cache, w.home, w.sibling(), w.temporary()} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) sibling() string   { return filepath.Join(w.dir, "proj-secret") }
func (w *world) temporary() string { return filepath.Join(w.dir, "tmp") }

// userMark stands in the environment for the user, so that a leak of it can be told from an ordinary word.
const userMark = "leaked-user-name"

func (w *world) env(extra map[string]string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "XDG_CACHE_HOME=" + w.cache, "TMPDIR=" + w.temporary(),
		"USER=" + userMark, "LOGNAME=" + userMark, "LANG=C.UTF-8",
	}
	for name, value := range extra {
		env = append(env, name+"="+value)
	}
	return env
}

// secrets are what no line may name (P-100).
func (w *world) secrets() []string {
	secrets := []string{w.dir, userMark, "webcodex-project-knowledge"}
	if host, err := os.Hostname(); err == nil && len(host) > 5 {
		secrets = append(secrets, host)
	}
	if account, err := user.Current(); err == nil && len(account.HomeDir) > 5 {
		secrets = append(secrets, account.HomeDir)
	}
	return secrets
}

func (w *world) start(dir string, extra map[string]string) *process {
	w.t.Helper()
	return startProcess(w.t, dir, w.env(extra), w.secrets())
}

// git runs Git for the test itself, with a configuration of its own.
func (w *world) git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none", "-c", "init.templateDir="}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.invalid", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	output, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, output)
	}
	return strings.TrimSpace(string(output)), nil
}

func (w *world) mustGit(dir string, args ...string) string {
	w.t.Helper()
	output, err := w.git(dir, args...)
	if err != nil {
		w.t.Fatal(err)
	}
	return output
}

func (w *world) write(dir, path string, content []byte) {
	w.t.Helper()
	full := filepath.Join(dir, path)
	w.must(os.MkdirAll(filepath.Dir(full), 0o755))
	w.must(os.WriteFile(full, content, 0o644))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// repository makes dir a repository with everything in it committed.
func (w *world) repository(dir string) {
	w.t.Helper()
	w.mustGit(dir, "init", "-q", "-b", "main")
	w.mustGit(dir, "add", "-A")
	w.mustGit(dir, "commit", "-q", "-m", "first")
}

// hashOf is the SHA-256 of a file in hexadecimal digits, or 64 zeros.
func hashOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return strings.Repeat("0", 64)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return strings.Repeat("0", 64)
	}
	return fmt.Sprintf("%x", sha256.Sum256(content))
}

// remember notes the hashes of all files at an index call.
func (w *world) remember() {
	w.indexed = map[string]string{}
	_ = filepath.WalkDir(w.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if relative, err := filepath.Rel(w.root, path); err == nil && entry.Type().IsRegular() {
			w.indexed[filepath.ToSlash(relative)] = hashOf(path)
		}
		return nil
	})
}

// content is file content as a case gives it.
type content struct {
	Text  *string             `json:"text"`
	B64   *string             `json:"b64"`
	Parts [][]json.RawMessage `json:"parts"`
}

func (c content) bytes(t *testing.T) []byte {
	t.Helper()
	switch {
	case c.Text != nil:
		return []byte(*c.Text)
	case c.B64 != nil:
		raw, err := base64.StdEncoding.DecodeString(*c.B64)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	return []byte(joinParts(t, c.Parts))
}

// joinParts joins a list of [text, times].
func joinParts(t *testing.T, parts [][]json.RawMessage) string {
	t.Helper()
	var out bytes.Buffer
	for _, part := range parts {
		var text string
		var times int
		if err := json.Unmarshal(part[0], &text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(part[1], &times); err != nil {
			t.Fatal(err)
		}
		out.WriteString(strings.Repeat(text, times))
	}
	return out.String()
}
