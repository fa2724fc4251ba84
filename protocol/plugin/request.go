package plugin

import "encoding/json"

// request is one call of the envelope. A nil id marks a notification.
type request struct {
	id     json.RawMessage // an integer or a string, as it was written
	method string
	params json.RawMessage // nil when absent
}

// rpcError is the error member of an answer.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

var nullID = json.RawMessage("null")

// parseRequest reads one line that is not blank. On an error the id of the request is the one to answer with: the
// request's own where it has a valid one, else null. An object without an id is a notification when it is a
// request otherwise; when it is not, it is answered like any other value that is no request.
func parseRequest(line []byte) (request, *rpcError) {
	if !wellFormed(line) {
		return request{id: nullID}, &rpcError{codeParse, "the line is not JSON in UTF-8"}
	}
	members, ok := object(line)
	if !ok {
		return request{id: nullID}, &rpcError{codeInvalidRequest, "a request is a JSON object"}
	}
	id, hasID := members["id"]
	if hasID && !validID(id) {
		return request{id: nullID}, &rpcError{codeInvalidRequest, "an id is an integer or a string"}
	}
	reply := id
	if !hasID {
		reply = nullID
	}
	if version, ok := text(members["jsonrpc"]); !ok || version != "2.0" {
		return request{id: reply}, &rpcError{codeInvalidRequest, `jsonrpc must be "2.0"`}
	}
	if !startsWith(members["method"], '"') {
		return request{id: reply}, &rpcError{codeInvalidRequest, "method must be a string"}
	}
	// A method that is not Unicode text decodes to the empty name, which no method has.
	method, _ := text(members["method"])
	return request{id: id, method: method, params: members["params"]}, nil
}

// validID reports whether an id can be echoed: an integer of any size or a string of Unicode text.
func validID(raw json.RawMessage) bool {
	if integral(raw) {
		return true
	}
	_, ok := text(raw)
	return ok
}
