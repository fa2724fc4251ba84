package document

import (
	"context"
	"crypto/sha256"
	"io"
	"maps"
	"slices"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// FinishArgs are the arguments of finish_document (M-56).
type FinishArgs struct {
	ProjectID   string
	UploadID    string
	TotalChunks int
}

// FinishResult is the result of finish_document.
type FinishResult struct {
	Receipt
	TotalChunks int  `json:"total_chunks"`
	Repeated    bool `json:"repeated"` // it was finished before; this is the receipt of then
}

// finished is what is remembered of a finished upload.
type finished struct {
	result  FinishResult
	expires time.Time
}

// shownChunks is how many indices an error lists.
const shownChunks = 20

// Finish joins the chunks without anything between them and creates the document. When it is refused, the upload stays.
// A repeated call gives the first one's receipt for as long as that is remembered.
func (s *Store) Finish(ctx context.Context, args FinishArgs) (*FinishResult, error) {
	s.Sweep()
	if args.TotalChunks < 1 {
		return nil, pathguard.Errorf(pathguard.InvalidArguments, "total_chunks must be at least 1.")
	}
	place, err := s.resolve(args.ProjectID)
	if err != nil {
		return nil, err
	}
	u, err := s.take(args.ProjectID, args.UploadID)
	if err != nil {
		return s.repeat(args, err)
	}
	defer u.busy.Unlock()
	if err := u.complete(args.TotalChunks); err != nil {
		return nil, err
	}
	receipt, err := s.create(ctx, place, u.project, u.path, func(w io.Writer) error { return s.join(ctx, u, w) })
	if err != nil {
		return nil, err
	}
	result := FinishResult{Receipt: *receipt, TotalChunks: args.TotalChunks}
	u.gone = true
	s.mu.Lock()
	delete(s.uploads, u.id)
	s.finished.put(u.id, finished{result: result, expires: u.expires})
	s.mu.Unlock()
	s.staging.removeUpload(u.id)
	return &result, nil
}

// repeat answers for an upload that is not there, with err unless it was finished.
func (s *Store) repeat(args FinishArgs, err error) (*FinishResult, error) {
	s.mu.Lock()
	before, found := s.finished.get(args.UploadID)
	s.mu.Unlock()
	if !found || before.result.ProjectID != args.ProjectID || !s.now().Before(before.expires) {
		return nil, err
	}
	switch total := before.result.TotalChunks; {
	case args.TotalChunks > total:
		return nil, missing(chunksFrom(total, args.TotalChunks))
	case args.TotalChunks < total:
		return nil, unexpected(chunksFrom(args.TotalChunks, total))
	}
	result := before.result
	result.Repeated = true
	return &result, nil
}

// complete proves that the chunks received are exactly those from 0 to total-1.
func (u *upload) complete(total int) error {
	if gaps := u.gaps(total); len(gaps) > 0 {
		return missing(gaps)
	}
	if len(u.chunks) > total {
		received := slices.Sorted(maps.Keys(u.chunks))
		return unexpected(received[total:min(len(received), total+shownChunks)])
	}
	return nil
}

// gaps lists the first indices below total that were not received.
func (u *upload) gaps(total int) []int {
	var indices []int
	for i := 0; i < total && len(indices) < shownChunks; i++ {
		if _, ok := u.chunks[i]; !ok {
			indices = append(indices, i)
		}
	}
	return indices
}

func chunksFrom(from, to int) []int {
	var indices []int
	for i := from; i < to && len(indices) < shownChunks; i++ {
		indices = append(indices, i)
	}
	return indices
}

func missing(indices []int) error {
	return pathguard.Fault(pathguard.MissingChunks).With("missing_chunks", indices)
}

func unexpected(indices []int) error {
	return pathguard.Fault(pathguard.UnexpectedChunks).With("unexpected_chunks", indices)
}

// join writes the chunks in order and proves each to be what was received.
func (s *Store) join(ctx context.Context, u *upload, w io.Writer) error {
	for i := range len(u.chunks) {
		if err := ended(ctx); err != nil {
			return err
		}
		text, err := s.staging.read(u.id, i, u.chunks[i].size)
		if err != nil {
			return err
		}
		if sha256.Sum256(text) != u.chunks[i].digest {
			return errStaged
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}
