package provider

import (
	"errors"
	"io/fs"
	"sync"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store"
)

// cache keeps the index of a root open between calls. Its rules are checked anew by every call that touches it (P-2,
// section C): what is kept saves opening, never judging.
type cache struct {
	root    *source.Root
	options index.Options
	place   error // why there is no place for a cache

	mu     sync.Mutex
	walk   cacheWalk
	held   *openCache // the directory last seen at the place; nil when none
	closed bool
}

// openCache is the cache directory with the index in it, shared by the calls that use it.
type openCache struct {
	owner    *cache
	dir      *store.Dir
	index    *index.Index
	identity source.Identity
	users    int
	retired  bool
}

// open checks every rule of the cache and gives its index, for the caller to release. With create it makes missing
// directories (P-23); without, a missing one is NotIndexed and nothing is created (P-29).
func (c *cache) open(create bool) (*openCache, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, fs.ErrClosed
	}
	if err := c.follow(create); err != nil {
		return nil, err
	}
	c.held.users++
	return c.held, nil
}

// follow makes held the directory that is at the place now; the caller holds mu.
func (c *cache) follow(create bool) error {
	if c.place != nil {
		return c.place
	}
	territory, err := c.root.Territory()
	if err != nil {
		return err
	}
	at, err := c.walk.enter(territory, create)
	if err != nil {
		c.retire()
		if create {
			return missing(err, CacheUnavailable)
		}
		return missing(err, NotIndexed)
	}
	if err := checkFiles(at.dir, create); err != nil {
		return err
	}
	if c.held != nil && c.held.identity == at.identity {
		return nil
	}
	c.retire()
	root, err := at.dir.OpenRoot()
	if err != nil {
		return unsafePath(err)
	}
	dir := store.NewDir(root)
	c.held = &openCache{owner: c, dir: dir, index: index.New(dir, c.options), identity: at.identity}
	return nil
}

// stillAt reports as an error that the directory which a call has written to is no longer the one at the place: what was
// published there is not what the next call will find.
func (c *cache) stillAt(used *openCache) error {
	now, err := c.open(false)
	if err != nil {
		return missing(err, CacheUnavailable)
	}
	defer now.release()
	if now != used {
		return newError(CacheUnavailable, "The cache directory was replaced during the call.", nil)
	}
	return nil
}

// retire gives the held directory up; the calls that use it end first. The caller holds mu.
func (c *cache) retire() {
	held := c.held
	c.held = nil
	if held == nil {
		return
	}
	held.retired = true
	if held.users == 0 {
		held.close()
	}
}

// release ends one use.
func (o *openCache) release() {
	o.owner.mu.Lock()
	defer o.owner.mu.Unlock()
	o.users--
	if o.retired && o.users == 0 {
		o.close()
	}
}

// close gives up read-only descriptors: their errors change nothing that was answered.
func (o *openCache) close() {
	_ = o.index.Close()
	_ = o.dir.Close()
}

// close ends the cache; calls under way keep what they use.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.retire()
	c.walk.back(0)
}

// checkFiles judges the files of the cache that are about to be used: the index, and the lock by one who writes.
func checkFiles(at *source.Dir, write bool) error {
	err := checkFile(at, store.FileName)
	if err == nil && write {
		err = checkFile(at, store.LockName)
	}
	return err
}

// checkFile judges a file that exists: regular, one link, owned by the effective user, mode 0600 (P-24).
func checkFile(at *source.Dir, name string) error {
	stat, err := at.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case stat.Mode != privateFile || stat.Links != 1 || !own(stat):
		return newError(CacheUnsafe, "The files of the cache must be regular, with one link, owned by this user, with mode 0600.", nil)
	}
	return nil
}
