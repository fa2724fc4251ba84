// Package smoke tries a running MCP server over HTTP the way a client would, and tells check by check what works (M-71).
//
// It reads and never writes: no document, no index. A check is skipped, with the reason, when the project has nothing to
// try it on; the run fails when any check fails.
//
//	report := smoke.Run(ctx, smoke.Options{URL: "http://127.0.0.1:8765/mcp", ProjectID: "my_project"})
//	if report.Status == smoke.Failed {
//		return errors.New("the server does not answer as it should")
//	}
package smoke
