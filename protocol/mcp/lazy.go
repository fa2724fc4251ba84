package mcp

import (
	"errors"
	"io"
	"sync"
)

// errServerClosed: something was asked for after Close.
var errServerClosed = errors.New("the server is closed")

// lazy makes a value when it is asked for first.
type lazy[T any] struct {
	make func() (*T, error)

	mu    sync.Mutex
	value *T
}

func (l *lazy[T]) get() (*T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.value != nil {
		return l.value, nil
	}
	value, err := l.make()
	if err == nil {
		l.value = value
	}
	return value, err
}

// closeLazy closes a value that was made; nothing can be made afterwards.
func closeLazy[T any, P interface {
	*T
	io.Closer
}](l *lazy[T]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.make = func() (*T, error) { return nil, errServerClosed }
	if l.value == nil {
		return nil
	}
	value := l.value
	l.value = nil
	return P(value).Close()
}
