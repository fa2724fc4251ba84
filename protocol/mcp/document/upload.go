package document

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// An upload is an unfinished document.
type upload struct {
	id, project, path string
	expires           time.Time

	busy   sync.Mutex // held while a call works on what follows
	gone   bool       // finished or expired: its chunks are removed
	chunks map[int]chunk
	bytes  int64
}

type chunk struct {
	size   int
	digest [sha256.Size]byte
}

// BeginArgs are the arguments of begin_document (M-54).
type BeginArgs struct {
	ProjectID string
	Path      string
}

// BeginResult is the result of begin_document.
type BeginResult struct {
	UploadID    string       `json:"upload_id"`
	ProjectID   string       `json:"project_id"`
	Path        string       `json:"path"`
	ExpiresAt   string       `json:"expires_at"`
	Limits      UploadLimits `json:"limits"`
	MemorySaved bool         `json:"memory_saved"`
}

// UploadLimits are the limits that an upload must keep.
type UploadLimits struct {
	MaxChunkBytes     int64 `json:"max_chunk_bytes"`
	MaxDocumentBytes  int64 `json:"max_document_bytes"`
	MaxDocumentChunks int   `json:"max_document_chunks"`
	UploadTTLSeconds  int64 `json:"upload_ttl_seconds"`
}

const timeFormat = "2006-01-02T15:04:05.000Z"

// Begin starts a document. The name is judged but not reserved: the first to finish gets it.
func (s *Store) Begin(ctx context.Context, args BeginArgs) (*BeginResult, error) {
	s.Sweep()
	place, err := s.resolve(args.ProjectID)
	if err != nil {
		return nil, err
	}
	t, err := place.target(args.Path)
	if err != nil {
		return nil, err
	}
	t.close()
	if err := ended(ctx); err != nil {
		return nil, err
	}
	u := &upload{
		id: rand.Text(), project: args.ProjectID, path: t.path, expires: s.now().Add(s.limits.TTL), chunks: make(map[int]chunk),
	}
	if err := s.admit(u); err != nil {
		return nil, err
	}
	return &BeginResult{
		UploadID: u.id, ProjectID: u.project, Path: u.path, ExpiresAt: u.expires.UTC().Format(timeFormat),
		Limits: UploadLimits{
			MaxChunkBytes: s.limits.ChunkBytes, MaxDocumentBytes: s.limits.DocumentBytes,
			MaxDocumentChunks: s.limits.Chunks, UploadTTLSeconds: int64(s.limits.TTL / time.Second),
		},
	}, nil
}

// admit adds an upload unless there are too many.
func (s *Store) admit(u *upload) error {
	u.busy.Lock()
	defer u.busy.Unlock()
	s.mu.Lock()
	switch {
	case s.uploads == nil:
		s.mu.Unlock()
		return pathguard.Fault(pathguard.WriteFailed).Because(errClosed)
	case len(s.uploads) >= s.limits.Uploads:
		s.mu.Unlock()
		return pathguard.Fault(pathguard.UploadLimit).With("max_document_uploads", s.limits.Uploads)
	}
	s.uploads[u.id] = u
	s.mu.Unlock()
	if err := s.staging.addUpload(u.id); err != nil {
		u.gone = true
		s.mu.Lock()
		delete(s.uploads, u.id)
		s.mu.Unlock()
		return writeFault(err)
	}
	return nil
}

// take finds an upload of a project and holds it until its busy lock is released.
func (s *Store) take(project, id string) (*upload, error) {
	s.mu.Lock()
	u := s.uploads[id]
	expiredIn, expired := s.expired.get(id)
	s.mu.Unlock()
	if u == nil {
		if expired && expiredIn == project {
			return nil, pathguard.Fault(pathguard.UploadExpired)
		}
		return nil, pathguard.Fault(pathguard.UploadNotFound)
	}
	if u.project != project {
		return nil, pathguard.Fault(pathguard.UploadNotFound)
	}
	u.busy.Lock()
	if u.gone {
		u.busy.Unlock()
		return nil, pathguard.Fault(pathguard.UploadNotFound)
	}
	if !s.now().Before(u.expires) {
		u.busy.Unlock()
		return nil, pathguard.Fault(pathguard.UploadExpired)
	}
	return u, nil
}

// ChunkArgs are the arguments of write_chunk (M-55).
type ChunkArgs struct {
	ProjectID string
	UploadID  string
	Index     int
	Content   string
}

// ChunkResult is the result of write_chunk.
type ChunkResult struct {
	UploadID       string `json:"upload_id"`
	Index          int    `json:"index"`
	BytesWritten   int    `json:"bytes_written"`
	SHA256         string `json:"sha256"` // of the chunk
	Duplicate      bool   `json:"duplicate"`
	ChunksReceived int    `json:"chunks_received"`
	BytesReceived  int64  `json:"bytes_received"`
	MemorySaved    bool   `json:"memory_saved"`
}

// WriteChunk takes one chunk, in any order. The same content at the same index again changes nothing.
func (s *Store) WriteChunk(ctx context.Context, args ChunkArgs) (*ChunkResult, error) {
	s.Sweep()
	if _, err := s.resolve(args.ProjectID); err != nil {
		return nil, err
	}
	u, err := s.take(args.ProjectID, args.UploadID)
	if err != nil {
		return nil, err
	}
	defer u.busy.Unlock()
	if err := s.checkChunk(args); err != nil {
		return nil, err
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	one := chunk{size: len(args.Content), digest: sha256.Sum256([]byte(args.Content))}
	before, duplicate := u.chunks[args.Index]
	switch {
	case duplicate && before != one:
		return nil, pathguard.Fault(pathguard.ChunkConflict).With("index", args.Index)
	case !duplicate && u.bytes+int64(one.size) > s.limits.DocumentBytes:
		return nil, pathguard.Fault(pathguard.DocumentTooLarge).With("max_document_bytes", s.limits.DocumentBytes)
	case !duplicate:
		if err := s.staging.write(u.id, args.Index, args.Content); err != nil {
			return nil, writeFault(err)
		}
		u.chunks[args.Index] = one
		u.bytes += int64(one.size)
	}
	return &ChunkResult{
		UploadID: u.id, Index: args.Index, BytesWritten: one.size, SHA256: hex.EncodeToString(one.digest[:]),
		Duplicate: duplicate, ChunksReceived: len(u.chunks), BytesReceived: u.bytes,
	}, nil
}

func (s *Store) checkChunk(args ChunkArgs) error {
	if args.Index < 0 || args.Index >= s.limits.Chunks {
		return pathguard.Fault(pathguard.ChunkIndexInvalid).With("max_document_chunks", s.limits.Chunks)
	}
	if int64(len(args.Content)) > s.limits.ChunkBytes {
		return pathguard.Fault(pathguard.ChunkTooLarge).With("max_chunk_bytes", s.limits.ChunkBytes)
	}
	return checkText(args.Content)
}
