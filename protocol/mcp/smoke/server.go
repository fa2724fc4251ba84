package smoke

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// health asks /healthz first, which needs no protocol, then the tool of that name.
func (r *run) health(ctx context.Context) (string, error) {
	well := r.healthz(ctx)
	if err := r.connect(ctx); err != nil {
		return "", cmp.Or(well, err)
	}
	if well != nil {
		return "", well // the other checks tell more of a server that is not well than one failure does
	}
	var state struct {
		Status   string `json:"status"`
		Version  string `json:"server_version"`
		Projects string `json:"projects_registry_status"`
		Grants   string `json:"grants_registry_status"`
	}
	if err := r.call(ctx, "health", nil, &state); err != nil {
		return "", err
	}
	if state.Status != "ok" {
		return "", fmt.Errorf("the server is %s: projects registry %s, grants registry %s", state.Status, state.Projects, state.Grants)
	}
	return "server " + state.Version, nil
}

func (r *run) healthz(ctx context.Context) error {
	address, err := healthURL(r.options.URL)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := r.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	const enough = 1 << 10
	body, err := io.ReadAll(io.LimitReader(answer.Body, enough))
	if err != nil {
		return err
	}
	var state struct {
		Status string `json:"status"`
	}
	if json.Unmarshal(body, &state) != nil || state.Status == "" {
		return fmt.Errorf("/healthz answered %d and no state; is this the server?", answer.StatusCode)
	}
	if answer.StatusCode != http.StatusOK || state.Status != "ok" {
		return fmt.Errorf("/healthz answered %d, %s; project-knowledge project list tells why", answer.StatusCode, state.Status)
	}
	return nil
}

// kind is what a tool's hints say (R, W0 and W1 of the specification).
type kind struct{ readOnly, idempotent bool }

var (
	reads  = kind{readOnly: true, idempotent: true}
	writes = kind{}
	again  = kind{idempotent: true}
)

// contract is every tool that a server has, with its hints. It stands here for itself, and not for what the server of
// the same binary has: a client trusts the hints of whatever server it meets.
var contract = map[string]kind{
	"health": reads, "list_projects": reads, "project_info": reads, "list_grants": reads,
	"tree": reads, "list_dir": reads, "read_file": reads, "glob": reads, "grep": reads,
	"create_file": writes, "begin_document": writes, "write_chunk": again, "finish_document": again,
	"git_status": reads, "git_diff": reads,
	"index": again, "status": reads, "search": reads, "read": reads,
}

// tools lists the tools and compares them with the contract.
func (r *run) tools(ctx context.Context) (string, error) {
	if r.session == nil {
		return "", errNoSession
	}
	list, err := r.session.ListTools(ctx, nil)
	if err != nil {
		return "", fmt.Errorf("tools/list: %w", err)
	}
	if list.NextCursor != "" {
		return "", errors.New("tools/list has more than one page, which some clients never ask for")
	}
	missing := make(map[string]kind, len(contract))
	for name, hints := range contract {
		missing[name] = hints
	}
	for _, tool := range list.Tools {
		want, known := missing[tool.Name]
		if !known {
			return "", fmt.Errorf("the tool %q is not expected", tool.Name)
		}
		delete(missing, tool.Name)
		if err := checkTool(tool, want); err != nil {
			return "", fmt.Errorf("%s: %w", tool.Name, err)
		}
	}
	if len(missing) > 0 {
		names := make([]string, 0, len(missing))
		for name := range missing {
			names = append(names, name)
		}
		slices.Sort(names)
		return "", fmt.Errorf("tools are missing: %v", names)
	}
	return fmt.Sprintf("%d tools", len(list.Tools)), nil
}

// checkTool holds one tool to its hints and to schemas that a client can check arguments and results with (M-40).
func checkTool(tool *sdk.Tool, want kind) error {
	hints := tool.Annotations
	if hints == nil || hints.DestructiveHint == nil || hints.OpenWorldHint == nil {
		return errors.New("hints are missing")
	}
	if got := (kind{hints.ReadOnlyHint, hints.IdempotentHint}); got != want {
		return fmt.Errorf("readOnlyHint %v and idempotentHint %v, expected %v and %v", got.readOnly, got.idempotent, want.readOnly, want.idempotent)
	}
	if *hints.DestructiveHint || *hints.OpenWorldHint {
		return errors.New("destructiveHint or openWorldHint is true")
	}
	input, ok := tool.InputSchema.(map[string]any)
	if !ok || input["type"] != "object" || input["additionalProperties"] != false {
		return errors.New("the input schema is not a closed object")
	}
	if output, ok := tool.OutputSchema.(map[string]any); !ok || output["type"] != "object" {
		return errors.New("there is no output schema of an object")
	}
	return nil
}
