package mcp

import (
	"context"
	"errors"
	"sync"

	"projectknowledge/index/provider"
)

// maxProviders bounds the providers that are kept open between calls. Each holds a descriptor of its root and the open
// index.
const maxProviders = 16

// providers keeps the retrieval operations of the roots that were asked for last. Every operation checks the identity of
// its root; when a directory was replaced, the provider of the old one is dropped and the new one is admitted, so that
// this needs no restart (M-61). Safe for concurrent use.
type providers struct {
	options provider.Options

	mu     sync.Mutex
	byRoot map[string]*openProvider
	uses   int // rises with every use; tells which provider was idle longest
}

// openProvider is a provider with the calls that use it.
type openProvider struct {
	*provider.Provider
	root   string
	users  int
	lastly int
}

// with runs an operation on the provider of a root. The error is the operation's or, with an admission code, the
// provider's.
func (ps *providers) with(ctx context.Context, root string, run func(*provider.Provider) error) error {
	for replaced := false; ; replaced = true {
		p, err := ps.take(ctx, root)
		if err != nil {
			return err
		}
		err = run(p.Provider)
		changed := providerCode(err) == provider.RootChanged
		ps.give(p, changed)
		if !changed || replaced {
			return err
		}
	}
}

// take gives the open provider of a root, or admits the root.
func (ps *providers) take(ctx context.Context, root string) (*openProvider, error) {
	if p := ps.use(root, nil); p != nil {
		return p, nil
	}
	admitted, err := provider.Admit(ctx, root, ps.options)
	if err != nil {
		return nil, err
	}
	p := ps.use(root, admitted)
	if p.Provider != admitted { // another call was faster
		_ = admitted.Close()
	}
	return p, nil
}

// use counts a user of a root's provider. When there is none, it is the given one, or nil.
func (ps *providers) use(root string, admitted *provider.Provider) *openProvider {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.byRoot[root]
	if p == nil {
		if admitted == nil {
			return nil
		}
		ps.makeRoom()
		p = &openProvider{Provider: admitted, root: root}
		if ps.byRoot == nil {
			ps.byRoot = make(map[string]*openProvider)
		}
		ps.byRoot[root] = p
	}
	p.users++
	ps.uses++
	p.lastly = ps.uses
	return p
}

// makeRoom closes the provider that was idle longest when there are as many as may be kept. Those in use stay: there
// are no more of them than calls. The caller holds mu.
func (ps *providers) makeRoom() {
	if len(ps.byRoot) < maxProviders {
		return
	}
	var idle *openProvider
	for _, p := range ps.byRoot {
		if p.users == 0 && (idle == nil || p.lastly < idle.lastly) {
			idle = p
		}
	}
	if idle != nil {
		delete(ps.byRoot, idle.root)
		_ = idle.Close()
	}
}

// give ends a use. drop says that the provider must not be used again.
func (ps *providers) give(p *openProvider, drop bool) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.users--
	kept := ps.byRoot[p.root] == p
	if kept && (drop || len(ps.byRoot) > maxProviders && p.users == 0) {
		delete(ps.byRoot, p.root)
		kept = false
	}
	if !kept && p.users == 0 {
		_ = p.Close()
	}
}

// close closes the idle providers; the last user closes each of the others.
func (ps *providers) close() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	for root, p := range ps.byRoot {
		delete(ps.byRoot, root)
		if p.users == 0 {
			_ = p.Close()
		}
	}
}

// providerCode gives the code of an error of the provider, "" for another.
func providerCode(err error) provider.Code {
	var known *provider.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}
