package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// console is where a command reads and writes, and what of it is a terminal.
type console struct {
	in             io.Reader
	out, err       io.Writer
	outTTY, errTTY bool
	color          bool // of out
}

// systemConsole is the console of the process.
func systemConsole() *console {
	outTTY := term.IsTerminal(int(os.Stdout.Fd()))
	return &console{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		outTTY: outTTY,
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
		color:  showsColor(outTTY, os.Getenv),
	}
}

// showsColor decides on colours: only on a terminal, not on one that is called dumb, and not against NO_COLOR.
func showsColor(terminal bool, env func(string) string) bool {
	return terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
}

// style is an SGR sequence of a terminal.
type style string

const (
	stylePath   style = "\x1b[1;35m"
	styleNumber style = "\x1b[32m"
	styleMatch  style = "\x1b[1;31m"
	styleGood   style = "\x1b[32m"
	styleBad    style = "\x1b[1;31m"
	styleFaint  style = "\x1b[2m"
	styleReset        = "\x1b[0m"
)

// paint gives text in a style where the console shows colours, else as it is.
func (c *console) paint(s style, text string) string {
	if !c.color || text == "" {
		return text
	}
	return string(s) + text + styleReset
}
