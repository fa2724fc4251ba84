//go:build !linux

package document

import (
	"errors"
	"os"
)

// errHost: this system has no way to give a file its name without the danger of replacing another.
var errHost = errors.New("documents cannot be created on this system")

type draft struct{ file *os.File }

func nameFree(*os.File, string) error        { return errHost }
func newDraft(*os.File) (*draft, error)      { return nil, errHost }
func (d *draft) name(string) error           { return errHost }
func (d *draft) discard()                    {}
func syncDirectory(directory *os.File) error { return errHost }
