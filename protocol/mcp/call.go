package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"projectknowledge/index"
	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// call is one call of a tool under way.
type call struct {
	server   *Server
	tool     *tool
	args     arguments
	scope    registry.Scope // of a tool that has one
	tree     *pathguard.Tree
	progress *progress
}

// result makes the results of the rooms, which are pointers, results of a tool: nil only with an error.
func result[R any](found *R, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return found, nil
}

// open opens the root of the call's scope, once; it is closed when the call ends.
func (c *call) open() (*pathguard.Tree, error) {
	if c.tree != nil {
		return c.tree, nil
	}
	tree, err := c.scope.Open()
	if err == nil {
		c.tree = tree
	}
	return tree, err
}

// files gives the scope of the call to the reading tools.
func (c *call) files() (files.Scope, error) {
	tree, err := c.open()
	return files.Scope{Tree: tree, WriteDirectory: c.scope.WriteDirectory}, err
}

// walked reports the progress of a tool that walks; it is told only of a call that takes long.
func (c *call) walked(done int) { c.progress.report(float64(done), 0, walkPatience) }

// indexed reports the progress of an index run.
func (c *call) indexed(p index.Progress) { c.progress.report(float64(p.Files), float64(p.Total), 0) }

// answer is what came of a call: the members of its result, how large its structured content is, and the code when it was
// refused.
type answer struct {
	members []byte
	size    int
	code    pathguard.Code
}

// perform carries out one call of a tool. It always gives an answer.
func (s *Server) perform(ctx context.Context, c *call, raw json.RawMessage) answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopping, cancel)()
	lent := borrow()
	defer lent.giveBack()
	content, err := s.attempt(ctx, c, raw, lent)
	if err == nil {
		return answer{members: callMembers(content, false), size: len(content)}
	}
	fault := faultOf(ctx, err)
	s.note(c.tool, fault)
	content = failed(fault)
	return answer{members: callMembers(content, true), size: len(content), code: fault.Code}
}

// attempt waits for a place among the calls that run, runs the tool and gives its result as JSON in the memory of a buffer.
func (s *Server) attempt(ctx context.Context, c *call, raw json.RawMessage, lent *buffer) (content []byte, err error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if c.tool.time == toolTime {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.limits.ToolTimeout)
		defer cancel()
	}
	found, err := c.runGuarded(ctx, raw)
	if err != nil {
		return nil, err
	}
	if lent.bytes, err = appendEncoded(lent.bytes, found); err != nil {
		return nil, err
	}
	if len(lent.bytes) > s.limits.Files.ResultBytes {
		return nil, fmt.Errorf("a result of %d bytes", len(lent.bytes))
	}
	return lent.bytes, nil
}

// runGuarded checks the arguments, finds the scope and runs the tool; a panic of any of them becomes an error (M-16).
func (c *call) runGuarded(ctx context.Context, raw json.RawMessage) (found any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			found, err = nil, fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	defer c.close()
	if c.args, err = decodeArguments(c.tool.checked(), raw); err != nil {
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	return c.tool.run(ctx, c)
}

// resolve finds the scope of the call in the registry as it is now (M-21, M-27).
func (c *call) resolve() error {
	project, grant := c.args.text(projectID.name), c.args.text(grantID.name)
	var err error
	switch c.tool.scope {
	case anyScope:
		c.scope, err = c.server.registry.Snapshot().Scope(project, grant)
	case projectScope:
		c.scope, err = c.server.registry.Snapshot().ProjectScope(project, grant)
	case describedOne:
		if grant != "" {
			return pathguard.Fault(pathguard.ScopeNotSupported)
		}
		if project == "" {
			return pathguard.Fault(pathguard.ScopeRequired)
		}
	}
	return err
}

func (c *call) close() {
	if c.tree != nil {
		_ = c.tree.Close()
	}
}

// enterPatience is how long a call waits for a place (M-16).
const enterPatience = 2 * time.Second

// enter takes a place among the calls that run at once. The error is busy or the end of the context.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-s.places }
	select {
	case s.places <- struct{}{}:
		return leave, nil
	default:
	}
	wait := time.NewTimer(enterPatience)
	defer wait.Stop()
	select {
	case s.places <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-wait.C:
		return nil, pathguard.Fault(pathguard.Busy)
	}
}
