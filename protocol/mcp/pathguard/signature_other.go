//go:build !linux

package pathguard

import "io/fs"

const openWithoutBlocking = 0

// SignatureFor gives the signature out of the facts of a file.
func SignatureFor(info fs.FileInfo) Signature {
	return Signature{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
