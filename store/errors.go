package store

import "errors"

var (
	// ErrDamaged is the one answer to a file that is not a sound index: not ours, empty, cut, flipped,
	// of an unknown format, or with parts that contradict each other. The message says what was found
	// wrong; callers compare with errors.Is.
	ErrDamaged = errors.New("store: the index file is damaged or not an index")

	// ErrBusy is returned by Dir.Lock when another holder kept the lock until the context ended.
	ErrBusy = errors.New("store: the index is locked by another writer")
)

// damage is the panic value with which decoders leave a View. It never passes the edge of this package.
type damage struct{ why string }

// damaged unwinds to the guard around the reading code, which turns it into ErrDamaged.
func damaged(why string) { panic(damage{why}) }

// damagedError is an ErrDamaged that says what was found.
type damagedError struct{ why string }

func (e *damagedError) Error() string { return ErrDamaged.Error() + ": " + e.why }

func (e *damagedError) Is(target error) bool { return target == ErrDamaged }
