//go:build !linux

package store

import (
	"io/fs"
	"os"
)

// stamp is what tells whether the file at a name is still the one that was opened, unchanged.
type stamp struct{ info fs.FileInfo }

func stampOf(info fs.FileInfo) stamp { return stamp{info} }

func (s stamp) matches(info fs.FileInfo) bool {
	return os.SameFile(s.info, info) && s.info.Size() == info.Size() && s.info.ModTime().Equal(info.ModTime())
}
