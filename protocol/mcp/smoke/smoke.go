package smoke

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Status is the outcome of a check, or of the run.
type Status string

// The outcomes.
const (
	Passed  Status = "passed"
	Skipped Status = "skipped" // there was nothing to try it on
	Failed  Status = "failed"
)

// A Check is one thing that was tried. Reason says why it was skipped or failed, and what was tried when it passed.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Reason string `json:"reason"`
}

// A Report is the outcome of a run: passed, or failed when any check failed.
type Report struct {
	Status Status  `json:"status"`
	Checks []Check `json:"checks"`
}

// Options say what is tried.
type Options struct {
	URL       string // of the server's MCP endpoint, such as http://127.0.0.1:8765/mcp
	ProjectID string
	Version   string        // of the program, for the server's log
	Timeout   time.Duration // of one check; 0 = DefaultTimeout
}

// DefaultTimeout is how long one check may take. A server may need some seconds for a walk of a large project.
const DefaultTimeout = 30 * time.Second

// run is what the checks share: later ones build on what earlier ones found.
type run struct {
	options Options
	http    *http.Client
	session *sdk.ClientSession // nil when there is no connection
	project project
	found   bool   // project is what the server lists
	path    string // of the file that was read, "" when none was
	text    string // of it
}

// skip is the outcome of a check that has nothing to be tried on.
type skip string

func (s skip) Error() string { return string(s) }

// checks are the checks in their order. Each gives what it tried, or a skip, or why it failed.
var checks = []struct {
	name string
	try  func(*run, context.Context) (string, error)
}{
	{"health", (*run).health},
	{"tools", (*run).tools},
	{"listing", (*run).listing},
	{"reading", (*run).reading},
	{"grep", (*run).grep},
	{"git", (*run).git},
}

// Run tries every check. It ends early only for a cancelled context; what was not tried then counts as failed.
func Run(ctx context.Context, options Options) Report {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	r := &run{options: options, http: &http.Client{CheckRedirect: noRedirect}}
	defer func() {
		if r.session != nil {
			_ = r.session.Close()
		}
		r.http.CloseIdleConnections()
	}()
	report := Report{Status: Passed}
	for _, check := range checks {
		done := Check{Name: check.name, Status: Passed}
		within, cancel := context.WithTimeout(ctx, options.Timeout)
		reason, err := check.try(r, within)
		cancel()
		switch because := err.(type) {
		case nil:
			done.Reason = reason
		case skip:
			done.Status, done.Reason = Skipped, string(because)
		default:
			done.Status, done.Reason = Failed, err.Error()
			report.Status = Failed
		}
		report.Checks = append(report.Checks, done)
	}
	return report
}

// noRedirect keeps the client with the server that it was told to try.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// connect opens the session that all checks use, once.
func (r *run) connect(ctx context.Context) error {
	client := sdk.NewClient(&sdk.Implementation{Name: "project-knowledge-smoke", Version: r.options.Version}, nil)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: r.options.URL, HTTPClient: r.http, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return fmt.Errorf("no MCP connection: %w", err)
	}
	r.session = session
	return nil
}

// healthURL gives the address of /healthz on the server of an MCP endpoint.
func healthURL(endpoint string) (string, error) {
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return "", fmt.Errorf("%q is no http address such as http://127.0.0.1:8765/mcp", endpoint)
	}
	return (&url.URL{Scheme: at.Scheme, Host: at.Host, Path: "/healthz"}).String(), nil
}
