//go:build linux

package pathguard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestForbiddenRoots(t *testing.T) { // M-30
	w := newWorld(t)
	places := Places{Home: "/home/someone"}
	for _, root := range []string{
		"/", "/home", "/home/", "/home/.", "/home/someone", "/root", "/usr", "/var", "/opt", "/srv", "/boot", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/media", "/mnt", "/tmp", "/tmp/", "/tmp/.", "/usr/../tmp",
		"/etc", "/etc/ssl", "/usr/../etc", "/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/shm", "/run", "/run/user", "//etc",
		"/srv/.ssh/x", "/srv/Secrets", "/srv/auth", "/srv/a/.env",
	} {
		wantCode(t, root, NewRootGuard(places).CheckText(root), RootForbidden)
		if _, err := CheckRoot(root, places); CodeOf(err) != RootForbidden {
			t.Errorf("%s: %v", root, err)
		}
	}
	for _, root := range []string{"/home/someone/x", "/home/other", "/usr/share", "/srv/x", "/etcetera", "/runner", "/tmp/x", "/var/lib"} {
		wantCode(t, root, NewRootGuard(places).CheckText(root), "")
	}
	for _, root := range []string{"relative/dir", "", ".", filepath.Join(w.root, "missing"), filepath.Join(w.outside, "out.txt"), "/srv/a\nb", "/srv/\xff", "/" + strings.Repeat("x/", 2100)} {
		_, err := CheckRoot(root, places)
		wantCode(t, root, err, RootInvalid)
	}
}

func TestRootsInCanonicalForm(t *testing.T) { // M-30
	w := newWorld(t)
	w.put("real/sub/", "proc-link-holder/")
	w.link("link", "real", "etc", "/etc", "tmp", "/tmp", "denied", ".ssh")
	if err := os.Mkdir(filepath.Join(w.root, ".ssh"), 0o755); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"real": "real", "real/": "real", "real/./sub/..": "real", "link": "real", "link/sub": "real/sub",
	} {
		got, err := CheckRoot(w.root+"/"+given, Places{})
		if err != nil || got != filepath.Join(w.root, want) {
			t.Errorf("%s: %q, %v", given, got, err)
		}
	}
	for _, given := range []string{"etc", "tmp", "denied", ".ssh"} {
		_, err := CheckRoot(filepath.Join(w.root, given), Places{})
		wantCode(t, given, err, RootForbidden)
	}
}

func TestRootsAndTheServersOwnPlaces(t *testing.T) { // M-30
	w := newWorld(t)
	w.put("home/config/", "home/code/", "home/cache/pk/x/", "home/cache/other/", "elsewhere/")
	w.link("config-link", "home/config")
	at := func(path string) string { return filepath.Join(w.root, path) }
	places := Places{Home: at("home"), Config: at("config-link"), Staging: at("home/state/uploads"), Cache: at("home/cache/pk")}
	for _, root := range []string{".", "home", "home/config", "home/cache", "home/cache/pk", "home/cache/pk/x"} {
		_, err := CheckRoot(at(root), places)
		wantCode(t, root, err, RootForbidden)
	}
	for _, root := range []string{"home/state", "home/state/uploads", "home/state/uploads/x"} {
		wantCode(t, root, NewRootGuard(places).CheckText(at(root)), RootForbidden)
	}
	for _, root := range []string{"home/code", "home/cache/other", "elsewhere"} {
		if _, err := CheckRoot(at(root), places); err != nil {
			t.Errorf("%s: %v", root, err)
		}
	}
}

func TestContainmentByComponent(t *testing.T) { // M-23
	for _, c := range []struct {
		dir, path string
		want      bool
	}{{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/a/b", "/a", false}, {"/", "/a", true}, {"/", "/", true}} {
		if Contains(c.dir, c.path) != c.want {
			t.Errorf("Contains(%q, %q) is %v", c.dir, c.path, !c.want)
		}
	}
}
