package smoke

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"projectknowledge/protocol/mcp"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// world is a running server with its configuration.
type world struct {
	url      string
	projects string // the directory in which roots are made
	registry *registry.Registry
}

// addressLine hands out the address that a server writes when it listens.
type addressLine struct {
	mu    sync.Mutex
	text  bytes.Buffer
	found chan string
}

func (a *addressLine) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text.Write(p)
	if _, rest, listening := strings.Cut(a.text.String(), "listening on "); listening && a.found != nil {
		if line, _, whole := strings.Cut(rest, "\n"); whole {
			a.found <- line
			a.found = nil
		}
	}
	return len(p), nil
}

// serve starts the real server for the length of a test.
func serve(t *testing.T) world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	places := pathguard.Places{Config: filepath.Join(base, "config"), Staging: filepath.Join(base, "state", "uploads"), Cache: filepath.Join(base, "cache")}
	w := world{projects: filepath.Join(base, "projects"), registry: registry.New(places.Config, places)}
	limits := mcp.DefaultLimits()
	limits.Port = 0
	found := make(chan string, 1)
	server, err := mcp.New(mcp.Options{Registry: w.registry, Limits: limits, Staging: places.Staging, Version: "test", Log: &addressLine{found: found}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.ServeHTTP(ctx) }()
	t.Cleanup(func() {
		stop()
		<-ended
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	select {
	case w.url = <-found:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return w
}

// add makes a project with files.
func (w *world) add(t *testing.T, id string, git bool, files map[string]string) {
	t.Helper()
	root := filepath.Join(w.projects, id)
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if git {
		if out, err := exec.Command("git", "init", "-q", root).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
	}
	if _, err := w.registry.AddProject(t.Context(), registry.Project{ID: id, Name: id, Root: root, Enabled: true, Git: git, WriteDirectory: "docs"}); err != nil {
		t.Fatal(err)
	}
}

// outcomes gives the statuses of a report, and the reasons of what did not pass.
func outcomes(report Report) (statuses []Status, reasons string) {
	for _, check := range report.Checks {
		statuses = append(statuses, check.Status)
		if check.Status != Passed {
			reasons += check.Name + ": " + check.Reason + "\n"
		}
	}
	return statuses, reasons
}

// TestRun tries the real server on projects that have everything, little and nothing to be tried on.
func TestRun(t *testing.T) {
	w := serve(t)
	w.add(t, "full", true, map[string]string{"README.md": "# Walrus\r\nlives here\r\n"})
	w.add(t, "plain", false, map[string]string{"bin": "\x00\x01", "late.txt": "\n\n  otter_9 swims\n", "empty": ""})
	w.add(t, "marked", false, map[string]string{"README.md": "\ufeffhello\n"})
	w.add(t, "wordless", false, map[string]string{"README.md": "项目\n"})
	w.add(t, "empty", false, nil)
	w.add(t, "off", false, nil)
	if _, err := w.registry.DisableProject(t.Context(), "off"); err != nil {
		t.Fatal(err)
	}
	w.add(t, "gone", false, nil)
	if err := os.Remove(filepath.Join(w.projects, "gone")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		project  string
		status   Status
		statuses string // first letters, in the order of the checks
		reasons  string
	}{
		{"full", Passed, "pppppp", ""},
		{"plain", Passed, "ppppps", "git: Git is not enabled for the project\n"},
		{"marked", Passed, "ppppps", "git: Git is not enabled for the project\n"},
		{"wordless", Passed, "ppppss", "grep: there is no word to look for in README.md\ngit: Git is not enabled for the project\n"},
		{"empty", Passed, "pppsss", "reading: there is no text file to read\ngrep: there is no text file to look in\ngit: Git is not enabled for the project\n"},
		{"off", Failed, "ppfsss", "listing: the project is disabled\nreading: the project is not listed\ngrep: the project is not listed\ngit: the project is not listed\n"},
		{"gone", Failed, "ppfsss", "listing: the project's directory is gone\nreading: the project is not listed\ngrep: the project is not listed\ngit: the project is not listed\n"},
	} {
		report := Run(t.Context(), Options{URL: w.url, ProjectID: c.project})
		statuses, reasons := outcomes(report)
		var letters strings.Builder
		for _, s := range statuses {
			letters.WriteByte(s[0])
		}
		if report.Status != c.status || letters.String() != c.statuses || reasons != c.reasons {
			t.Errorf("%s: %s %s\n%s", c.project, report.Status, letters.String(), reasons)
		}
	}
	if left, err := filepath.Glob(filepath.Join(w.projects, "*", "docs")); err != nil || len(left) > 0 {
		t.Errorf("made %v, %v", left, err)
	}
}

// tampering stands between the client and the real server and changes its answers.
func tampering(t *testing.T, target string, change func(path string, body string) string) string {
	t.Helper()
	at, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: at.Scheme, Host: at.Host})
	proxy.ModifyResponse = func(answer *http.Response) error {
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		changed := change(answer.Request.URL.Path, string(body))
		answer.Body = io.NopCloser(strings.NewReader(changed))
		answer.ContentLength = int64(len(changed))
		answer.Header.Del("Content-Length")
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL + at.Path
}

// TestRunNotices changes one thing of the server's answers at a time; the right check must fail.
func TestRunNotices(t *testing.T) {
	w := serve(t)
	w.add(t, "p", true, map[string]string{"README.md": "# Walrus\n"})
	for _, c := range []struct {
		name, old, new string
		check          string
	}{
		{"degraded", `{"status":"ok"}`, `{"status":"degraded"}`, "health"},
		{"another server", `{"status":"ok"}`, `hello`, "health"},
		{"a tool that is not expected", `"name":"glob"`, `"name":"shell"`, "tools"},
		{"a tool that claims to read", `"readOnlyHint":false`, `"readOnlyHint":true`, "tools"},
		{"a tool that destroys", `"destructiveHint":false`, `"destructiveHint":true`, "tools"},
		{"an open schema", `"additionalProperties":false`, `"additionalProperties":true`, "tools"},
		{"another text than its hash", `# Walrus`, `# Walruz`, "reading"},
		{"a text that is not the structure", `"structuredContent":{"project_id":"p","branch"`, `"structuredContent":{"project_id":"q","branch"`, "git"},
		{"a line that is not the one", `"line_number":1`, `"line_number":2`, "grep"},
	} {
		changed := false
		address := tampering(t, w.url, func(_, body string) string {
			after := strings.ReplaceAll(body, c.old, c.new)
			after = strings.ReplaceAll(after, strings.ReplaceAll(c.old, `"`, `\"`), strings.ReplaceAll(c.new, `"`, `\"`))
			if strings.Contains(c.old, "structuredContent") {
				after = strings.ReplaceAll(body, c.old, c.new)
			}
			changed = changed || after != body
			return after
		})
		report := Run(t.Context(), Options{URL: address, ProjectID: "p"})
		at := slices.IndexFunc(report.Checks, func(check Check) bool { return check.Status == Failed })
		if !changed {
			t.Errorf("%s: nothing of the answers was changed", c.name)
		}
		if report.Status != Failed || at < 0 || report.Checks[at].Name != c.check {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

// TestRunWithoutServer holds that nothing is waited for, and that addresses that are none are told.
func TestRunWithoutServer(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:1/mcp": "connection refused",
		"127.0.0.1:8765/mcp":     "is no http address",
		"file:///mcp":            "is no http address",
	} {
		report := Run(t.Context(), Options{URL: address, ProjectID: "p"})
		if report.Status != Failed || !strings.Contains(report.Checks[0].Reason, want) {
			t.Errorf("%s: %+v", address, report)
		}
		for _, check := range report.Checks[1:] {
			if check.Status != Skipped {
				t.Errorf("%s: %+v", address, check)
			}
		}
	}
}

// TestRunFollowsNoRedirect holds that another server is not tried in the place of the one that was named.
func TestRunFollowsNoRedirect(t *testing.T) {
	w := serve(t)
	elsewhere := httptest.NewServer(http.RedirectHandler(w.url, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	if report := Run(t.Context(), Options{URL: elsewhere.URL + "/mcp", ProjectID: "p"}); report.Checks[0].Status != Failed {
		t.Errorf("%+v", report)
	}
}

// TestWaitHealthy holds that waiting ends with the server's first good answer, or with the time.
func TestWaitHealthy(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked < 3 || r.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"status":"degraded"}`)
			return
		}
		_, _ = io.WriteString(w, `{"status":"ok"}`)
	}))
	defer server.Close()
	if err := WaitHealthy(t.Context(), server.URL+"/mcp"); err != nil || asked != 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WaitHealthy(ended, "http://127.0.0.1:1/mcp"); err == nil {
		t.Error("a server that is not there was found well")
	}
	if err := WaitHealthy(t.Context(), "nonsense"); err == nil || !strings.Contains(err.Error(), "is no http address") {
		t.Errorf("an address that is none: %v", err)
	}
}
