package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"projectknowledge/protocol/mcp/pathguard"
)

// encode writes v as compact JSON without the escapes that HTML needs.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// failure is the structured content of a refused call (M-44).
type failure struct {
	Error failureBody `json:"error"`
}

type failureBody struct {
	Code    pathguard.Code `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

// failed is the structured content of an error.
func failed(fault *pathguard.Error) json.RawMessage {
	content, err := encode(failure{failureBody{fault.Code, fault.Message, fault.Details}})
	if err != nil {
		panic(err) // codes, sentences and numbers always encode
	}
	return content
}

// wireResult is a result whose members are JSON already.
type wireResult struct {
	sdk.ResultBase
	members []byte  // without the braces
	modern  bool    // the request is of 2026-07-28, whose results say that they are complete
	parked  *parked // of stdio; nil over HTTP
}

// MarshalJSON writes the result, or a ticket for it.
func (r *wireResult) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, len(r.members)+512)
	out = append(out, '{')
	if meta := r.GetMeta(); len(meta) > 0 {
		encoded, err := encode(meta)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, `"_meta":`...), encoded...), ',')
	}
	if r.modern {
		out = append(out, `"resultType":"complete",`...)
	}
	out = append(append(out, r.members...), '}')
	if r.parked == nil {
		return out, nil
	}
	return r.parked.leave(out), nil
}

// callMembers are the members of a result of tools/call: the structured content once more as text, and itself (M-40).
func callMembers(a answer) []byte {
	out := make([]byte, 0, 2*len(a.content)+len(a.content)/4+256)
	out = append(out, `"content":[{"type":"text","text":`...)
	out = appendQuoted(out, a.content)
	out = append(append(out, `}],"structuredContent":`...), a.content...)
	if a.code != "" {
		out = append(out, `,"isError":true`...)
	}
	return out
}

// parked holds results on their way past the SDK, which would read each of them twice more, byte by byte, before it is
// written: most of the time of a large answer. Over stdio the SDK carries a ticket instead, and the connection writes the
// result that was left for it.
type parked struct {
	mu      sync.Mutex
	tickets uint64
	results map[string][]byte
}

// ticketMark begins a ticket and no result of the protocol.
const ticketMark = `{"ticket":`

// leave gives the ticket of a result.
func (p *parked) leave(text []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tickets++
	ticket := append(strconv.AppendUint([]byte(ticketMark), p.tickets, 10), '}')
	if p.results == nil {
		p.results = make(map[string][]byte)
	}
	p.results[string(ticket)] = text
	return ticket
}

// collect gives the result of a ticket, once, and any other result as it is.
func (p *parked) collect(result []byte) []byte {
	if !bytes.HasPrefix(result, []byte(ticketMark)) {
		return result
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.results[string(result)]
	delete(p.results, string(result))
	return text
}

// appendQuoted appends compact JSON as the value of a JSON string: it holds no control character, so that only quotes and
// backslashes are escaped.
func appendQuoted(out []byte, content []byte) []byte {
	out = append(out, '"')
	plain := 0 // the first byte that is not written yet
	for i, c := range content {
		if c == '"' || c == '\\' {
			out = append(append(out, content[plain:i]...), '\\')
			plain = i
		}
	}
	return append(append(out, content[plain:]...), '"')
}
