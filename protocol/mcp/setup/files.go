package setup

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"text/template"

	"projectknowledge/protocol/mcp/pathguard"
)

//go:embed templates
var templates embed.FS

// A File is one that is to be made. Directories on the way to it are made 0700.
type File struct {
	Path string
	Mode fs.FileMode
	Text string // none for a directory
}

// The modes of what is made.
const (
	private   fs.FileMode = 0o600
	public    fs.FileMode = 0o644
	directory             = fs.ModeDir | 0o700
)

// Names that stand in more than one file.
const (
	serviceUnit  = "project-knowledge-mcp.service"
	tunnelUnit   = "project-knowledge-tunnel.service"
	profileName  = "project-files.yaml"
	exampleName  = "project-files.example.yaml"
	tunnelSecret = "project-files-mcp/control-plane-api-key"
)

// Systemd gives the unit of the server with an example drop-in, which opens the write directories of the registered
// projects, and the two directories that the unit lets the server write to.
func Systemd(i Installation) ([]File, error) {
	units := below(i.ConfigHome, "systemd/user")
	return i.render([]planned{
		{"deploy/" + serviceUnit, filepath.Join(units, serviceUnit), public},
		{"deploy/project-knowledge-docs.conf.example", filepath.Join(units, serviceUnit+".d", "project-knowledge-docs.conf.example"), public},
	}, i.State, i.Cache)
}

// Tunnel gives the unit of the tunnel client and an example of its profile.
func Tunnel(i Installation) ([]File, error) {
	return i.render([]planned{
		{"deploy/" + tunnelUnit, below(i.ConfigHome, "systemd/user/"+tunnelUnit), public},
		{"tunnel-profiles/" + exampleName, below(i.Home, ".config/tunnel-client/"+exampleName), private},
	}, below(i.Home, ".local/state/tunnel-client"), below(i.Home, ".config/project-files-mcp"))
}

// Config gives example registries and the ignore list that is in force anyway.
func Config(i Installation) ([]File, error) {
	return i.render([]planned{
		{"config/projects.example.yaml", filepath.Join(i.Config, "projects.example.yaml"), private},
		{"config/grants.example.yaml", filepath.Join(i.Config, "grants.example.yaml"), private},
		{"config/default.mcpignore", filepath.Join(i.Config, pathguard.DefaultIgnoreFile), private},
	})
}

// planned is a template with the place that it is for.
type planned struct {
	template, path string
	mode           fs.FileMode
}

// render fills in templates; the directories come after the files.
func (i *Installation) render(plan []planned, directories ...string) ([]File, error) {
	for _, path := range append([]string{i.Program, i.Home, i.ConfigHome, i.Config, i.State, i.Cache}, i.Writable...) {
		if err := plainPath(path); err != nil {
			return nil, err
		}
	}
	var files []File
	for _, p := range plan {
		text, err := i.fill(p.template)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.template, err)
		}
		files = append(files, File{Path: p.path, Mode: p.mode, Text: text})
	}
	for _, dir := range directories {
		files = append(files, File{Path: dir, Mode: directory})
	}
	return files, nil
}

// fill executes one template.
func (i *Installation) fill(name string) (string, error) {
	parsed, err := template.New(filepath.Base(name)).Funcs(template.FuncMap{
		"below":   below,
		"quote":   quotedText,
		"bare":    func(path string) string { return homed(i.Home, path) },
		"program": func(path string) (string, error) { return unitProgram(i.Home, path) },
		"word":    func(path string) string { return unitWord(i.Home, path) },
		"path":    func(path string) string { return unitPath(i.Home, path) },
		"value":   func(assignment string) string { return unitValue(i.Home, assignment) },
	}).Option("missingkey=error").ParseFS(templates, "templates/"+name)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = parsed.Execute(&text, map[string]any{
		"Program": i.Program, "Home": i.Home, "URL": i.URL(), "Environment": i.environment(),
		"State": i.State, "Cache": i.Cache, "WriteDirectories": i.Writable,
		"Profile":    below(i.Home, ".config/tunnel-client/"+profileName),
		"Example":    below(i.Home, ".config/tunnel-client/"+exampleName),
		"Key":        below(i.Home, ".config/"+tunnelSecret),
		"HealthFile": below(i.Home, ".local/state/tunnel-client/health-url"),
		"LogFile":    below(i.Home, ".local/state/tunnel-client/project-files.log"),
		"Ignores":    pathguard.BuiltinIgnores,
	})
	return text.String(), err
}

// quotedText gives text in quotes as JSON writes it, in which YAML and TOML agree with JSON.
func quotedText(text string) (string, error) {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(quoted.Bytes())), nil
}
