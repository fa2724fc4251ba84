package pathguard

import (
	"io/fs"
	"syscall"
)

const openWithoutBlocking = syscall.O_NONBLOCK | syscall.O_CLOEXEC

// SignatureFor gives the signature out of the facts of a file.
func SignatureFor(info fs.FileInfo) Signature {
	signature := Signature{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if raw, ok := info.Sys().(*syscall.Stat_t); ok {
		signature.Device, signature.Inode = uint64(raw.Dev), raw.Ino
		signature.Changed = raw.Ctim.Nano()
	}
	return signature
}
