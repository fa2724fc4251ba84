package smoke

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// project is what list_projects tells of one.
type project struct {
	ID        string `json:"project_id"`
	Enabled   bool   `json:"enabled"`
	Available bool   `json:"available"`
	Git       bool   `json:"git"`
}

// scoped gives arguments with the project's ID.
func (r *run) scoped(more map[string]any) map[string]any {
	arguments := map[string]any{"project_id": r.options.ProjectID}
	for name, value := range more {
		arguments[name] = value
	}
	return arguments
}

// errNoProject is a check that cannot be tried because the project is not there.
const errNoProject = skip("the project is not listed")

// listing finds the project and lists its root.
func (r *run) listing(ctx context.Context) (string, error) {
	var all struct {
		Projects []project `json:"projects"`
	}
	if err := r.call(ctx, "list_projects", nil, &all); err != nil {
		return "", err
	}
	at := slices.IndexFunc(all.Projects, func(p project) bool { return p.ID == r.options.ProjectID })
	if at < 0 {
		return "", fmt.Errorf("list_projects does not have %q", r.options.ProjectID)
	}
	r.project = all.Projects[at]
	switch {
	case !r.project.Enabled:
		return "", errors.New("the project is disabled")
	case !r.project.Available:
		return "", errors.New("the project's directory is gone")
	}
	r.found = true
	var root struct {
		Entries []struct {
			Name string `json:"name"`
		} `json:"entries"`
		Complete bool `json:"complete"`
	}
	if err := r.call(ctx, "list_dir", r.scoped(nil), &root); err != nil {
		return "", err
	}
	if !root.Complete {
		return fmt.Sprintf("the first %d entries of the root", len(root.Entries)), nil
	}
	return fmt.Sprintf("%d entries in the root", len(root.Entries)), nil
}

// readme is tried first.
const readme = "README.md"

// reading reads README.md, else any text file, and proves its hash.
func (r *run) reading(ctx context.Context) (string, error) {
	switch {
	case r.session == nil:
		return "", errNoSession
	case !r.found:
		return "", errNoProject
	}
	err := r.read(ctx, readme)
	if unreadable[codeOf(err)] {
		err = r.readAny(ctx)
	}
	if err != nil {
		return "", err
	}
	return r.path, nil
}

// unreadable are the answers for a path that does not serve as an example.
var unreadable = map[string]bool{
	"not_found": true, "not_a_file": true, "not_a_regular_file": true, "not_text": true, "file_too_large": true, "line_too_long": true,
	"permission_denied": true, "path_denied": true, "path_ignored": true, "path_outside_root": true,
}

// match is a file that glob tells of.
type match struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// readAny looks for a file that can be read among some of the project, small ones first.
func (r *run) readAny(ctx context.Context) error {
	const most, tries = 200, 50
	var files struct {
		Matches []match `json:"matches"`
	}
	if err := r.call(ctx, "glob", r.scoped(map[string]any{"pattern": "**/*", "max_results": most}), &files); err != nil {
		return err
	}
	slices.SortStableFunc(files.Matches, func(a, b match) int { return cmp.Compare(a.Size, b.Size) })
	tried := 0
	for _, file := range files.Matches {
		if file.Size == 0 {
			continue
		}
		if tried++; tried > tries {
			break
		}
		if err := r.read(ctx, file.Path); !unreadable[codeOf(err)] {
			return err
		}
	}
	return skip("there is no text file to read")
}

// read reads the first page of a file. When it is the whole file, the bytes must have the hash that came with them; a
// byte order mark is dropped from the text and is not compared.
func (r *run) read(ctx context.Context, name string) error {
	var page struct {
		Path     string  `json:"path"`
		Content  string  `json:"content"`
		Size     int64   `json:"size_bytes"`
		Hash     *string `json:"sha256"`
		Complete bool    `json:"complete"`
	}
	if err := r.call(ctx, "read_file", r.scoped(map[string]any{"path": name}), &page); err != nil {
		return err
	}
	if page.Path != path.Clean(name) {
		return fmt.Errorf("read_file: asked for %s, answered %s", name, page.Path)
	}
	if page.Complete && page.Hash != nil && page.Size == int64(len(page.Content)) {
		if sum := sha256.Sum256([]byte(page.Content)); hex.EncodeToString(sum[:]) != *page.Hash {
			return fmt.Errorf("read_file: the text of %s does not have the hash that came with it", name)
		}
	}
	r.path, r.text = page.Path, page.Content
	return nil
}

// word is something to look for: letters of ASCII, so that every way of writing it is the same bytes.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9_]{3,40}`) })

// grep looks for a word of the file that was read, in that file, and must find it in its line.
func (r *run) grep(ctx context.Context) (string, error) {
	switch {
	case r.session == nil:
		return "", errNoSession
	case !r.found:
		return "", errNoProject
	case r.path == "":
		return "", skip("there is no text file to look in")
	}
	at := word().FindStringIndex(r.text)
	if at == nil {
		return "", skip("there is no word to look for in " + r.path)
	}
	sought, line := r.text[at[0]:at[1]], 1+strings.Count(r.text[:at[0]], "\n")
	var found struct {
		Matches []struct {
			Path string `json:"path"`
			Line int    `json:"line_number"`
			Text string `json:"text"`
		} `json:"matches"`
	}
	if err := r.call(ctx, "grep", r.scoped(map[string]any{"pattern": regexp.QuoteMeta(sought), "path": r.path}), &found); err != nil {
		return "", err
	}
	if len(found.Matches) == 0 || found.Matches[0].Path != r.path || found.Matches[0].Line != line {
		return "", fmt.Errorf("grep: a word that read_file gave was not found in line %d of %s", line, r.path)
	}
	if !utf8.ValidString(found.Matches[0].Text) {
		return "", errors.New("grep: the line is not UTF-8")
	}
	return r.path, nil
}

// git asks for the state and the changes of the repository.
func (r *run) git(ctx context.Context) (string, error) {
	switch {
	case r.session == nil:
		return "", errNoSession
	case !r.found:
		return "", errNoProject
	case !r.project.Git:
		return "", skip("Git is not enabled for the project")
	}
	var state struct {
		Branch   *string `json:"branch"`
		Detached bool    `json:"detached"`
		Clean    bool    `json:"clean"`
	}
	if err := r.call(ctx, "git_status", r.scoped(nil), &state); err != nil {
		return "", err
	}
	var changes struct {
		Files int `json:"files_changed"`
	}
	if err := r.call(ctx, "git_diff", r.scoped(nil), &changes); err != nil {
		return "", err
	}
	where := "detached"
	if state.Branch != nil {
		where = "branch " + *state.Branch
	}
	return fmt.Sprintf("%s, %d files changed", where, changes.Files), nil
}
