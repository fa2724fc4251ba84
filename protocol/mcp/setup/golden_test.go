package setup

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// usual is an installation with everything at its default place.
func usual() Installation {
	return Installation{
		Program: "/home/ann/.local/bin/project-knowledge", Home: "/home/ann", ConfigHome: "/home/ann/.config",
		Config: "/home/ann/.config/project-knowledge", State: "/home/ann/.local/state/project-knowledge",
		Cache: "/home/ann/.cache/webcodex-project-knowledge", Port: DefaultPort,
	}
}

// strange is an installation whose paths have what unit files, YAML, JSON and TOML read in a way of their own.
func strange() Installation {
	return Installation{
		Program: "/opt/50% off/$bin;pk", Home: "/home/bö b", ConfigHome: "/home/bö b/.config",
		Config: "/srv/registries: all", State: "/srv/state/project-knowledge", Cache: "/srv/cache/webcodex-project-knowledge",
		Port: 9000, Writable: []string{"/home/bö b/one/docs", "/srv/50%/reports"},
	}
}

// shown gives files as one text.
func shown(files []File) string {
	var text strings.Builder
	for _, f := range files {
		fmt.Fprintf(&text, "==> %s %v\n%s", f.Path, f.Mode, f.Text)
	}
	return text.String()
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestGoldenFiles holds every file of M-69 as it is written for a plain installation and for a strange one.
func TestGoldenFiles(t *testing.T) {
	topics := map[string]func(Installation) ([]File, error){"systemd": Systemd, "tunnel": Tunnel, "config": Config}
	for kind, installation := range map[string]Installation{"usual": usual(), "strange": strange()} {
		for topic, files := range topics {
			made, err := files(installation)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, topic+"-"+kind, shown(made))
		}
	}
}

// TestGoldenClients holds the block of every client: over stdio with all projects and with one, and over HTTP where it can.
func TestGoldenClients(t *testing.T) {
	var text strings.Builder
	one := Target{Root: "/home/ann/p q", ProjectID: "p", Working: "/home/ann/w"}
	all := Target{Working: "/home/ann/w"}
	for _, name := range Clients() {
		for _, target := range []Target{all, one, {HTTP: true, Working: "/home/ann/w"}} {
			file, err := Client(usual(), name, target)
			if err != nil {
				fmt.Fprintf(&text, "==> %s: %v\n", name, err)
				continue
			}
			fmt.Fprintf(&text, "==> %s: %s %v\n%s", name, file.Path, file.Mode, file.Text)
		}
		file, err := Client(strange(), name, one)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "==> %s, strange\n%s", name, file.Text)
	}
	compareGolden(t, "clients", text.String())
	if _, err := Client(usual(), "none", all); err == nil || !strings.Contains(err.Error(), "claude-desktop, claude-code, codex, cursor, vscode, runner") {
		t.Errorf("an unknown client: %v", err)
	}
}
