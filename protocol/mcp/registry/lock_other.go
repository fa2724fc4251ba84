//go:build !linux

package registry

import (
	"context"
	"errors"
)

// lock refuses: without a lock nothing may be written, and without guarded opening nothing could be served here anyway.
func lock(context.Context, string) (func(), error) {
	return nil, errors.New("the registries cannot be locked on this system")
}
