package gitview

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Git opens files by their paths and can be led out of the root by whoever exchanges a directory for a link at the right
// moment. The kernel is asked to keep it in (Landlock; M-34): Git, and whatever it might start, then reads the repository
// and the system's programs and libraries, writes nothing and connects to nothing.

const (
	mayRead    = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	mayExecute = mayRead | unix.LANDLOCK_ACCESS_FS_EXECUTE

	firstRights = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // those of the first version
	fileRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
)

// programs are where systems keep programs and what these load.
var programs = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.preload",
}

// landlock gives the version of Landlock that this kernel has; 0 for none.
var landlock = sync.OnceValue(func() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
})

// confined runs a function on a thread that can read nothing but the given directories, which holds for the processes that
// it starts as well. The thread ends with it. Where the kernel cannot confine, it is run as it is.
func confined(readable []string, run func() ([]byte, error)) (output []byte, err error) {
	if landlock() == 0 {
		return run()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if cause := recover(); cause != nil {
				output, err = nil, fmt.Errorf("panic: %v", cause)
			}
		}()
		runtime.LockOSThread() // and never unlocked: the confinement cannot be lifted
		if err = confineThread(readable); err == nil {
			output, err = run()
		}
	}()
	<-done
	return output, err
}

func confineThread(readable []string) error {
	attributes := unix.LandlockRulesetAttr{Handled_access_fs: firstRights}
	if landlock() >= 2 {
		attributes.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if landlock() >= 3 {
		attributes.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if landlock() >= 4 {
		attributes.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if errno != 0 {
		return fmt.Errorf("confine: %w", errno)
	}
	defer func() { _ = unix.Close(int(rules)) }()
	if err := allow(rules, attributes.Handled_access_fs, readable); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return fmt.Errorf("confine: %w", errno)
	}
	return nil
}

// allow adds to a set of rules what Git needs.
func allow(rules uintptr, handled uint64, readable []string) error {
	for _, dir := range readable {
		if err := allowBeneath(rules, dir, mayRead); err != nil {
			return err
		}
	}
	for _, path := range append(programs[:len(programs):len(programs)], installation()...) {
		if err := allowBeneath(rules, path, mayExecute); err != nil {
			return err
		}
	}
	return allowBeneath(rules, os.DevNull, handled&(mayRead|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_TRUNCATE))
}

// allowBeneath allows something with a file, or with everything below a directory; what does not exist needs no rule.
func allowBeneath(rules uintptr, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	defer func() { _ = unix.Close(at) }()
	var facts unix.Stat_t
	if err := unix.Fstat(at, &facts); err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	if facts.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("confine: %w", errno)
	}
	return nil
}

// installation gives the directories of a Git that is kept in a place of its own.
func installation() []string {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil // to be said by whoever starts it
	}
	names := []string{git}
	if real, err := filepath.EvalSymlinks(git); err == nil && real != git {
		names = append(names, real)
	}
	var found []string
	for _, name := range names {
		found = append(found, name)
		for _, part := range []string{"bin", "lib", "lib64", "libexec", "share"} {
			found = append(found, filepath.Join(filepath.Dir(filepath.Dir(name)), part))
		}
	}
	return found
}
