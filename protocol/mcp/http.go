package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of the HTTP server (M-15).
const (
	headerTimeout   = 10 * time.Second
	idleTimeout     = 120 * time.Second
	maxHeaderBytes  = 64 * kib
	shutdownTimeout = 2 * time.Second
)

// Routes (M-1). Any other path is 404.
const (
	protocolPath = "/mcp"
	healthPath   = "/healthz"
)

// ServeHTTP listens on the loopback address of the limits and serves until the end of ctx. The bound address goes to the
// diagnostic stream (M-11).
func (s *Server) ServeHTTP(ctx context.Context) error {
	listener, err := net.Listen("tcp", address(s.limits.Host, s.limits.Port))
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address(s.limits.Host, s.limits.Port), err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	s.printf("listening on http://%s%s", address(s.limits.Host, port), protocolPath)
	return s.serveOn(ctx, listener, port)
}

func (s *Server) serveOn(ctx context.Context, listener net.Listener, port int) error {
	server := &http.Server{
		Handler:           s.handler(port),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// net/http answers OPTIONS * itself otherwise, in front of the guard (M-12, M-13).
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(s.diagnostics, "http: ", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.stop()
	patience, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	err := server.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-ended
	return err
}

// handler gives the routes behind the guard of a server that listens on a port.
func (s *Server) handler(port int) http.Handler {
	protocol := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.protocol }, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		MaxRequestBodyBytes:          s.limits.bodyBytes(),
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // the guard is stricter
	})
	served := knownRevision(protocol, s.limits.bodyBytes())
	routes := func(w http.ResponseWriter, r *http.Request) { // as they are written: nothing is redirected
		switch r.URL.Path {
		case protocolPath:
			served.ServeHTTP(w, r)
		case healthPath:
			s.serveHealth(w, r)
		default:
			http.NotFound(w, r)
		}
	}
	return newGuard(http.HandlerFunc(routes), port, s.limits.AllowedOrigins)
}

// serveHealth tells whether the server is in order, and nothing else (M-14).
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	status, code := statusOf(s.registry.Snapshot()), http.StatusOK
	if status == statusDegraded {
		code = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = fmt.Fprintf(w, `{"status":%q}`, status)
}

const revisionHeader = "MCP-Protocol-Version"

// knownRevision answers a POST of a revision that is not served (M-6); the SDK does so only for revisions after the
// first without a handshake, and only for the first message of a body. Streams must not be kept back by a proxy (M-15).
func knownRevision(next http.Handler, bodyBytes int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Accel-Buffering", "no")
		revision := r.Header.Get(revisionHeader)
		if r.Method != http.MethodPost || revision == "" || slices.Contains(protocolVersions, revision) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytes))
		if err != nil {
			http.Error(w, "The body cannot be read or is too large.", http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(unknownRevision(idOf(bytes.TrimSpace(body)), revision))
	})
}

// unknownRevision is the error of a revision that is not served, with those that are.
func unknownRevision(id json.RawMessage, revision string) []byte {
	data, err := encode(sdk.UnsupportedProtocolVersionData{Supported: protocolVersions, Requested: revision})
	if err != nil {
		panic(err) // strings always encode
	}
	out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	out = appendJSON(append(out, `,"error":`...), jsonrpc.Error{
		Code: sdk.CodeUnsupportedProtocolVersion, Message: "unsupported protocol version", Data: data,
	})
	return append(out, '}')
}
