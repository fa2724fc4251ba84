//go:build !linux

package source

import (
	"errors"
	"io/fs"
	"os/exec"
)

// Without descriptor-relative opening that refuses links there is nothing to serve (P-1): OpenRoot and
// FilesystemRoot answer host_unsupported before any of these is reached.

var errHost = errors.New("no descriptor-relative opening without links on this system")

type opener struct{}

func (*opener) open(int, string) (int, error) { return -1, errHost }

func hostSupported() error                        { return errHost }
func openFilesystemRoot() (int, error)            { return -1, errHost }
func openDirectory(int, string) (int, error)      { return -1, errHost }
func makeDirectory(int, string) error             { return errHost }
func statDescriptor(int) (Stat, error)            { return Stat{}, errHost }
func statChild(int, string) (Stat, error)         { return Stat{}, errHost }
func statPath(string, bool) (Stat, error)         { return Stat{}, errHost }
func closeDescriptor(int)                         {}
func readDescriptor(int, []byte) (int, error)     { return 0, errHost }
func openGitFile(int, string, bool) (int, error)  { return -1, errHost }
func statGitFile(int, string, bool) (Stat, error) { return Stat{}, errHost }
func inOwnGroup(*exec.Cmd)                        {}
func workingDirectory() (string, error)           { return "", errHost }
func effectiveUser() uint32                       { return 0 }
func exhausted(error) bool                        { return false }
func refusedKind(error) bool                      { return false }
func identityOf(fs.FileInfo) Identity             { return Identity{} }
func isMissing(error) bool                        { return false }
