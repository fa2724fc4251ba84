package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// serverName is how clients show the server to their users.
const serverName = "project-knowledge"

// A Target says what a client is to be joined to.
type Target struct {
	Root, ProjectID string // one directory, without registries; both or neither, but for the Runner the root alone
	HTTP            bool   // the running service instead of a process of the client's own
	Working         string // the current directory, where clients look for the settings of a project
}

// A block is what stands in a client's file for the server.
type block struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	URL     string   `json:"url,omitempty"`
}

// client is a program that can be joined to the server.
type client struct {
	name   string
	http   bool                                                     // it can be given an address
	place  func(i *Installation, t Target) string                   // its file; nil when its user alone knows
	render func(i *Installation, t Target, b block) (string, error) // the text of a whole file that has the block alone
}

// clients are the known ones, with the date of the documentation that their form was taken from.
var clients = []client{
	// Claude Desktop, modelcontextprotocol.io "Connect to local MCP servers", 2026-10: processes only.
	{"claude-desktop", false, func(i *Installation, _ Target) string {
		return filepath.Join(i.ConfigHome, "Claude", "claude_desktop_config.json")
	}, jsonFile("mcpServers", false)},
	// Claude Code, code.claude.com/docs/en/mcp, 2026-10: the file of a project.
	{"claude-code", true, func(_ *Installation, t Target) string {
		return filepath.Join(t.Working, ".mcp.json")
	}, jsonFile("mcpServers", true)},
	// Codex, developers.openai.com/codex/mcp, 2026-11: one file for the terminal, the editor and the app.
	{"codex", true, func(i *Installation, _ Target) string {
		return below(i.Home, ".codex/config.toml")
	}, codexFile},
	// Cursor, cursor.com/docs/mcp, 2026-10: an address needs no type.
	{"cursor", true, func(i *Installation, _ Target) string {
		return below(i.Home, ".cursor/mcp.json")
	}, jsonFile("mcpServers", false)},
	// VS Code, code.visualstudio.com/docs/agents/reference/mcp-configuration, 2026-11: the file of a workspace.
	{"vscode", true, func(_ *Installation, t Target) string {
		return below(t.Working, ".vscode/mcp.json")
	}, jsonFile("servers", true)},
	// The WebCodex Runner, webcodex-plugin-v1, 2026: a provider of its own protocol, one for each project.
	{"runner", false, nil, runnerFile},
}

// Clients gives the names of the known clients.
func Clients() []string {
	names := make([]string, 0, len(clients))
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// Client gives the file with which a client is joined to the server; its path is "" where only the user knows it. The
// error says what this client cannot do.
func Client(i Installation, name string, t Target) (File, error) {
	at := slices.IndexFunc(clients, func(c client) bool { return c.name == name })
	if at < 0 {
		return File{}, fmt.Errorf("the client %q is not known; known are %s", name, strings.Join(Clients(), ", "))
	}
	c := clients[at]
	if t.HTTP && !c.http {
		return File{}, fmt.Errorf("%s starts a process and cannot be given an address", name)
	}
	text, err := c.render(&i, t, i.block(t))
	if err != nil {
		return File{}, err
	}
	file := File{Mode: private, Text: text}
	if c.place != nil {
		file.Path = c.place(&i, t)
	}
	return file, nil
}

// block gives the server as a client starts or reaches it.
func (i *Installation) block(t Target) block {
	if t.HTTP {
		return block{Type: "http", URL: i.URL()}
	}
	args := []string{"mcp", "--stdio"}
	if t.Root != "" {
		args = append(args, "--root", t.Root, "--project-id", t.ProjectID)
	}
	if !i.usualConfig() {
		args = append(args, "--config-dir", i.Config)
	}
	return block{Type: "stdio", Command: i.Program, Args: args}
}

// jsonFile gives the form of the clients that keep their servers by name in one member of an object.
func jsonFile(member string, typed bool) func(*Installation, Target, block) (string, error) {
	return func(_ *Installation, _ Target, b block) (string, error) {
		if !typed {
			b.Type = ""
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err := encoder.Encode(map[string]map[string]block{member: {serverName: b}})
		return text.String(), err
	}
}

// codexFile gives the table of Codex.
func codexFile(_ *Installation, _ Target, b block) (string, error) {
	if b.URL != "" {
		return tomlTable("[mcp_servers."+serverName+"]", "url", b.URL)
	}
	return tomlTable("[mcp_servers."+serverName+"]", "command", b.Command, "args", b.Args)
}

// runnerFile gives the block of the Runner. Its working directory is the project, and the only way to choose it.
func runnerFile(i *Installation, t Target, _ block) (string, error) {
	return tomlTable("[[plugins.providers]]", "id", serverName, "name", "Project Knowledge", "command", i.Program,
		"args", []string{"plugin"}, "cwd", t.Root, "timeout_secs", 30)
}

// tomlTable writes a table with keys and values in turn: text, lists of text, whole numbers.
func tomlTable(heading string, pairs ...any) (string, error) {
	text := heading + "\n"
	for ; len(pairs) > 0; pairs = pairs[2:] {
		value, err := tomlValue(pairs[1])
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("%s = %s\n", pairs[0], value)
	}
	return text, nil
}

func tomlValue(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return quotedText(value)
	case []string:
		items := make([]string, len(value))
		for i, item := range value {
			var err error
			if items[i], err = quotedText(item); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(items, ", ") + "]", nil
	default:
		return fmt.Sprint(value), nil
	}
}
