package files

import (
	"os"
	"time"
)

// A stamp tells whether an open file has changed: its size and the times of its last changes.
type stamp struct {
	size              int64
	modified, changed int64 // nanoseconds; changed is zero where the system does not tell it
}

func stampOf(file *os.File) (stamp, error) {
	facts, err := file.Stat()
	if err != nil {
		return stamp{}, err
	}
	return stamp{size: facts.Size(), modified: facts.ModTime().UnixNano(), changed: changeTime(facts)}, nil
}

func (s stamp) latest() time.Time { return time.Unix(0, max(s.modified, s.changed)) }
