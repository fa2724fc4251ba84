package index

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"slices"
	"unicode/utf8"
)

// FS gives the regular files of fsys as a Source. Files for which keep reports
// false are no part of it; a nil keep takes every file. Files over maxBytes
// bytes, with a NUL byte, or in no valid UTF-8 are refused; zero means no
// bound on the size.
func FS(fsys fs.FS, maxBytes int64, keep func(path string) bool) Source {
	return &fsSource{fsys, maxBytes, keep}
}

type fsSource struct {
	fsys     fs.FS
	maxBytes int64
	keep     func(string) bool
}

func (s *fsSource) Paths(ctx context.Context) ([]string, error) {
	var paths []string
	err := fs.WalkDir(s.fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && (s.keep == nil || s.keep(path)) {
			paths = append(paths, path)
		}
		return ctx.Err()
	})
	slices.Sort(paths)
	return paths, err
}

func (s *fsSource) Read(_ context.Context, path string, buf []byte) ([]byte, error) {
	f, err := s.fsys.Open(path)
	if err != nil {
		return nil, &Refusal{"unreadable"}
	}
	defer f.Close()
	out := bytes.NewBuffer(buf[:0])
	var r io.Reader = f
	if s.maxBytes > 0 {
		r = io.LimitReader(f, s.maxBytes+1)
	}
	if _, err := out.ReadFrom(r); err != nil {
		return nil, &Refusal{"unreadable"}
	}
	if s.maxBytes > 0 && int64(out.Len()) > s.maxBytes {
		return nil, &Refusal{"oversized"}
	}
	return out.Bytes(), nil
}

func (s *fsSource) Admit(_ string, text []byte) error {
	if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return &Refusal{"binary"}
	}
	return nil
}
