//go:build !unix

package store

// foreignHere adds the kinds of file that only such a system has.
func foreignHere(cases map[string]func(name string) error) map[string]func(name string) error {
	return cases
}
