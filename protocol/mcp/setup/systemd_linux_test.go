package setup

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnitsVerify has systemd judge the units as they are written into a home of their own (M-69), for a usual
// installation and for one whose paths have everything that a unit file reads in a way of its own.
func TestUnitsVerify(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("systemd-analyze is not installed")
	}
	t.Run("usual", func(t *testing.T) { verify(t, analyze, here(t)) })
	t.Run("strange", func(t *testing.T) {
		i := here(t)
		i.Program = below(i.Home, "50% of all; $HOME/project-knowledge")
		i.Config, i.State = below(i.Home, "re gistries"), below(i.Home, `st%ate "x"/project-knowledge`)
		verify(t, analyze, i)
	})
}

func verify(t *testing.T, analyze string, i Installation) {
	t.Helper()
	i.Writable = []string{below(i.Home, "projects/one/docs"), below(i.Home, `projects/50% 'x'/docs`)}
	for _, program := range []string{i.Program, below(i.Home, ".local/bin/tunnel-client")} {
		if _, err := Write([]File{{Path: program, Mode: 0o755, Text: "#!/bin/sh\n"}}); err != nil {
			t.Fatal(err)
		}
	}
	units := verifiable(t, i)
	runtime := below(i.Home, "run")
	if err := os.Mkdir(runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	judged := exec.Command(analyze, append([]string{"--user", "verify"}, units...)...)
	judged.Env = []string{
		"HOME=" + i.Home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"),
		"SYSTEMD_UNIT_PATH=" + below(i.ConfigHome, "systemd/user") + ":",
	}
	if told, err := judged.CombinedOutput(); err != nil || len(told) > 0 {
		t.Errorf("systemd-analyze: %v\n%s", err, told)
	}
}

// verifiable writes both units and the drop-in in force, and gives the units' paths.
func verifiable(t *testing.T, i Installation) []string {
	t.Helper()
	var units []string
	for _, topic := range []func(Installation) ([]File, error){Systemd, Tunnel} {
		files, err := topic(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			file.Path = strings.TrimSuffix(file.Path, ".example")
			if _, err := Write([]File{file}); err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(file.Path) == ".service" {
				units = append(units, file.Path)
			}
		}
	}
	return units
}
