//go:build !linux

package files

import "io/fs"

func changeTime(fs.FileInfo) int64 { return 0 }
