package provider

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"projectknowledge/index/source"
)

// Provider serves one root and its cache. The zero value is not usable; Admit gives one.
type Provider struct {
	opt     Options
	root    *source.Root
	cache   cache
	log     *diagnostics
	buffers bufferPool
	now     func() time.Time

	serving sync.RWMutex // held for reading by every call, so that Close waits for them
	closed  bool
}

// errClosed is a call after Close.
var errClosed = errors.New("the provider is closed")

// Close waits for the calls under way and gives the root and the open index back. Later calls fail.
func (p *Provider) Close() error {
	p.serving.Lock()
	defer p.serving.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	p.cache.close()
	return p.root.Close()
}

// serve runs one call on an open provider.
func serve[R any](p *Provider, operation string, run func() (*R, error)) (*R, error) {
	return contained(p.log, operation, func() (*R, error) {
		p.serving.RLock()
		defer p.serving.RUnlock()
		if p.closed {
			return nil, errClosed
		}
		return run()
	})
}

// contained runs an operation and is the one way out of this room: a panic becomes InternalError (P-90), every other
// error gets its code, and the cause of each goes to the log alone.
func contained[R any](log *diagnostics, operation string, run func() (*R, error)) (result *R, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = newError(InternalError, "", fmt.Errorf("panic: %v: %s", fault, debug.Stack()))
		}
		if err != nil {
			known := asError(err)
			log.failure(operation, known)
			result, err = nil, known
		}
	}()
	return run()
}

// within bounds ctx by a budget; zero means no bound.
func within(ctx context.Context, budget time.Duration) (context.Context, context.CancelFunc) {
	if budget <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, budget)
}

func decimal(n int) string { return strconv.Itoa(n) }
