package mcp

import (
	"context"
	"errors"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/document"
	"projectknowledge/protocol/mcp/gitview"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// Options make a Server.
type Options struct {
	Registry *registry.Registry
	Limits   Limits
	Staging  string    // directory of the unfinished uploads of all processes (M-57)
	Version  string    // of the program
	Log      io.Writer // diagnostics and, unless Limits names a file, the audit log
}

// Server serves the tools. Safe for concurrent use; one serves one transport.
type Server struct {
	limits      Limits
	version     string
	registry    *registry.Registry
	providers   providers
	diagnostics io.Writer
	log         *auditLog
	places      chan struct{} // one for every call that runs
	tools       []tool
	list        func() ([]byte, error) // the members of the result of tools/list
	protocol    *sdk.Server
	parked      parked

	stopping context.Context // ends the calls under way
	stop     context.CancelFunc

	uploads  lazy[document.Store]
	gitTools lazy[gitview.Git]
}

// New makes a server. Nothing is read and nothing is written yet, the files of the audit log and of unfinished uploads of
// dead processes apart. The error is a *SettingError when a limit names what cannot be used.
func New(options Options) (*Server, error) {
	s := &Server{
		limits: options.Limits, version: options.Version, registry: options.Registry,
		diagnostics: &lockedWriter{out: options.Log},
		places:      make(chan struct{}, options.Limits.ConcurrentCalls),
	}
	var err error
	if s.log, err = openAudit(options.Limits.AuditLog, s.diagnostics); err != nil {
		return nil, err
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.providers.options = s.providerOptions()
	s.uploads.make = func() (*document.Store, error) {
		return document.Open(document.Options{Directory: options.Staging, Limits: s.limits.Documents, Resolve: s.place})
	}
	s.gitTools.make = func() (*gitview.Git, error) {
		return gitview.New(gitview.Options{Timeout: s.limits.GitTimeout, AllowLinkedWorktree: s.limits.LinkedWorktree})
	}
	s.tools = catalogue(&s.limits)
	s.list = sync.OnceValues(func() ([]byte, error) { return listMembers(s.tools) })
	s.protocol = s.newProtocol()
	if _, err := s.documents(); err != nil {
		s.printf("documents cannot be created: %v", errors.Unwrap(err))
	}
	return s, nil
}

func (s *Server) providerOptions() provider.Options {
	options := provider.DefaultOptions()
	options.Limits, options.Budget = s.limits.Index, s.limits.IndexBudget
	options.ResultBytes = min(options.ResultBytes, s.limits.Files.ResultBytes)
	options.Log = s.diagnostics
	if s.limits.raisedIndex() {
		options.CacheSuffix = "-large"
	}
	return options
}

// place gives a project to the document room as the registry has it now (M-52).
func (s *Server) place(projectID string) (document.Place, error) {
	scope, err := s.registry.Snapshot().ProjectScope(projectID, "")
	if err != nil {
		return document.Place{}, err
	}
	rules, err := scope.Rules()
	return document.Place{Root: scope.Root, WriteDirectory: scope.WriteDirectory, Rules: rules}, err
}

// documents gives the store of documents. It is tried again when it could not be made: a full disk heals.
func (s *Server) documents() (*document.Store, error) {
	store, err := s.uploads.get()
	if err != nil {
		return nil, pathguard.Fault(pathguard.WriteFailed).Because(err)
	}
	return store, nil
}

func (s *Server) activeUploads() int {
	store, err := s.uploads.get()
	if err != nil {
		return 0
	}
	return store.Active()
}

// git gives the use of Git.
func (s *Server) git() (*gitview.Git, error) {
	git, err := s.gitTools.get()
	if err != nil {
		return nil, pathguard.Fault(pathguard.GitUnavailable).Because(err)
	}
	return git, nil
}

// Close ends the calls under way and removes what the server keeps outside the registries: staging files, the empty home
// of Git, open indexes.
func (s *Server) Close() error {
	s.stop()
	s.providers.close()
	return errors.Join(closeLazy(&s.uploads), closeLazy(&s.gitTools), s.log.close())
}

// lockedWriter lets several goroutines write whole lines.
type lockedWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}
