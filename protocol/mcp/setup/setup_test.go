package setup

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// TestShippedFiles holds the list of M-69.
func TestShippedFiles(t *testing.T) {
	var names []string
	err := fs.WalkDir(templates, "templates", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, strings.TrimPrefix(path, "templates/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"config/default.mcpignore", "config/grants.example.yaml", "config/projects.example.yaml",
		"deploy/project-knowledge-docs.conf.example", "deploy/project-knowledge-mcp.service", "deploy/project-knowledge-tunnel.service",
		"tunnel-profiles/project-files.example.yaml",
	}
	if !slices.Equal(names, want) {
		t.Errorf("embedded are %v, want %v", names, want)
	}
}

// here gives an installation below a temporary home.
func here(t *testing.T) Installation {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Installation{
		Program: below(home, ".local/bin/project-knowledge"), Home: home, ConfigHome: below(home, ".config"),
		Config: below(home, ".config/project-knowledge"), State: below(home, ".local/state/project-knowledge"),
		Cache: below(home, ".cache/webcodex-project-knowledge"), Port: DefaultPort,
	}
}

// TestWriteKeepsWhatExists holds that a file is made once, private, and never touched again.
func TestWriteKeepsWhatExists(t *testing.T) {
	i := here(t)
	files, err := Config(i)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := Write(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, outcome := range outcomes {
		if outcome.Done != Made {
			t.Errorf("%s: %s", outcome.Path, outcome.Done)
		}
		if info, err := os.Lstat(outcome.Path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: mode %v, %v", outcome.Path, info.Mode(), err)
		}
	}
	if info, err := os.Stat(i.Config); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, %v", info.Mode(), err)
	}
	if outcomes, err = Write(files); err != nil || slices.ContainsFunc(outcomes, func(o Outcome) bool { return o.Done != Same }) {
		t.Errorf("the second time: %v, %v", outcomes, err)
	}
	mine := []byte("mine\n")
	if err := os.WriteFile(files[0].Path, mine, 0o644); err != nil {
		t.Fatal(err)
	}
	outcomes, err = Write(files)
	if pathguard.CodeOf(err) != pathguard.AlreadyExists || outcomes[0].Done != Kept || len(outcomes) != len(files) {
		t.Errorf("over a file of the user: %v, %v", outcomes, err)
	}
	if text, err := os.ReadFile(files[0].Path); err != nil || string(text) != string(mine) {
		t.Errorf("the file of the user is %q, %v", text, err)
	}
}

// TestWriteKeepsLinks holds that a dangling link counts as a file that exists, and that nothing is made behind it.
func TestWriteKeepsLinks(t *testing.T) {
	i := here(t)
	target, link := below(i.Home, "elsewhere"), below(i.Home, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	outcomes, err := Write([]File{{Path: link, Mode: private, Text: "x"}})
	if pathguard.CodeOf(err) != pathguard.AlreadyExists || outcomes[0].Done != Kept {
		t.Errorf("%v, %v", outcomes, err)
	}
	if _, err := os.Lstat(target); !os.IsNotExist(err) {
		t.Errorf("something was made behind the link: %v", err)
	}
}

// TestWriteLeavesNoDrafts holds that a failure leaves nothing behind.
func TestWriteLeavesNoDrafts(t *testing.T) {
	i := here(t)
	blocked := below(i.Home, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Write([]File{{Path: below(i.Home, "a"), Mode: private, Text: "x"}, {Path: filepath.Join(blocked, "b"), Mode: private}})
	if pathguard.CodeOf(err) != pathguard.WriteFailed {
		t.Errorf("below a file: %v", err)
	}
	if _, err := Write([]File{{Path: blocked, Mode: directory}}); pathguard.CodeOf(err) != pathguard.WriteFailed {
		t.Errorf("a directory in the place of a file: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(i.Home, ".setup.*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestExamplesAreRegistries holds that the examples are what the server reads, when they are taken as they are.
func TestExamplesAreRegistries(t *testing.T) {
	i := here(t)
	files, err := Config(i)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := strings.Replace(f.Path, ".example", "", 1)
		if _, err := Write([]File{{Path: path, Mode: f.Mode, Text: f.Text}}); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := registry.New(i.Config, pathguard.Places{Home: i.Home}).Snapshot()
	projects, err := snapshot.Projects()
	if err != nil || len(projects) != 1 || projects[0].Root != below(i.Home, "projects/my_project") {
		t.Errorf("projects %v, %v: %v", projects, err, snapshot.ProjectsState.Problem)
	}
	grants, err := snapshot.Grants()
	if err != nil || len(grants) != 2 {
		t.Errorf("grants %v, %v: %v", grants, err, snapshot.GrantsState.Problem)
	}
}

// TestIgnoreListIsTheBuiltinOne holds that writing default.mcpignore changes nothing that is served.
func TestIgnoreListIsTheBuiltinOne(t *testing.T) {
	i := usual()
	text, err := i.fill("config/default.mcpignore")
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rules = append(rules, line)
		}
	}
	if got := strings.Join(rules, ""); got != pathguard.BuiltinIgnores {
		t.Errorf("the list is %q", got)
	}
}

// TestProfileIsYAML holds the tunnel profile to what a reader makes of it, also with strange paths.
func TestProfileIsYAML(t *testing.T) {
	i := strange()
	text, err := i.fill("tunnel-profiles/" + exampleName)
	if err != nil {
		t.Fatal(err)
	}
	var profile struct {
		ControlPlane struct {
			TunnelID string `yaml:"tunnel_id"`
			APIKey   string `yaml:"api_key"`
		} `yaml:"control_plane"`
		MCP struct {
			ServerURLs []struct{ Channel, URL string } `yaml:"server_urls"`
		} `yaml:"mcp"`
		Health struct {
			URLFile string `yaml:"url_file"`
		} `yaml:"health"`
		Log struct{ File string } `yaml:"log"`
	}
	if err := yaml.Unmarshal([]byte(text), &profile); err != nil {
		t.Fatal(err)
	}
	if len(profile.MCP.ServerURLs) != 1 || profile.MCP.ServerURLs[0].URL != "http://127.0.0.1:9000/mcp" {
		t.Errorf("the server is %v", profile.MCP)
	}
	if want := "file:/home/bö b/.config/project-files-mcp/control-plane-api-key"; profile.ControlPlane.APIKey != want {
		t.Errorf("the key is %q", profile.ControlPlane.APIKey)
	}
	for _, path := range []string{profile.Health.URLFile, profile.Log.File} {
		if !strings.HasPrefix(path, "/home/bö b/.local/state/tunnel-client/") {
			t.Errorf("%q is not where the unit may write", path)
		}
	}
}

// TestBlocksAreJSON holds that the paths of a strange installation come back out of a client's block.
func TestBlocksAreJSON(t *testing.T) {
	for _, name := range []string{"claude-desktop", "claude-code", "cursor", "vscode"} {
		file, err := Client(strange(), name, Target{})
		if err != nil {
			t.Fatal(err)
		}
		var servers map[string]map[string]block
		if err := json.Unmarshal([]byte(file.Text), &servers); err != nil {
			t.Fatal(err)
		}
		for _, server := range servers {
			b := server[serverName]
			if b.Command != strange().Program || !slices.Equal(b.Args, []string{"mcp", "--stdio", "--config-dir", strange().Config}) {
				t.Errorf("%s: %v", name, b)
			}
		}
	}
}

// TestPathsThatUnitsCannotHold holds that no path can bring a setting of its own into a unit, and that none is written
// that systemd would refuse.
func TestPathsThatUnitsCannotHold(t *testing.T) {
	bad := usual()
	bad.Writable = []string{"/srv/a\nExecStartPre=/bin/x"}
	if _, err := Systemd(bad); err == nil {
		t.Error("a path with a line break was written into a unit")
	}
	quotes := usual()
	quotes.Program = `/opt/"x"/pk`
	if _, err := Systemd(quotes); err == nil {
		t.Error("a program that systemd refuses to start was written into a unit")
	}
}
