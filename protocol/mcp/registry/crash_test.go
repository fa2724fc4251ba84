//go:build linux

package registry

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// writerVariable names the configuration directory for TestWriterProcess when it runs as a process of its own.
const writerVariable = "PROJECT_KNOWLEDGE_TEST_WRITER"

// TestWriterProcess is the other process of TestKilledWritersLeaveARegistry; by itself it has nothing to do.
func TestWriterProcess(t *testing.T) {
	config := os.Getenv(writerVariable)
	if config == "" {
		return
	}
	r := newRegistry(config, (&world{}).places, time.Now)
	for i := 0; ; i++ {
		name := fmt.Sprintf("name %d", i)
		if _, err := r.UpdateProject(t.Context(), "p1", ProjectChange{Name: &name}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			fmt.Println("writing")
		}
	}
}

func TestKilledWritersLeaveARegistry(t *testing.T) { // M-26
	w := newWorld(t)
	r := w.registry()
	w.project(r, "p1")
	for round := range 3 {
		var writers []*exec.Cmd
		for range 2 {
			writer := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$")
			writer.Env = append(os.Environ(), writerVariable+"="+w.config)
			output, err := writer.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := writer.Start(); err != nil {
				t.Fatal(err)
			}
			defer writer.Process.Kill()
			if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "writing\n" {
				t.Fatalf("the writer says %q, %v", line, err)
			}
			writers = append(writers, writer)
		}
		time.Sleep(time.Duration(round*7) * time.Millisecond)
		for _, writer := range writers {
			_ = writer.Process.Kill()
			_ = writer.Wait()
		}
		if s := r.Snapshot(); s.ProjectsState.Status != OK {
			t.Fatalf("round %d: %v", round, s.ProjectsState.Problem)
		}
		w.project(r, fmt.Sprintf("after%d", round)) // the lock is free again
	}
	entries, err := os.ReadDir(w.config)
	if err != nil || len(entries) != 2 {
		t.Errorf("left in the directory: %v, %v", entries, err)
	}
}
