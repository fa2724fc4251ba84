//go:build linux

package provider

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"projectknowledge/store"
)

// P-21, P-22: where the cache of a root lies, for every state of the environment.
func TestCachePlace(t *testing.T) {
	hash := hashOf("/srv/project")
	for _, c := range []struct {
		name, xdg, home, suffix, want string
	}{
		{"XDG_CACHE_HOME", "/x/cache", "/home/u", "", "/x/cache/webcodex-project-knowledge/" + hash},
		{"written with needless parts", "/x//cache/.", "/home/u", "", "/x/cache/webcodex-project-knowledge/" + hash},
		{"absent", "", "/home/u", "", "/home/u/.cache/webcodex-project-knowledge/" + hash},
		{"relative", "cache", "/home/u", "", "/home/u/.cache/webcodex-project-knowledge/" + hash},
		{"with raised limits (M-61)", "/x", "", "-large", "/x/webcodex-project-knowledge/" + hash + "-large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("XDG_CACHE_HOME", c.xdg)
			t.Setenv("HOME", c.home)
			names, err := cacheNames("/srv/project", c.suffix)
			if got := "/" + strings.Join(names, "/"); err != nil || got != c.want {
				t.Errorf("%s (%v), want %s", got, err, c.want)
			}
		})
	}
}

func TestCachePathWithParentComponentIsRefused(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/x/../cache")
	_, err := cacheNames("/srv/project", "")
	wantCode(t, err, CacheUnsafe)
}

// P-21: without HOME the home of the user database is meant.
func TestCachePlaceWithoutHome(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	names, err := cacheNames("/srv/project", "")
	if err != nil {
		wantCode(t, err, CacheUnsafe)
	} else if len(names) < 3 || names[len(names)-3] != ".cache" {
		t.Errorf("placed at %v", names)
	}
}

// P-23, P-26, P-28: what index creates, whatever the umask; and nothing but that.
func TestIndexCreatesPrivateFiles(t *testing.T) {
	for _, umask := range []int{0o000, 0o022, 0o277} {
		w := newWorld(t, basic)
		w.must(os.Remove(w.cache))
		p := w.admit()
		old := syscall.Umask(umask)
		_, err := p.Index(t.Context(), IndexRequest{})
		syscall.Umask(old)
		w.must(err)
		for path, state := range w.tree(w.cache) {
			want := "drwx------"
			if name := filepath.Base(path); strings.HasSuffix(path, store.FileName) || name == store.LockName {
				want = "-rw-------"
			}
			if !strings.HasPrefix(state, want) {
				t.Errorf("umask %#o: %s is %s, want %s", umask, path, state[:10], want)
			}
		}
		entries, err := os.ReadDir(w.cacheDir())
		w.must(err)
		for _, entry := range entries {
			if entry.Name() != store.FileName && entry.Name() != store.LockName {
				t.Errorf("%s was left in the cache", entry.Name())
			}
		}
	}
}

// unsafeCaches breaks one rule of section C each, in a world that has an index.
var unsafeCaches = map[string]func(w *world){
	"application directory readable by others (P-23)": func(w *world) { w.must(os.Chmod(filepath.Dir(w.cacheDir()), 0o755)) },
	"index directory readable by the group (P-23)":    func(w *world) { w.must(os.Chmod(w.cacheDir(), 0o750)) },
	"index directory enterable by others (P-23)":      func(w *world) { w.must(os.Chmod(w.cacheDir(), 0o701)) },
	"index file readable by others (P-24)":            func(w *world) { w.must(os.Chmod(w.indexFile(), 0o644)) },
	"index file read-only (P-24)":                     func(w *world) { w.must(os.Chmod(w.indexFile(), 0o400)) },
	"index file with a second link (P-24)":            func(w *world) { w.must(os.Link(w.indexFile(), w.dir+"/second")) },
	"index file behind a link (P-24)":                 func(w *world) { w.behindLink(w.indexFile()) },
	"index file a directory (P-24)": func(w *world) {
		w.must(os.Remove(w.indexFile()))
		w.must(os.Mkdir(w.indexFile(), 0o600))
	},
	"index file a FIFO (P-24)": func(w *world) {
		w.must(os.Remove(w.indexFile()))
		w.must(syscall.Mkfifo(w.indexFile(), 0o600))
	},
	"lock file behind a link (P-24)":             func(w *world) { w.behindLink(filepath.Join(w.cacheDir(), store.LockName)) },
	"index directory behind a link (P-24)":       func(w *world) { w.behindLink(w.cacheDir()) },
	"application directory behind a link (P-24)": func(w *world) { w.behindLink(filepath.Dir(w.cacheDir())) },
	"cache home behind a link (P-24)":            func(w *world) { w.behindLink(w.cache) },
	"cache home a file (P-24)": func(w *world) {
		w.must(os.RemoveAll(w.cache))
		w.must(os.WriteFile(w.cache, nil, 0o600))
	},
	"directory above writable by the group (P-24)": func(w *world) { w.must(os.Chmod(w.cache, 0o770)) },
	"directory above writable by all (P-24)":       func(w *world) { w.must(os.Chmod(w.cache, 0o707)) },
	"index directory of another owner (P-23)":      func(w *world) { w.must(os.Chown(w.cacheDir(), stranger, -1)) },
	"application directory of another owner (P-23)": func(w *world) {
		w.must(os.Chown(filepath.Dir(w.cacheDir()), stranger, -1))
	},
	"index file of another owner (P-24)": func(w *world) { w.must(os.Chown(w.indexFile(), stranger, -1)) },
}

