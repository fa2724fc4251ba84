package bench

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"projectknowledge/index"
	"projectknowledge/index/provider"
	"projectknowledge/index/source"
)

// Corpus is a fixed set of documents: an index.Source whose paths are listed
// once, so that walking directories is no part of what is measured.
type Corpus struct {
	index.Source
	Name  string
	Bytes int64 // of all documents together

	paths   []string
	changed string // the document that gets other bytes, see Change
	version int
}

// maxSourceBytes is the size of the greatest document (P-36).
const maxSourceBytes = 256 << 10

// newCorpus takes the eligible documents of fsys in path order up to the
// provider's limits of files and bytes (P-56).
func newCorpus(name string, fsys fs.FS) (*Corpus, error) {
	c := &Corpus{Source: index.FS(fsys, maxSourceBytes, nil), Name: name}
	err := fs.WalkDir(fsys, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || source.ClassifyPath(path) != "" {
			return err
		}
		info, err := entry.Info()
		if err != nil || info.Size() > maxSourceBytes {
			return err
		}
		c.paths = append(c.paths, path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", name, err)
	}
	slices.Sort(c.paths)
	return c, c.cut()
}

// cut drops what is over the provider's limits and sums the rest up. The
// middle document is the one that Change changes.
func (c *Corpus) cut() error {
	c.paths = c.paths[:min(len(c.paths), provider.MaxFiles)]
	var buf []byte
	for i, path := range c.paths {
		text, err := c.Source.Read(context.Background(), path, buf)
		if err != nil {
			return fmt.Errorf("corpus %s: %s: %w", c.Name, path, err)
		}
		if c.Bytes+int64(len(text)) > provider.MaxBytes {
			c.paths = c.paths[:i]
			break
		}
		c.Bytes += int64(len(text))
		buf = text
	}
	if len(c.paths) == 0 {
		return fmt.Errorf("corpus %s: no documents", c.Name)
	}
	c.changed = c.paths[len(c.paths)/2]
	return nil
}

// GoStandardLibrary is the source tree of the Go toolchain on the PATH.
func GoStandardLibrary() (*Corpus, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return newCorpus("gostd", os.DirFS(strings.TrimSpace(string(root))+"/src"))
}

// Paths gives the documents; see index.Source.
func (c *Corpus) Paths(context.Context) ([]string, error) { return c.paths, nil }

// Read gives a document; see index.Source. The changed one ends in a line that
// tells its version.
func (c *Corpus) Read(ctx context.Context, path string, buf []byte) ([]byte, error) {
	text, err := c.Source.Read(ctx, path, buf)
	if err == nil && path == c.changed && c.version > 0 {
		text = fmt.Appendf(bytes.Clone(text), "\n// changed %d\n", c.version)
	}
	return text, err
}

// Change gives one document other bytes than it had in any earlier read.
func (c *Corpus) Change() { c.version++ }

// Checkout writes the documents into dir and makes it the top of a Git working
// tree with one commit. Names that Git is told to ignore are added all the same.
func (c *Corpus) Checkout(dir string) error {
	for _, path := range c.paths {
		text, err := c.Source.Read(context.Background(), path, nil)
		if err != nil {
			return fmt.Errorf("corpus %s: %s: %w", c.Name, path, err)
		}
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	for _, arguments := range [][]string{
		{"init", "-q"},
		{"add", "-A", "-f"},
		{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "corpus"},
	} {
		git := exec.Command("git", arguments...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", arguments[0], err, out)
		}
	}
	return nil
}
