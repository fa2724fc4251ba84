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

	file   source.Stat // the index file at the last look; zero when there was none
	judged judgement   // about that file
}

// judgement tells whether the sources of an index file were admitted by the rules of this program.
type judgement struct {
	file    source.Stat
	current bool
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
	file, err := checkFiles(at.dir, create)
	if err != nil {
		return err
	}
	if c.held != nil && c.held.identity == at.identity {
		c.held.file = file
		return nil
	}
	c.retire()
	root, err := at.dir.OpenRoot()
	if err != nil {
		return unsafePath(err)
	}
	dir := store.NewDir(root)
	c.held = &openCache{owner: c, dir: dir, index: index.New(dir, c.options), identity: at.identity, file: file}
	return nil
}

// currentRules reports whether the published index was made under the content rules of this program, so that a source
// with the stored hash need not be judged again (P-36). It opens the file once for each that is published.
func (o *openCache) currentRules() bool {
	o.owner.mu.Lock()
	defer o.owner.mu.Unlock()
	if o.judged.file != o.file {
		o.judged = judgement{file: o.file, current: publishedRules(o.dir) == source.RulesVersion}
	}
	return o.judged.current
}

// publishedRules gives the version of the rules that an index was made under; none for one that cannot be read, which the
// search itself will tell.
func publishedRules(dir *store.Dir) int {
	snapshot, err := dir.Open()
	if err != nil {
		return 0
	}
	defer snapshot.Close()
	return snapshot.Meta().Rules
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

// checkFiles judges the files of the cache that are about to be used, the index, and the lock by one who writes. It
// gives the index file.
func checkFiles(at *source.Dir, write bool) (source.Stat, error) {
	file, err := checkFile(at, store.FileName)
	if err == nil && write {
		_, err = checkFile(at, store.LockName)
	}
	return file, err
}

// checkFile judges a file that exists: regular, one link, owned by the effective user, mode 0600 (P-24).
func checkFile(at *source.Dir, name string) (source.Stat, error) {
	stat, err := at.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return source.Stat{}, nil
	case err != nil:
		return source.Stat{}, err
	case stat.Mode != privateFile || stat.Links != 1 || !own(stat):
		return source.Stat{}, newError(CacheUnsafe, "The files of the cache must be regular, with one link, owned by this user, with mode 0600.", nil)
	}
	return stat, nil
}