// stranger is a user who is not the effective one.
const stranger = 12345

// behindLink moves what is at path aside and puts a symbolic link in its place.
func (w *world) behindLink(path string) {
	w.t.Helper()
	aside := w.dir + "/aside"
	w.must(os.Rename(path, aside))
	w.must(os.Symlink(aside, path))
}

// Section C: a broken rule is cache_unsafe for everything that touches the cache, is not mended, and read goes on.
func TestUnsafeCacheIsRefused(t *testing.T) {
	for name, spoil := range unsafeCaches {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "owner") && os.Geteuid() != 0 {
				t.Skip("giving a file away needs root")
			}
			w := newWorld(t, basic)
			p := w.admit()
			w.indexed(p, Rebuild)
			spoil(w)
			before := w.tree(w.dir)
			for _, who := range []*Provider{p, w.admit()} {
				for operation, err := range calls(t.Context(), who) {
					writes := operation == "index" || operation == "refresh"
					if operation == "read" || strings.HasPrefix(name, "lock") && !writes {
						w.must(err)
						continue
					}
					wantCode(t, err, CacheUnsafe)
				}
			}
			if !maps.Equal(before, w.tree(w.dir)) {
				t.Error("something was written")
			}
		})
	}
}

// P-24: a directory above may be of any owner and mode when nobody else can rename what is in it.
func TestStickyDirectoryAboveIsAccepted(t *testing.T) {
	w := newWorld(t, basic)
	w.must(os.Chmod(w.cache, 0o777|fs.ModeSticky))
	w.indexed(w.admit(), Rebuild)
}

// P-23: rules hold again once the modes are put right, without a restart.
func TestCacheIsUsedAgainOnceMended(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	w.must(os.Chmod(w.cacheDir(), 0o755))
	_, err := p.Status(t.Context())
	wantCode(t, err, CacheUnsafe)
	w.must(os.Chmod(w.cacheDir(), 0o700))
	if paths := w.paths(p, "lighthouse"); len(paths) != 1 {
		t.Errorf("hits %v", paths)
	}
}

// P-25: a cache in the project or in its Git directory is refused, also when Git ignores it, and nothing is created.
func TestCacheInsideTheProjectIsRefused(t *testing.T) {
	for _, place := range []string{"", "cache", "deep/er/cache", ".git", ".git/cache"} {
		t.Run("at "+place, func(t *testing.T) {
			w := newWorld(t, map[string]string{"README.md": basic["README.md"], ".gitignore": "cache/\n"})
			t.Setenv("XDG_CACHE_HOME", filepath.Join(w.root, place))
			p := w.admit()
			before := w.tree(w.dir)
			for operation, err := range calls(t.Context(), p) {
				if operation != "read" {
					wantCode(t, err, CacheUnsafe)
				}
			}
			if !maps.Equal(before, w.tree(w.dir)) {
				t.Error("something was created")
			}
		})
	}
}

