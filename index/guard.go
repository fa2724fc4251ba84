package index

import (
	"fmt"
	"runtime/debug"
)

// A PanicError is a panic inside one of the goroutines of an update, handed to
// the caller so that it cannot end the process. Stack is for logs only.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("index: internal panic: %v", e.Value) }

// guard runs fn and turns a panic in it into a *PanicError.
func guard(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return fn()
}
