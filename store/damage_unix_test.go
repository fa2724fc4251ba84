//go:build unix

package store

import "golang.org/x/sys/unix"

// foreignHere adds the kinds of file that only such a system has.
func foreignHere(cases map[string]func(name string) error) map[string]func(name string) error {
	cases["fifo"] = func(name string) error { return unix.Mkfifo(name, 0o600) }
	return cases
}
