package mcp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// callHead is the head of a request as a client sends it, without its end.
const callHead = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"

// rawCall is a whole request with a body, with more headers.
func rawCall(body string, headers ...string) string {
	return callHead + strings.Join(append(headers, "Content-Length: "+fmt.Sprint(len(body))), "\r\n") + "\r\n\r\n" + body
}

// methods are those of HTTP and some that are not; CONNECT and TRACE are no browser's, but anybody may send them.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "PRI"}

// Whatever the method, the path and the form of the target, a request with another host or of another origin gets nothing
// but a refusal (M-12, M-13): a name that is made to lead here, as in DNS rebinding, is of no use.
func TestGuardOfEveryTarget(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	targets := []string{"/mcp", "/healthz", "/", "*", "/mcp/", "//mcp", "/mcp/../healthz", "/%6dcp", "/.well-known/oauth-authorization-server"}
	own := fmt.Sprintf("http://localhost:%d", h.port)
	for _, method := range methods {
		for _, target := range targets {
			for _, headers := range []string{
				"Host: evil.example", fmt.Sprintf("Host: rebound.example:%d", h.port), "Host: localhost\r\nOrigin: http://evil.example",
				"Host: localhost\r\nOrigin: null", "Host: localhost\r\nSec-Fetch-Site: cross-site", "Host: localhost\r\nSec-Fetch-Site: same-site\r\nOrigin: " + own,
				"Host: localhost\r\nOrigin: " + own + "\r\nOrigin: http://evil.example", "Host: localhost\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site",
				"Host: localhost:80\r\nOrigin: http://localhost:80", "Host: localhost\r\nOrigin:",
			} {
				status := h.sent(t, method+" "+target+" HTTP/1.1\r\n"+headers+"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
				if status != http.StatusForbidden && status != http.StatusBadRequest {
					t.Errorf("%s %s %q: %d", method, target, headers, status)
				}
			}
		}
	}
	if len(w.auditedTools()) > 0 {
		t.Errorf("calls: %v", w.auditedTools())
	}
}

// The forms of Host that are not loopback names, those that other programs take for one included (M-12).
func TestHosts(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	for _, host := range []string{
		"evil.example", "localhost.", "localhost.evil.example", "evil.example:localhost", "localhost@evil.example", "evil.example#localhost",
		"127.1", "127.0.0.1.", "127.0.0.01", "0x7f.0.0.1", "2130706433", "127.0.0.2", "0.0.0.0", "[::]", "::1", "[::ffff:127.0.0.1]", "[::1%25lo]",
		"[0:0:0:0:0:0:0:1]", "localhost:", "localhost:x", "localhost:-1", "localhost:65536", "localhost:80:80", "localhost,evil.example", "localhost evil.example",
		"localhost/", "", " ", "ip6-localhost", "xn--localhost", "ⓛocalhost", "localhost\x00", "[localhost]",
	} {
		for _, version := range []string{"HTTP/1.1", "HTTP/1.0"} {
			for _, request := range []string{"GET /healthz " + version + "\r\nHost: " + host + "\r\n\r\n", "GET http://" + host + "/healthz " + version + "\r\nHost: localhost\r\n\r\n"} {
				if status := h.sent(t, request); status == http.StatusOK && host != "" && host != " " {
					t.Errorf("%q is answered", request)
				}
			}
		}
	}
	for request, want := range map[string]int{
		"GET /healthz HTTP/1.1\r\n\r\n":                                                           http.StatusBadRequest,
		"GET /healthz HTTP/1.0\r\n\r\n":                                                           http.StatusForbidden,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n":                  http.StatusBadRequest,
		"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n":                     http.StatusForbidden,
		"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n\r\n":      http.StatusForbidden,
		"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nForwarded: host=localhost\r\n\r\n":        http.StatusForbidden,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: evil.example\r\n\r\n":      http.StatusOK,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n\r\n":         http.StatusOK,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                                        http.StatusForbidden,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + pad(maxHeaderBytes) + "\r\n\r\n": http.StatusRequestHeaderFieldsTooLarge,
		"GET /" + pad(2*maxHeaderBytes) + " HTTP/1.1\r\nHost: localhost\r\n\r\n":                  http.StatusRequestHeaderFieldsTooLarge,
	} {
		if status := h.sent(t, request); status != want {
			t.Errorf("%.100q: %d, want %d", request, status, want)
		}
	}
}

func pad(n int) string { return strings.Repeat("x", n+8*kib) }

// Any path but the two is unknown, however it is written (M-14).
func TestOtherPaths(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	for _, path := range []string{"//mcp", "/./mcp", "/mcp/../mcp", "/x/../healthz", "//healthz", "/mcp/..", "/healthz/.", "/HEALTHZ", "/mcp;x", "//evil.example/%2e%2e"} {
		for _, method := range []string{"GET", "POST"} {
			c := h.dial(t)
			c.write(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
			if status, header, _ := c.status(method); status != http.StatusNotFound || header.Get("Location") != "" {
				t.Errorf("%s %s: %d %q", method, path, status, header.Get("Location"))
			}
		}
	}
}

// Requests that come together are judged one by one, and what stands in a body is no request (M-12, M-13).
func TestPipelining(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	health := callLine(1, "health", `{}`, "")
	own, foreign := rawCall(health, "Host: localhost"), rawCall(callLine(2, "list_projects", `{}`, ""), "Host: evil.example")
	c := h.dial(t)
	c.write(own + foreign + own + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n" + own)
	for i, want := range []int{200, 403, 200, 403, 200} {
		if status, _, body := c.status("POST"); status != want {
			t.Errorf("answer %d: %d %s", i, status, body)
		}
	}
	hidden := rawCall(callLine(3, "list_grants", `{}`, ""), "Host: localhost")
	for _, request := range []string{
		rawCall(hidden, "Host: localhost"),
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + fmt.Sprint(len(hidden)) + "\r\n\r\n" + hidden,
		rawCall(hidden, "Host: localhost", "Content-Length: 0"),
		callHead + "Host: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		callHead + "Host: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" + hidden,
		callHead + "Host: localhost\r\nContent-Length: +5\r\n\r\n" + hidden,
		callHead + "Host: localhost\r\nContent-Length : 5\r\n\r\n" + hidden,
	} {
		c := h.dial(t)
		c.write(request)
		_, _, _ = c.status("POST")
		_ = c.Close()
	}
	if tools := w.auditedTools(); tools["health"] != 3 || tools["list_projects"] != 0 || tools["list_grants"] != 0 {
		t.Errorf("calls: %v", tools)
	}
}

// A body that a page can send without asking is no call: its type is not JSON (M-13, M-15).
func TestContentTypes(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	body := callLine(1, "health", `{}`, "")
	for _, kind := range []string{
		"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; charset=application/json", "text/plain;application/json",
		"application/jsonx", "application/json-rpc", "application/ld+json", "text/json", "application", "*/*", "application/*", ";application/json", "text/plain, application/json",
	} {
		request := strings.Replace(rawCall(body, "Host: localhost"), "Content-Type: application/json", "Content-Type: "+kind, 1)
		if status := h.sent(t, request); status != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d", kind, status)
		}
	}
	if status := h.sent(t, rawCall("\x1f\x8b\x08\x00\x00", "Host: localhost", "Content-Encoding: gzip")); status < 400 {
		t.Errorf("a packed body: %d", status)
	}
	if tools := w.auditedTools(); len(tools) > 0 {
		t.Errorf("calls: %v", tools)
	}
}

// No answer, of whatever kind, lets a page read it: there are no headers of CORS (M-13), and none that tell of the machine.
func TestAnswerHeaders(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	known := []string{"Allow", "Cache-Control", "Connection", "Content-Length", "Content-Type", "Date", "X-Accel-Buffering", "X-Content-Type-Options"}
	for _, method := range methods {
		for _, path := range []string{"/mcp", "/healthz", "/other"} {
			for _, origin := range []string{"", fmt.Sprintf("Origin: http://localhost:%d\r\nAccess-Control-Request-Method: POST\r\n", h.port)} {
				c := h.dial(t)
				c.write(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + origin + "Content-Length: 0\r\n\r\n")
				_, header, _ := c.status(method)
				for name := range header {
					if !slices.Contains(known, name) {
						t.Errorf("%s %s: header %s", method, path, name)
					}
				}
			}
		}
	}
}
