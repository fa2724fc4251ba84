package source

import "io/fs"

// An Identity names a file or directory for as long as it exists, whatever its path.
type Identity struct{ Device, Inode uint64 }

// Stat is what the system tells about an open or named file.
type Stat struct {
	Identity
	Mode  fs.FileMode // type and permission bits
	Owner uint32
	Links uint64
	Size  int64
}
