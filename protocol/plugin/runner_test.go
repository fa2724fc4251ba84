package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The rules by which a Runner admits what a provider writes (webcodex-plugin-v1, sections 2 and 4 to 7), the stricter
// number where two versions differ. Every line that any test of this package sees goes through them.
const (
	runnerMessage    = 1 << 20
	runnerSchema     = 32 << 10
	runnerCatalogue  = 256 << 10
	runnerStructured = 128 << 10
	runnerText       = 64 << 10
	runnerResult     = 256 << 10
	runnerItems      = 32
	runnerDepth      = 16
	runnerValues     = 4096
	runnerString     = 64 << 10
	runnerKey        = 1024
	runnerEntries    = 128
)

// message is an answer as the Runner sees it.
type message struct {
	ID     json.RawMessage
	Result json.RawMessage // nil when the answer is an error
	Code   int
	Text   string // of the error
}

// admitLine holds one line, terminator included, to the envelope rules of section 2.
func admitLine(line []byte) (message, error) {
	var m message
	body, ended := bytes.CutSuffix(line, []byte("\n"))
	switch {
	case !ended || bytes.ContainsRune(body, '\n'):
		return m, errors.New("not one terminated line")
	case len(body) == 0 || len(body) > runnerMessage || !utf8.Valid(body):
		return m, fmt.Errorf("a line of %d bytes, or not UTF-8", len(body))
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return m, err
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return m, errors.New("jsonrpc is not 2.0")
	}
	for name := range members {
		if !slices.Contains([]string{"jsonrpc", "id", "result", "error"}, name) {
			return m, fmt.Errorf("member %q in an answer", name)
		}
	}
	m.ID = members["id"]
	result, hasResult := members["result"]
	failure, hasError := members["error"]
	if m.ID == nil || hasResult == hasError {
		return m, errors.New("no id, or not exactly one of result and error")
	}
	if hasResult {
		m.Result = result
		return m, nil
	}
	return m, admitError(failure, &m)
}

func admitError(raw json.RawMessage, m *message) error {
	var e struct {
		Code    *int
		Message string
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Code == nil {
		return fmt.Errorf("bad error object %s", raw)
	}
	if len(e.Message) < 1 || len(e.Message) > 512 {
		return fmt.Errorf("error message of %d bytes", len(e.Message))
	}
	m.Code, m.Text = *e.Code, e.Message
	return nil
}

// admitResult holds the result of tools/call to section 5 and to what this provider promises beyond it (P-88, P-92,
// P-94), and gives its structured content.
func admitResult(raw json.RawMessage) (structured map[string]any, isError bool, err error) {
	if len(raw) > maxResult {
		return nil, false, fmt.Errorf("result of %d bytes", len(raw))
	}
	value, err := decode(raw)
	if err != nil {
		return nil, false, err
	}
	result, ok := value.(map[string]any)
	if !ok || len(result) != 3 {
		return nil, false, fmt.Errorf("result members: %s", raw)
	}
	structured, ok = result["structuredContent"].(map[string]any)
	isError, isBool := result["isError"].(bool)
	if !ok || !isBool {
		return nil, false, errors.New("structuredContent or isError missing")
	}
	if err := admitContent(result["content"]); err != nil {
		return nil, false, err
	}
	if err := admitValue(structured, runnerStructured); err != nil {
		return nil, false, err
	}
	if isError {
		err = admitKnownFailure(structured)
	}
	return structured, isError, err
}

func admitContent(value any) error {
	content, ok := value.([]any)
	if !ok || len(content) != 1 {
		return errors.New("content is not one item")
	}
	item, ok := content[0].(map[string]any)
	if !ok || len(item) != 2 || item["type"] != "text" {
		return errors.New("item is not exactly a text item")
	}
	caption, ok := item["text"].(string)
	switch {
	case !ok || caption == "" || len(caption) > 1024:
		return fmt.Errorf("caption of %d bytes", len(caption))
	case strings.ContainsFunc(caption, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }):
		return fmt.Errorf("control character in the caption %q", caption)
	}
	return nil
}

func admitKnownFailure(structured map[string]any) error {
	e, ok := structured["error"].(map[string]any)
	if !ok || len(structured) != 1 || len(e) != 2 {
		return fmt.Errorf("error content %v", structured)
	}
	code, _ := e["code"].(string)
	sentence, _ := e["message"].(string)
	if code == "" || sentence == "" || len(sentence) > 300 {
		return fmt.Errorf("error content %v", structured)
	}
	for _, r := range sentence {
		if r < ' ' || r > '~' {
			return fmt.Errorf("message is not ASCII: %q", sentence)
		}
	}
	return nil
}

// decode reads JSON with numbers as they are written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something behind the value")
	}
	return value, nil
}

// admitValue holds a value to section 6.
func admitValue(value any, limit int) error {
	raw, err := encode(value)
	if err != nil {
		return err
	}
	if len(raw) > limit {
		return fmt.Errorf("value of %d bytes", len(raw))
	}
	count := 0
	return admitNode(value, 0, &count)
}

func admitNode(value any, depth int, count *int) error {
	if *count++; depth > runnerDepth || *count > runnerValues {
		return errors.New("too deep or too many values")
	}
	switch v := value.(type) {
	case string:
		if len(v) > runnerString {
			return errors.New("oversized string")
		}
	case json.Number:
		if !integral(json.RawMessage(v)) && !strings.Contains(string(v), ".") {
			return fmt.Errorf("number %s", v)
		}
	case []any:
		for _, child := range v {
			if err := admitNode(child, depth+1, count); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, child := range v {
			if len(key) > runnerKey || strings.ContainsFunc(key, unicode.IsControl) {
				return fmt.Errorf("key %q", key)
			}
			if err := admitNode(child, depth+1, count); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitsInteger reports whether the Runner's integer type holds a number: no fraction, no exponent, 64 bits.
func fitsInteger(n json.Number) bool {
	value, ok := new(big.Int).SetString(string(n), 10)
	return ok && (value.IsInt64() || value.IsUint64())
}
