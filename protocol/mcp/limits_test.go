package mcp

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"
)

// env gives an environment with one variable.
func env(name, value string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return value
		}
		return ""
	}
}

// Every variable of M-63 is read between its bounds, and refused by its name beyond them.
func TestVariables(t *testing.T) {
	for _, v := range variables {
		for _, good := range []int64{v.least, v.most, v.fallback} {
			if _, err := LimitsFrom(env(v.name, strconv.FormatInt(good, 10))); err != nil {
				t.Errorf("%s=%d: %v", v.name, good, err)
			}
		}
		for _, bad := range []string{
			strconv.FormatInt(v.least-1, 10), strconv.FormatInt(v.most+1, 10), "1e6", "lots", "1.5", " 1", "0x10", "99999999999999999999",
		} {
			_, err := LimitsFrom(env(v.name, bad))
			var setting *SettingError
			if !errors.As(err, &setting) || setting.Variable != v.name {
				t.Errorf("%s=%q: %v", v.name, bad, err)
			}
		}
	}
}

// The defaults are those of M-63.
func TestDefaultLimits(t *testing.T) {
	l := DefaultLimits()
	for _, c := range []struct{ got, want any }{
		{l.Host, "127.0.0.1"}, {l.Port, 8765}, {len(l.AllowedOrigins), 0}, {l.AuditLog, ""},
		{l.Files.ReadBytes, int64(1048576)}, {l.Files.ResultBytes, 1048576}, {l.Files.DocumentBytes, int64(20971520)},
		{l.Documents.WriteBytes, int64(2097152)}, {l.Documents.ChunkBytes, int64(65536)}, {l.Documents.DocumentBytes, int64(20971520)},
		{l.Documents.Chunks, 1024}, {l.Documents.Uploads, 16}, {l.Documents.TTL, time.Hour},
		{l.ToolTimeout, 20 * time.Second}, {l.GitTimeout, 15 * time.Second}, {l.LinkedWorktree, false},
		{l.Index.Files, 4096}, {l.Index.Bytes, int64(67108864)}, {l.IndexBudget, 20 * time.Second}, {l.ConcurrentCalls, 32},
		{l.bodyBytes(), int64(6*2097152 + 65536)}, {l.raisedIndex(), false},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// Only loopback is listened on (M-11).
func TestListenHost(t *testing.T) {
	for name, want := range map[string]string{"": "127.0.0.1", "localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "::1"} {
		l, err := LimitsFrom(env(hostVariable, name))
		if err != nil || l.Host != want {
			t.Errorf("%q: %q %v", name, l.Host, err)
		}
	}
	for _, name := range []string{"0.0.0.0", "::", "127.0.0.2", "LOCALHOST", "192.168.0.1", "example.org", " 127.0.0.1"} {
		_, err := LimitsFrom(env(hostVariable, name))
		var setting *SettingError
		if !errors.As(err, &setting) || setting.Variable != hostVariable {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestOtherVariables(t *testing.T) {
	l, err := LimitsFrom(env(originsVariable, " https://a.example ,,http://b.example:1"))
	if err != nil || !slices.Equal(l.AllowedOrigins, []string{"https://a.example", "http://b.example:1"}) {
		t.Errorf("origins %q %v", l.AllowedOrigins, err)
	}
	for value, want := range map[string]string{"stderr": "", "/var/log/audit": "/var/log/audit"} {
		if l, err := LimitsFrom(env(auditVariable, value)); err != nil || l.AuditLog != want {
			t.Errorf("audit %q: %q %v", value, l.AuditLog, err)
		}
	}
	for _, name := range []string{"PROJECT_MCP_INDEX_MAX_FILES", "PROJECT_MCP_INDEX_MAX_BYTES"} {
		if l, _ := LimitsFrom(env(name, "100000000")); name == "PROJECT_MCP_INDEX_MAX_BYTES" && !l.raisedIndex() {
			t.Errorf("%s raised goes unnoticed", name)
		}
	}
	if l, err := LimitsFrom(env("PROJECT_MCP_INDEX_MAX_FILES", "4097")); err != nil || !l.raisedIndex() {
		t.Error("more files go unnoticed")
	}
	if l, err := LimitsFrom(env("PROJECT_MCP_INDEX_MAX_FILES", "5")); err != nil || l.raisedIndex() {
		t.Error("fewer files need no other place")
	}
}
