package mcp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"projectknowledge/protocol/mcp"
	"projectknowledge/protocol/mcp/registry"
)

// A server for one directory, without registries, and a client that is a string.
func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	dir, _ = filepath.EvalSymlinks(dir)
	if err := os.WriteFile(filepath.Join(dir, "plan.md"), []byte("# Plan\n"), 0o644); err != nil {
		panic(err)
	}
	places, err := mcp.Locate("", os.Getenv)
	if err != nil {
		panic(err)
	}
	served, err := registry.Single(dir, "notes", "", places)
	if err != nil {
		panic(err)
	}
	server, err := mcp.New(mcp.Options{
		Registry: served, Limits: mcp.DefaultLimits(), Staging: filepath.Join(dir, ".staging"), Version: "v1", Log: io.Discard,
	})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"project_id":"notes","path":"plan.md"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	var out strings.Builder
	if err := server.ServeStdio(context.Background(), strings.NewReader(in), &out); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(out.String(), `"content":"# Plan\n"`))
	// Output: true
}
