package store

import (
	"io/fs"
	"syscall"
)

// stamp is what tells whether the file at a name is still the one that was opened, unchanged.
type stamp struct {
	dev, ino     uint64
	size         int64
	mtime, ctime syscall.Timespec
}

func stampOf(info fs.FileInfo) stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{size: -1}
	}
	return stamp{dev: uint64(st.Dev), ino: st.Ino, size: st.Size, mtime: st.Mtim, ctime: st.Ctim}
}

func (s stamp) matches(info fs.FileInfo) bool { return s.size >= 0 && stampOf(info) == s }