// P-25: the Git directory of a linked worktree is that of the main one and the part that is its own.
func TestCacheInsideTheGitDirectoryOfALinkedWorktreeIsRefused(t *testing.T) {
	for _, place := range []string{".git/cache", ".git/worktrees/linked/cache", ".git/worktrees/linked"} {
		w := newWorld(t, basic)
		linked := w.dir + "/linked"
		w.git("worktree", "add", "-q", "-b", "side", linked)
		t.Setenv("XDG_CACHE_HOME", filepath.Join(w.root, place))
		t.Setenv("PWD", linked)
		p, err := Admit(t.Context(), linked, w.options())
		w.must(err)
		before := w.tree(w.dir)
		_, err = p.Index(t.Context(), IndexRequest{})
		wantCode(t, err, CacheUnsafe)
		if !maps.Equal(before, w.tree(w.dir)) {
			t.Errorf("%s: something was created", place)
		}
		_ = p.Close()
	}
}

// P-29: status, search and read create nothing, not even directories; P-68: a missing cache is a missing index.
func TestOnlyIndexWrites(t *testing.T) {
	w := newWorld(t, basic)
	w.must(os.Remove(w.cache))
	p := w.admit()
	status, err := p.Status(t.Context())
	w.must(err)
	if status.Indexed || status.Coverage != nil || status.Format != 0 {
		t.Errorf("status without an index: %+v", status)
	}
	_, err = p.Search(t.Context(), SearchRequest{Query: "lighthouse"})
	wantCode(t, err, NotIndexed)
	_, err = p.Read(t.Context(), ReadRequest{Path: "README.md", SourceHash: w.hash("README.md")})
	w.must(err)
	if _, err := os.Lstat(w.cache); err == nil {
		t.Error("the cache was created")
	}
	w.indexed(p, Rebuild)
	before := w.tree(w.dir)
	w.search(p, "lighthouse", 5)
	_, err = p.Status(t.Context())
	w.must(err)
	_, err = p.Read(t.Context(), ReadRequest{Path: "README.md", SourceHash: w.hash("README.md")})
	w.must(err)
	if !maps.Equal(before, w.tree(w.dir)) {
		t.Error("something was written")
	}
}

// P-27: an index removed by hand is a missing one, also for a provider that had it open.
func TestIndexRemovedByHand(t *testing.T) {
	for _, victim := range []func(w *world) string{(*world).indexFile, (*world).cacheDir, func(w *world) string { return w.cache }} {
		w := newWorld(t, basic)
		p := w.admit()
		w.indexed(p, Rebuild)
		w.search(p, "lighthouse", 5)
		w.must(os.RemoveAll(victim(w)))
		status, err := p.Status(t.Context())
		w.must(err)
		if status.Indexed {
			t.Error("still indexed")
		}
		_, err = p.Search(t.Context(), SearchRequest{Query: "lighthouse"})
		wantCode(t, err, NotIndexed)
		w.indexed(p, Refresh)
		if paths := w.paths(p, "lighthouse"); len(paths) != 1 {
			t.Errorf("hits after a new index: %v", paths)
		}
	}
}

// M-61: an index with other limits lies in a directory of its own.
func TestCacheSuffixKeepsIndexesApart(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	large := w.admit(func(o *Options) { o.CacheSuffix = "-large" })
	w.indexed(large, Rebuild)
	status, err := p.Status(t.Context())
	w.must(err)
	if status.Indexed {
		t.Error("the other index is served")
	}
	if _, err := os.Stat(w.cacheDir() + "-large/" + store.FileName); err != nil {
		t.Error(err)
	}
}

// P-89: a place where nothing can be made is cache_unavailable for index, and without an index for the others.
func TestCacheThatCannotBeMade(t *testing.T) {
	w := newWorld(t, basic)
	t.Setenv("XDG_CACHE_HOME", "/proc/nowhere")
	p := w.admit()
	_, err := p.Index(t.Context(), IndexRequest{})
	wantCode(t, err, CacheUnavailable)
	_, err = p.Search(t.Context(), SearchRequest{Query: "lighthouse"})
	wantCode(t, err, NotIndexed)
}

// A cache directory that is replaced while a call uses it stays open for that call; the next one sees the new directory.
func TestReplacedCacheDirectory(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	first, err := p.cache.open(false)
	w.must(err)
	w.must(os.Rename(w.cacheDir(), w.dir+"/aside"))
	w.must(os.Mkdir(w.cacheDir(), 0o700))
	second, err := p.cache.open(false)
	w.must(err)
	if first == second {
		t.Error("the directory that was moved away is still served")
	}
	if status, err := first.index.Status(t.Context()); err != nil || status.Coverage.IndexedFiles != len(basic) {
		t.Errorf("the call under way lost its index: %v", err)
	}
	first.release()
	second.release()
	if status, err := p.Status(t.Context()); err != nil || status.Indexed {
		t.Errorf("%+v, %v", status, err)
	}
}
