package files

import (
	"io/fs"
	"syscall"
)

func changeTime(facts fs.FileInfo) int64 {
	if raw, ok := facts.Sys().(*syscall.Stat_t); ok {
		return raw.Ctim.Nano()
	}
	return 0
}
