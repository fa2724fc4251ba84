// Command project-knowledge searches the Git-tracked text of a project: as a provider of a WebCodex Runner (plugin) and
// for a person at a terminal (index, search, read, status, explain, doctor, check). Every answer is cut from bytes that
// were read and hashed while it was made.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

func main() {
	floor := boundMemory()
	code := run()
	runtime.KeepAlive(floor)
	os.Exit(code)
}

// run carries out the command line under the signals that end it: the first one asks it to stop soon, with whatever
// index was published kept; the second one ends the process.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return execute(ctx, systemConsole(), os.Args[1:])
}
