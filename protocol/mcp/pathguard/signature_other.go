//go:build !linux

package pathguard

import "io/fs"

const openWithoutBlocking = 0

func signatureOf(info fs.FileInfo) Signature {
	return Signature{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
