package mcp

import (
	"path/filepath"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// Where this installation keeps its things, by the first of flag, variable and home that names it (M-2, M-57).
func TestLocate(t *testing.T) {
	t.Setenv("HOME", "/h")
	t.Setenv("XDG_CACHE_HOME", "")
	const cache = "/h/.cache/webcodex-project-knowledge"
	plain := pathguard.Places{Home: "/h", Config: "/h/.config/project-knowledge", Staging: "/h/.local/state/project-knowledge/uploads", Cache: cache}
	with := func(change func(*pathguard.Places)) pathguard.Places {
		p := plain
		change(&p)
		return p
	}
	working, err := filepath.Abs("")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		flag string
		env  map[string]string
		want pathguard.Places
	}{
		"the home": {"", nil, plain},
		"XDG": {"", map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}, with(func(p *pathguard.Places) {
			p.Config, p.Staging = "/c/project-knowledge", "/s/project-knowledge/uploads"
		})},
		"relative XDG counts as absent": {"", map[string]string{"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "s"}, plain},
		"the variable":                  {"", map[string]string{"XDG_CONFIG_HOME": "/c", configVariable: "/v"}, with(func(p *pathguard.Places) { p.Config = "/v" })},
		"the flag":                      {"/f", map[string]string{configVariable: "/v"}, with(func(p *pathguard.Places) { p.Config = "/f" })},
		"a relative flag":               {"cfg", nil, with(func(p *pathguard.Places) { p.Config = filepath.Join(working, "cfg") })},
	} {
		env := map[string]string{"HOME": "/h"}
		for name, value := range c.env {
			env[name] = value
		}
		got, err := Locate(c.flag, func(name string) string { return env[name] })
		if err != nil || got != c.want {
			t.Errorf("%s: %+v %v, want %+v", what, got, err, c.want)
		}
	}
}
