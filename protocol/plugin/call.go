package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"projectknowledge/index/provider"
)

// operations are what the four tools call. It is an interface so that the dispatch is tested without a repository.
type operations interface {
	Index(context.Context, provider.IndexRequest) (*provider.IndexResult, error)
	Status(context.Context) (*provider.StatusResult, error)
	Search(context.Context, provider.SearchRequest) (*provider.SearchResult, error)
	Read(context.Context, provider.ReadRequest) (*provider.ReadResult, error)
	Close() error
}

func runIndex(ctx context.Context, ops operations, args arguments) (any, string, error) {
	mode := provider.Rebuild
	if given, ok := args.strings["mode"]; ok {
		mode = provider.Mode(given)
	}
	result, err := ops.Index(ctx, provider.IndexRequest{Mode: mode})
	if err != nil {
		return nil, "", err
	}
	return result, indexCaption(result), nil
}

func runStatus(ctx context.Context, ops operations, _ arguments) (any, string, error) {
	result, err := ops.Status(ctx)
	if err != nil {
		return nil, "", err
	}
	return result, statusCaption(result), nil
}

func runSearch(ctx context.Context, ops operations, args arguments) (any, string, error) {
	result, err := ops.Search(ctx, provider.SearchRequest{Query: args.strings["query"], Limit: args.integers["limit"]})
	if err != nil {
		return nil, "", err
	}
	return result, searchCaption(result), nil
}

func runRead(ctx context.Context, ops operations, args arguments) (any, string, error) {
	result, err := ops.Read(ctx, provider.ReadRequest{
		Path: args.strings["path"], SourceHash: args.strings["source_hash"],
		StartLine: args.integers["start_line"], EndLine: args.integers["end_line"],
	})
	if err != nil {
		return nil, "", err
	}
	return result, readCaption(result), nil
}

// callResult is the result of tools/call: exactly these members (P-92).
type callResult struct {
	Content           []textItem `json:"content"`
	StructuredContent any        `json:"structuredContent"`
	IsError           bool       `json:"isError"`
}

type textItem struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type failure struct {
	Error *provider.Error `json:"error"`
}

// call runs one tool and gives the result member of the answer; it always gives one (P-88, P-90).
func (s *session) call(ctx context.Context, t tool, members map[string]json.RawMessage) json.RawMessage {
	args, err := decodeArguments(t.parameters, members)
	if err != nil {
		return s.failed(err)
	}
	structured, caption, err := s.runGuarded(ctx, t, args)
	if err != nil {
		return s.failed(err)
	}
	result, err := encodeResult(structured, caption, false)
	if err != nil {
		return s.failed(fmt.Errorf("result of %s: %w", t.name, err))
	}
	return result
}

// runGuarded turns a panic of a tool into an error (P-90).
func (s *session) runGuarded(ctx context.Context, t tool, args arguments) (structured any, caption string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.panicked(t.name, cause)
			err = provider.NewError(provider.InternalError, "")
		}
	}()
	return t.run(ctx, s.ops, args)
}

// failed is the result of a known failure; an error of another kind becomes internal_error and goes to the log.
func (s *session) failed(err error) json.RawMessage {
	var known *provider.Error
	if !errors.As(err, &known) {
		s.log.printf("%s: %v", provider.InternalError, err)
		known = provider.NewError(provider.InternalError, "")
	}
	result, err := encodeResult(failure{known}, known.Error(), true)
	if err != nil { // two short ASCII strings always encode and fit
		panic(err)
	}
	return result
}

// encodeResult writes a result and holds it to its bound: a result over it is an error, never a line that the Runner
// would refuse.
func encodeResult(structured any, caption string, isError bool) (json.RawMessage, error) {
	result, err := encode(callResult{
		Content:           []textItem{{"text", plainCaption(caption, maxCaption)}},
		StructuredContent: structured,
		IsError:           isError,
	})
	if err != nil {
		return nil, err
	}
	if len(result) > maxResult {
		return nil, fmt.Errorf("%d bytes, over %d", len(result), maxResult)
	}
	return result, nil
}
