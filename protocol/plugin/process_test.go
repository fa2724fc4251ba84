package plugin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// The bounds of the Runner and of the cases on the time of a provider process.
const (
	answerTime = 30 * time.Second
	endTime    = 5 * time.Second
	quietTime  = 500 * time.Millisecond
)

// binaryDir holds the program under test once a test has asked for it.
var binaryDir string

// builtBinary is the program under test, built once for all tests of this package.
var builtBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "plugin-test-bin-")
	if err != nil {
		return "", err
	}
	binaryDir = dir
	binary := filepath.Join(dir, "project-knowledge")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	output, err := exec.Command("go", "build", "-o", binary, "projectknowledge/cmd/project-knowledge").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, output)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binaryDir != "" {
		os.RemoveAll(binaryDir)
	}
	os.Exit(code)
}

// process is a running provider together with what no line of it may name.
type process struct {
	t       *testing.T
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	lines   chan []byte // closed at the end of its output
	secrets []string
	stderr  strings.Builder
	nextID  int
}

// startProcess starts the provider in a directory.
func startProcess(t *testing.T, dir string, env, secrets []string) *process {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(binary, "plugin"), lines: make(chan []byte, 64), nextID: 1}
	p.secrets = append([]string{filepath.Dir(binary)}, secrets...)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, env, &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.read(stdout)
	t.Cleanup(func() { p.cmd.Process.Kill(); p.cmd.Wait() })
	return p
}

func (p *process) read(stdout io.Reader) {
	defer close(p.lines)
	reader := bufio.NewReader(stdout)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			p.lines <- line
		}
		if err != nil {
			return
		}
	}
}

// send writes one line. A process that has ended shows in the answer that does not come.
func (p *process) send(line []byte) {
	_, _ = p.stdin.Write(append(line, '\n'))
}

// receive gives the next answer, admitted by the Runner's rules and free of leaks; ok is false when the output ended.
func (p *process) receive() (m message, ok bool) {
	p.t.Helper()
	select {
	case line, open := <-p.lines:
		if !open {
			return m, false
		}
		m, err := admitLine(line)
		if err != nil {
			p.t.Fatalf("line %.300q: %v", line, err)
		}
		for _, secret := range p.secrets {
			if strings.Contains(string(line), secret) {
				p.t.Fatalf("the line names %q: %.300q", secret, line)
			}
		}
		return m, true
	case <-time.After(answerTime):
		p.t.Fatalf("no answer within %v", answerTime)
	}
	panic("unreachable")
}

// request sends a request with the next id and gives its answer.
func (p *process) request(method string, params any) (message, bool) {
	p.t.Helper()
	id := p.nextID
	p.nextID++
	line, err := encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(line)
	m, ok := p.receive()
	if ok && string(m.ID) != fmt.Sprint(id) {
		p.t.Fatalf("answer to %d has id %s", id, m.ID)
	}
	return m, ok
}

func (p *process) initialize() (message, bool) {
	p.t.Helper()
	return p.request("initialize", map[string]string{"protocolVersion": ProtocolVersion})
}

// mustInitialize starts the session as a Runner does, catalogue included.
func (p *process) mustInitialize() {
	p.t.Helper()
	if m, ok := p.initialize(); !ok || m.Result == nil {
		p.t.Fatalf("initialize: %d %s; stderr: %s", m.Code, m.Text, p.stderr.String())
	}
	m, ok := p.request("tools/list", struct{}{})
	if !ok {
		p.t.Fatal("tools/list: no answer")
	}
	if _, _, err := admitCatalogue(m.Result); err != nil {
		p.t.Fatal(err)
	}
}

// outcome is the answer to a call.
type outcome struct {
	rpcCode    int // of a JSON-RPC error; 0 for a result
	structured map[string]any
	raw        json.RawMessage // structuredContent as it was written
	isError    bool
}

func (o outcome) failed() bool { return o.rpcCode != 0 || o.isError }

// call calls a tool; arguments are JSON or a value that encodes to it.
func (p *process) call(tool string, arguments any) outcome {
	p.t.Helper()
	m, ok := p.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if !ok {
		p.t.Fatalf("%s: the process ended; stderr: %s", tool, p.stderr.String())
	}
	if m.Result == nil {
		return outcome{rpcCode: m.Code}
	}
	structured, isError, err := admitResult(m.Result)
	if err != nil {
		p.t.Fatalf("%s: %v", tool, err)
	}
	members, _ := object(m.Result)
	return outcome{structured: structured, isError: isError, raw: members["structuredContent"]}
}

// end closes the input and expects exit code 0 in time, without further output (P-99).
func (p *process) end() {
	p.t.Helper()
	p.stdin.Close()
	deadline := time.After(endTime)
	for open := true; open; {
		select {
		case line, more := <-p.lines:
			if open = more; more {
				p.t.Errorf("output after the end of input: %.200q", line)
			}
		case <-deadline:
			p.t.Fatalf("the process did not end within %v of its input", endTime)
		}
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("end: %v; stderr: %s", err, p.stderr.String())
	}
}
