package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// encode writes v as compact JSON without the escapes that HTML needs.
func encode(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// resultLine is the answer line with a result, terminator included.
func resultLine(id, result json.RawMessage) []byte {
	return answerLine(id, "result", result)
}

// errorLine is the answer line with an error, terminator included.
func errorLine(id json.RawMessage, e *rpcError) []byte {
	body, err := encode(e)
	if err != nil { // an integer and a string always encode
		panic(err)
	}
	return answerLine(id, "error", body)
}

func answerLine(id json.RawMessage, member string, body json.RawMessage) []byte {
	line := make([]byte, 0, len(id)+len(body)+40)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, id...)
	line = append(line, `,"`...)
	line = append(line, member...)
	line = append(line, `":`...)
	line = append(line, body...)
	return append(line, "}\n"...)
}
