package smoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// errNoSession is a check that cannot be tried because nothing answered.
const errNoSession = skip("there is no MCP connection")

// A toolError is the known error that a tool answered with.
type toolError struct {
	Tool    string
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *toolError) Error() string { return fmt.Sprintf("%s: %s: %s", e.Tool, e.Code, e.Message) }

// call calls a tool and reads its structured result into result. The text item must be the same JSON (M-40).
func (r *run) call(ctx context.Context, tool string, arguments map[string]any, result any) error {
	if r.session == nil {
		return errNoSession
	}
	if arguments == nil {
		arguments = map[string]any{}
	}
	answer, err := r.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	structured, err := json.Marshal(answer.StructuredContent)
	if err != nil || answer.StructuredContent == nil {
		return fmt.Errorf("%s: the result has no structuredContent", tool)
	}
	if answer.IsError {
		failed := struct {
			Error toolError `json:"error"`
		}{toolError{Tool: tool}}
		if err := json.Unmarshal(structured, &failed); err != nil || failed.Error.Code == "" {
			return fmt.Errorf("%s: an error without a code", tool)
		}
		return &failed.Error
	}
	if err := sameText(answer.Content, structured); err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if err := json.Unmarshal(structured, result); err != nil {
		return fmt.Errorf("%s: the result has another form than expected: %w", tool, err)
	}
	return nil
}

// sameText holds that the content of a result is one text item with the JSON of its structure.
func sameText(content []sdk.Content, structured []byte) error {
	if len(content) != 1 {
		return fmt.Errorf("the result has %d items of content, not one", len(content))
	}
	text, ok := content[0].(*sdk.TextContent)
	if !ok {
		return errors.New("the content of the result is not text")
	}
	var one, other any
	if err := json.Unmarshal([]byte(text.Text), &one); err != nil {
		return errors.New("the text of the result is not JSON")
	}
	if err := json.Unmarshal(structured, &other); err != nil || !reflect.DeepEqual(one, other) {
		return errors.New("the text of the result differs from its structuredContent")
	}
	return nil
}

// codeOf gives the code of a tool's known error, else "".
func codeOf(err error) string {
	var failed *toolError
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}
