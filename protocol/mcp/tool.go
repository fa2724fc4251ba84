package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// scopeUse says what a call of a tool works in (M-27).
type scopeUse int

const (
	noScope      scopeUse = iota // the server itself
	anyScope                     // exactly one of project_id and grant_id
	projectScope                 // a project that serves
	describedOne                 // a project, whether it serves or not
)

// bound says whose time limit ends a call of a tool.
type bound int

const (
	toolTime bound = iota // M-63's for tools
	ownTime               // the room's own: Git, an index run
)

// tool is one row of the catalogue. tools/list, the checks of a call's arguments, the call and the documents come from it.
type tool struct {
	name, title, description string
	writes                   bool // W of the specification, else R
	repeatable               bool // of a tool that writes: calling it again with the same arguments changes nothing more
	scope                    scopeUse
	time                     bound
	parameters               []parameter
	result                   any      // a value of the type that run gives
	without                  []string // members of result that never appear
	run                      func(context.Context, *call) (any, error)
}

// definition gives the tool as tools/list shows it. Every hint is explicit, and none says that the tool destroys
// something or reaches beyond this machine.
func (t *tool) definition() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema:  inputSchema(t.parameters),
		OutputSchema: outputSchema(t.result, t.without),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: !t.writes, IdempotentHint: !t.writes || t.repeatable,
			DestructiveHint: &no, OpenWorldHint: &no,
		},
	}
}

// checked gives the parameters that a call may have. A tool that works on projects only knows grant_id, so that it can
// say what is wrong with it (M-27).
func (t *tool) checked() []parameter {
	if t.scope == projectScope || t.scope == describedOne {
		return append(t.parameters[:len(t.parameters):len(t.parameters)], grantID)
	}
	return t.parameters
}

// catalogue gives all tools in their order.
func catalogue(limits *Limits) []tool {
	var all []tool
	all = append(all, overviewTools(limits)...)
	all = append(all, fileTools(limits)...)
	all = append(all, documentTools(limits)...)
	all = append(all, gitTools(limits)...)
	return append(all, retrievalTools(limits)...)
}
