//go:build !unix

package plugin

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
