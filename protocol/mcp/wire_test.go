package mcp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rawClient is a connection on which a test writes what no proper client would.
type rawClient struct {
	net.Conn
	t      testing.TB
	reader *bufio.Reader
}

func (h *httpServer) dial(t testing.TB) *rawClient {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", h.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &rawClient{Conn: conn, t: t, reader: bufio.NewReader(conn)}
}

// write sends bytes. A server that has closed the connection already is none of its concern.
func (c *rawClient) write(text string) { _, _ = io.WriteString(c.Conn, text) }

// status gives the status of the next answer, its header and its body; 0 when the connection ended.
func (c *rawClient) status(method string) (int, http.Header, string) {
	c.t.Helper()
	answer, err := http.ReadResponse(c.reader, &http.Request{Method: method})
	if err != nil {
		return 0, nil, ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.t.Error(err)
	}
	return answer.StatusCode, answer.Header, string(body)
}

// sent sends one request on a connection of its own and gives the status of the answer.
func (h *httpServer) sent(t testing.TB, request string) int {
	t.Helper()
	c := h.dial(t)
	c.write(request)
	method, _, _ := strings.Cut(request, " ")
	status, _, _ := c.status(method)
	_ = c.Close()
	return status
}

// auditedTools counts the calls in the audit log by tool.
func (w *world) auditedTools() map[string]int {
	tools := map[string]int{}
	for line := range strings.SplitSeq(w.log.String(), "\n") {
		var record auditRecord
		if json.Unmarshal([]byte(line), &record) == nil && record.Tool != "" {
			tools[record.Tool]++
		}
	}
	return tools
}

// copyOf makes a root of the files of another.
func (w *world) copyOf(from, to string) string {
	w.t.Helper()
	root := filepath.Join(w.dir, "ws", to)
	w.must(os.CopyFS(root, os.DirFS(filepath.Join(w.dir, "ws", from))))
	return root
}
