package mcp

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// guard stands in front of every route and method (M-12, M-13): a page in a browser on this machine must not reach the
// server, whatever name it makes the server's address out to have. No request of another origin gets anything but 403.
type guard struct {
	next    http.Handler
	origins []string // accepted exactly
}

// newGuard guards a server that listens on a port.
func newGuard(next http.Handler, port int, allowed []string) *guard {
	g := &guard{next: next}
	for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
		g.origins = append(g.origins, "http://"+name+":"+strconv.Itoa(port))
	}
	for _, origin := range allowed {
		if origin != "null" { // the origin of sandboxed and local pages is nobody's
			g.origins = append(g.origins, origin)
		}
	}
	return g
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case !loopbackHost(r.Host):
		http.Error(w, "This server answers to loopback names only.", http.StatusForbidden)
	case !g.ownOrigin(r.Header):
		http.Error(w, "This server answers no page of another origin.", http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// loopbackHost judges a Host header: a loopback name with any port, so that a forwarded port works.
func loopbackHost(host string) bool {
	name, port := host, ""
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		name, port = host[:at], host[at+1:]
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	return strings.EqualFold(name, "localhost") || name == "127.0.0.1" || name == "[::1]"
}

// ownOrigin judges what a browser says about where a request comes from. Programs say nothing.
func (g *guard) ownOrigin(header http.Header) bool {
	for _, site := range header.Values("Sec-Fetch-Site") {
		if s := strings.ToLower(strings.TrimSpace(site)); s == "cross-site" || s == "same-site" {
			return false
		}
	}
	origins := header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && slices.Contains(g.origins, origins[0])
}

// address gives host and port as a URL has them.
func address(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }
