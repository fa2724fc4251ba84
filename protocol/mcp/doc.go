// Package mcp is the Model Context Protocol server: the tools with which a model reads the registered directories of this
// machine, creates documents in them, looks at their repositories and searches their text (M-1 to M-73).
//
// One table declares every tool; tools/list, the checks of a call's arguments and the documents come from it. A call
// goes one way whatever its transport: a place among the calls that run at once, arguments, scope, the tool's room
// (files, document, gitview or index/provider), the result as JSON, a line in the audit log. The protocol itself is
// the SDK's, in both eras; what stands in front of it over HTTP, and the lines of stdio, are this package's own.
//
// What it promises: no result, error or log notification names a path of the machine; a call that is cancelled stops; a
// panic in a tool is the answer internal_error and not the end of the process; a line that is no message is answered
// and the next one is served. What it never does: write a registry, run a program of a project, listen on anything but
// the loopback interface, or keep state that a client could lose with its connection, uploads apart.
//
//	limits, err := mcp.LimitsFrom(os.Getenv)
//	if err != nil {
//		return err // names the variable
//	}
//	server, err := mcp.New(mcp.Options{Registry: registry.New(places.Config, places), Limits: limits, Staging: places.Staging, Log: os.Stderr})
//	if err != nil {
//		return err
//	}
//	defer server.Close()
//	return server.ServeStdio(ctx, os.Stdin, os.Stdout)
package mcp
