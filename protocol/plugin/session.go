package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"projectknowledge/index/provider"
)

// ProtocolVersion is the one version of the protocol that the provider speaks.
const ProtocolVersion = "webcodex-plugin-v1"

// session is the state of one provider process: not admitted yet, or admitted with its operations.
type session struct {
	admit func(context.Context) (operations, error)
	ops   operations // nil before the first successful initialize
	log   diagnostics
}

func (s *session) close() error {
	if s.ops == nil {
		return nil
	}
	return s.ops.Close()
}

// answer gives the answer line to one request line, or nil when none is due: for a blank line and for a notification,
// which is not executed either.
func (s *session) answer(ctx context.Context, line []byte) []byte {
	if blank(line) {
		return nil
	}
	req, bad := parseRequest(line)
	if bad != nil {
		return errorLine(req.id, bad)
	}
	if req.id == nil {
		return nil
	}
	result, bad := s.dispatch(ctx, req)
	if bad != nil {
		return errorLine(req.id, bad)
	}
	return resultLine(req.id, result)
}

// dispatch carries out one request. A panic outside the tools, which guard themselves, is an internal error.
func (s *session) dispatch(ctx context.Context, req request) (result json.RawMessage, bad *rpcError) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.panicked(req.method, cause)
			result, bad = nil, &rpcError{codeInternal, "internal error"}
		}
	}()
	if s.ops == nil && strings.HasPrefix(req.method, "tools/") {
		return nil, &rpcError{codeNotInitialized, "initialize has not succeeded yet"}
	}
	switch req.method {
	case "initialize":
		return s.initialize(ctx, req.params)
	case "tools/list":
		return s.list(req.params)
	case "tools/call":
		return s.toolsCall(ctx, req.params)
	}
	return nil, &rpcError{codeNoMethod, "unknown method"}
}

// initialize admits the root (P-2). A repeated one makes every check again and answers by them, but the first admitted
// root stays the one that is served: a directory that took its place stays refused until a restart (P-5, P-17).
func (s *session) initialize(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
	members, _ := object(params)
	if version, ok := text(members["protocolVersion"]); !ok || version != ProtocolVersion {
		return nil, &rpcError{codeInvalidParams, "protocolVersion must be " + ProtocolVersion}
	}
	ops, err := s.admit(ctx)
	if err != nil {
		return nil, s.refused(err)
	}
	if s.ops == nil {
		s.ops = ops
	} else if err := ops.Close(); err != nil {
		s.log.printf("initialize: %v", err)
	}
	result, err := encode(map[string]string{"protocolVersion": ProtocolVersion})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return result, nil
}

// refused is the error of a failed admission; its line goes to the log too (P-4).
func (s *session) refused(err error) *rpcError {
	var known *provider.Error
	if !errors.As(err, &known) {
		s.log.printf("initialize: %v", err)
		known = provider.NewError(provider.InternalError, "")
	}
	message := known.Error()
	message = message[:min(len(message), maxAdmission)]
	s.log.printf("%s", message)
	return &rpcError{codeAdmission, message}
}

// list answers tools/list. Unknown members of its parameters are ignored.
func (s *session) list(params json.RawMessage) (json.RawMessage, *rpcError) {
	if _, ok := object(params); params != nil && !ok {
		return nil, &rpcError{codeInvalidParams, "params must be an object"}
	}
	result, err := listResult()
	if err != nil {
		panic(err) // the catalogue is a constant
	}
	return result, nil
}

// toolsCall checks the parameters of tools/call, which are exactly name and arguments, and runs the tool.
func (s *session) toolsCall(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
	members, ok := object(params)
	if !ok {
		return nil, &rpcError{codeInvalidParams, "params must be an object"}
	}
	name, ok := text(members["name"])
	if !ok {
		return nil, &rpcError{codeInvalidParams, "name must be a string"}
	}
	chosen, ok := toolNamed(name)
	if !ok {
		return nil, &rpcError{codeInvalidParams, "unknown tool"}
	}
	args, ok := object(members["arguments"])
	if !ok {
		return nil, &rpcError{codeInvalidParams, "arguments must be an object"}
	}
	if len(members) > 2 {
		return nil, &rpcError{codeInvalidParams, "params are name and arguments only"}
	}
	return s.call(ctx, chosen, args), nil
}
