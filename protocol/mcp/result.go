package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"projectknowledge/protocol/mcp/pathguard"
)

// encode writes v as compact JSON without the escapes that HTML needs.
func encode(v any) (json.RawMessage, error) { return appendEncoded(nil, v) }

// appendEncoded is encode behind what a buffer holds already.
func appendEncoded(to []byte, v any) ([]byte, error) {
	out := bytes.NewBuffer(to)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return to, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// buffer is memory that is lent for as long as a call lasts: large answers would otherwise be most of the garbage of the
// process.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// maxBuffer bounds what is kept for the next call.
const maxBuffer = 2 * mib

func borrow() *buffer { return buffers.Get().(*buffer) }

// giveBack ends the loan; the bytes belong to the next call from then on.
func (b *buffer) giveBack() {
	if cap(b.bytes) <= maxBuffer {
		b.bytes = b.bytes[:0]
		buffers.Put(b)
	}
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
	head := []byte{'{'}
	if meta := r.GetMeta(); len(meta) > 0 {
		encoded, err := encode(meta)
		if err != nil {
			return nil, err
		}
		head = append(append(append(head, `"_meta":`...), encoded...), ',')
	}
	if r.modern {
		head = append(head, `"resultType":"complete",`...)
	}
	if r.parked != nil {
		return r.parked.leave(parkedResult{head, r.members}), nil
	}
	return slices.Concat(head, r.members, []byte{'}'}), nil
}

// callMembers are the members of a result of tools/call: the structured content once more as text, and itself (M-40).
func callMembers(content []byte, isError bool) []byte {
	escapes := bytes.Count(content, []byte{'"'}) + bytes.Count(content, []byte{'\\'})
	out := make([]byte, 0, 2*len(content)+escapes+128)
	out = append(out, `"content":[{"type":"text","text":`...)
	out = appendQuoted(out, content)
	out = append(append(out, `}],"structuredContent":`...), content...)
	if isError {
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
	results map[string]parkedResult
}

// parkedResult is a result without the brace at its end.
type parkedResult struct{ head, members []byte }

// ticketMark begins a ticket and no result of the protocol.
const ticketMark = `{"ticket":`

// leave gives the ticket of a result.
func (p *parked) leave(result parkedResult) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tickets++
	ticket := append(strconv.AppendUint([]byte(ticketMark), p.tickets, 10), '}')
	if p.results == nil {
		p.results = make(map[string]parkedResult)
	}
	p.results[string(ticket)] = result
	return ticket
}

// append appends a result of the SDK, or the one that it has the ticket of; each can be collected once.
func (p *parked) append(out, result []byte) []byte {
	if !bytes.HasPrefix(result, []byte(ticketMark)) {
		return append(out, result...)
	}
	p.mu.Lock()
	own := p.results[string(result)]
	delete(p.results, string(result))
	p.mu.Unlock()
	return append(append(append(out, own.head...), own.members...), '}')
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
