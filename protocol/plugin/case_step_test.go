package plugin

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// do carries out one step.
func (r *caseRun) do(step caseStep) error {
	r.t.Helper()
	at := filepath.Join(r.root, step.Path)
	switch step.Do {
	case "call":
		got := r.call(step.Tool, r.arguments(step.Arguments))
		return r.holds(step.Expect, got)
	case "raw":
		return r.raw(step)
	case "git":
		if _, err := r.git(r.root, step.Args...); err != nil && !step.MayFail {
			return err
		}
		return nil
	case "write":
		r.write(r.root, step.Path, step.bytes(r.t))
	case "outside":
		r.write(r.out, step.Path, step.bytes(r.t))
	case "sibling":
		r.write(r.sibling(), step.Path, step.bytes(r.t))
	case "same_stat_write":
		return r.sameStatWrite(at, step.bytes(r.t))
	case "rm":
		return os.RemoveAll(at)
	case "mv":
		return os.Rename(filepath.Join(r.root, step.From), filepath.Join(r.root, step.To))
	case "chmod":
		return os.Chmod(at, step.Mode)
	case "touch":
		now := time.Now().Add(time.Hour)
		return os.Chtimes(at, now, now)
	case "symlink":
		return os.Symlink(step.Target, at)
	case "hardlink":
		return os.Link(r.target(step.Target), at)
	case "fifo":
		return makeFIFO(at)
	case "subrepo":
		r.write(at, step.File, step.bytes(r.t))
		r.repository(at)
	case "decoy_repo":
		decoy := filepath.Join(r.out, "decoy")
		r.write(decoy, "a.md", step.bytes(r.t))
		r.repository(decoy)
	case "restart":
		r.provider.end()
		r.provider = r.start(r.root, r.file.Env)
		r.provider.mustInitialize()
	case "cache":
		return r.damageCache(step.How)
	default:
		return fmt.Errorf("unknown step %q", step.Do)
	}
	return nil
}

// target gives the file that a hard link leads to; a relative one is in the root.
func (r *caseRun) target(target string) string {
	if filepath.IsAbs(target) {
		return target
	}
	return filepath.Join(r.root, target)
}

func (r *caseRun) call(tool string, arguments any) outcome {
	r.t.Helper()
	if tool == "index" {
		r.remember()
	}
	got := r.provider.call(tool, arguments)
	if coverage, ok := got.structured["coverage"].(map[string]any); ok && tool == "index" {
		r.lastIndex = coverage
	}
	return got
}

// arguments fills in what a case writes in short: joined parts, and hashes of files.
func (r *caseRun) arguments(given map[string]any) map[string]any {
	r.t.Helper()
	filled := map[string]any{}
	for name, value := range given {
		if parts, ok := value.(map[string]any); ok && parts["$parts"] != nil {
			raw, err := encode(parts["$parts"])
			r.must(err)
			var list [][]json.RawMessage
			r.must(json.Unmarshal(raw, &list))
			value = joinParts(r.t, list)
		}
		if short, ok := value.(string); ok && name == "source_hash" && strings.HasPrefix(short, "@") {
			path, _ := given["path"].(string)
			value = r.hash(short, path)
		}
		filled[name] = value
	}
	return filled
}

func (r *caseRun) hash(short, path string) string {
	kind, other, _ := strings.Cut(short, ":")
	switch kind {
	case "@indexed":
		return r.indexed[path]
	case "@of":
		return hashOf(filepath.Join(r.root, other))
	case "@out":
		return hashOf(filepath.Join(r.out, other))
	case "@sib":
		return hashOf(filepath.Join(r.sibling(), other))
	}
	return hashOf(filepath.Join(r.root, path))
}

// raw writes one line and compares one answer.
func (r *caseRun) raw(step caseStep) error {
	r.t.Helper()
	line := []byte(step.Line)
	if step.LineB64 != "" {
		decoded, err := base64.StdEncoding.DecodeString(step.LineB64)
		r.must(err)
		line = decoded
	}
	r.provider.send(line)
	want := step.Expect
	if want.Silent {
		select {
		case answer := <-r.provider.lines:
			return fmt.Errorf("answered with %.200q", answer)
		case <-time.After(quietTime):
			return nil
		}
	}
	m, ok := r.provider.receive()
	switch {
	case !ok:
		return errors.New("the process ended")
	case want.Code != 0 && m.Code != want.Code:
		return fmt.Errorf("code %d, want %d", m.Code, want.Code)
	case want.AnyError && m.Code == 0:
		return errors.New("no error")
	case want.ID != nil:
		got, err := decode(m.ID)
		if err != nil || got != want.ID {
			return fmt.Errorf("id %s, want %v", m.ID, want.ID)
		}
	}
	return nil
}

// sameStatWrite overwrites a file in place with as many bytes and puts its time stamps back.
func (r *caseRun) sameStatWrite(path string, content []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if int64(len(content)) != info.Size() {
		return fmt.Errorf("%d bytes in place of %d", len(content), info.Size())
	}
	return os.Chtimes(path, info.ModTime(), info.ModTime())
}

// damageCache damages the largest file below the cache in place.
func (r *caseRun) damageCache(how string) error {
	var largest string
	var size int64
	err := filepath.WalkDir(r.cache, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Size() >= size {
			largest, size = path, info.Size()
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch how {
	case "truncate-half":
		return os.Truncate(largest, size/2)
	case "zero":
		return r.overwrite(largest, make([]byte, size))
	case "text":
		return r.overwrite(largest, bytes.Repeat([]byte("This is prose. "), 10<<10/15))
	}
	return fmt.Errorf("unknown damage %q", how)
}

func (r *caseRun) overwrite(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
