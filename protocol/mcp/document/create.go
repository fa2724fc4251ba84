package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"projectknowledge/protocol/mcp/pathguard"
)

// CreateArgs are the arguments of create_file (M-53).
type CreateArgs struct {
	ProjectID string
	Path      string // from the project's root, the write directory included
	Content   string
}

// Receipt says what was created (M-53). MemorySaved is always false: the server keeps no memory of its own.
type Receipt struct {
	Created         bool      `json:"created"`
	ProjectID       string    `json:"project_id"`
	Path            string    `json:"path"`
	BytesWritten    int64     `json:"bytes_written"`
	SHA256          string    `json:"sha256"`
	MemoryReference Reference `json:"memory_reference"`
	MemorySaved     bool      `json:"memory_saved"`
}

// Reference names the content of a document.
type Reference struct {
	ProjectID string `json:"project_id"`
	Path      string `json:"path"`
	SHA256    string `json:"sha256"`
}

// CreateFile creates a document with the given content.
func (s *Store) CreateFile(ctx context.Context, args CreateArgs) (*Receipt, error) {
	place, err := s.resolve(args.ProjectID)
	if err != nil {
		return nil, err
	}
	if int64(len(args.Content)) > s.limits.WriteBytes {
		return nil, pathguard.Fault(pathguard.ContentTooLarge).With("max_write_bytes", s.limits.WriteBytes)
	}
	if err := checkText(args.Content); err != nil {
		return nil, err
	}
	return s.create(ctx, place, args.ProjectID, args.Path, func(w io.Writer) error {
		_, err := io.WriteString(w, args.Content)
		return err
	})
}

// create publishes what write writes.
func (s *Store) create(ctx context.Context, place Place, project, path string, write func(io.Writer) error) (*Receipt, error) {
	t, err := place.target(path)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := ended(ctx); err != nil {
		return nil, err
	}
	digest := sha256.New()
	count := &countedWriter{}
	err = publish(t, func(w io.Writer) error { return write(io.MultiWriter(w, digest, count)) }, func() error {
		if err := ended(ctx); err != nil {
			return err
		}
		return s.unchanged(place, project)
	})
	if err != nil {
		return nil, writeFault(err)
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	return &Receipt{
		Created: true, ProjectID: project, Path: t.path, BytesWritten: count.n, SHA256: sum,
		MemoryReference: Reference{ProjectID: project, Path: t.path, SHA256: sum},
	}, nil
}

// unchanged asks the registry once more: the project must be the one that the call began with (M-52).
func (s *Store) unchanged(began Place, project string) error {
	now, err := s.resolve(project)
	switch {
	case err != nil:
		return err
	case now.Root != began.Root:
		return pathguard.Fault(pathguard.ProjectUnavailable)
	case now.WriteDirectory != began.WriteDirectory:
		return now.notAllowed()
	}
	return nil
}

type countedWriter struct{ n int64 }

func (c *countedWriter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
