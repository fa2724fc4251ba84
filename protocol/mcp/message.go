package mcp

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Messages of the stdio transport as bytes. Answers to what is no message have the id null (M-10), which the SDK's own
// encoder leaves out.

// errorLine gives the line that answers what cannot be served; id is JSON.
func errorLine(id json.RawMessage, code int64, message string) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	out = appendJSON(append(out, `,"error":`...), jsonrpc.Error{Code: code, Message: message})
	return append(out, "}\n"...)
}

var nullID = json.RawMessage("null")

// appendMessage appends the line of a message. A result is copied as it is: it was encoded once already.
func appendMessage(out []byte, m jsonrpc.Message, results *parked) ([]byte, error) {
	response, ok := m.(*jsonrpc.Response)
	if !ok || response.Error != nil {
		return appendPlain(out, m)
	}
	out = appendJSON(append(out, `{"jsonrpc":"2.0","id":`...), response.ID.Raw())
	out = results.append(append(out, `,"result":`...), response.Result)
	return append(out, "}\n"...), nil
}

// appendPlain is appendMessage for what is short. An error without a code of JSON-RPC is one of a request that came out of
// order.
func appendPlain(out []byte, m jsonrpc.Message) ([]byte, error) {
	if response, ok := m.(*jsonrpc.Response); ok {
		var coded *jsonrpc.Error
		if !errors.As(response.Error, &coded) {
			response.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: response.Error.Error()}
		}
	}
	line, err := jsonrpc.EncodeMessage(m)
	return append(append(out, line...), '\n'), err
}

// idOf gives the id of a JSON object that is no message, as it was written, or null.
func idOf(line []byte) json.RawMessage {
	var envelope struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &envelope) != nil || len(envelope.ID) == 0 || bytes.IndexByte([]byte(`{[tf`), envelope.ID[0]) >= 0 {
		return nullID
	}
	return envelope.ID
}
