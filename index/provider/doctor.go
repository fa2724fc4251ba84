package provider

import (
	"context"
	"os"
	"strings"

	"projectknowledge/index/source"
)

// Finding is one line of the doctor's report: a thing that the provider needs, whether it is there, and what to do.
type Finding struct {
	Name   string `json:"name"`             // host, git, root, probe, cache, index
	OK     bool   `json:"ok"`               // a finding that could not be made for want of an earlier one is not OK
	Code   Code   `json:"code,omitempty"`   // of what is wrong
	State  string `json:"state"`            // one sentence
	Advice string `json:"advice,omitempty"` // what to do, when it is not OK
}

// advice says what an operator can do about a failed check.
var advice = map[Code]string{
	HostUnsupported:      "Run on Linux 5.6 or later, or another system with openat and O_NOFOLLOW.",
	GitUnavailable:       "Install Git and put it on PATH; for a repository of another user, set safe.directory in your own Git configuration.",
	GitFailed:            "Run git status in the directory and mend what it reports.",
	RootNotWorktree:      "Start in a directory made by git init, git clone or git worktree add.",
	RootIsSubdirectory:   "Start at the directory that git rev-parse --show-toplevel prints.",
	RootIsSymlink:        "Use the path without symbolic links, as realpath prints it.",
	RootIsFilesystemRoot: "Start in a project directory.",
	RootIsHome:           "Start in a project directory below the home directory.",
	RootUnreadable:       "Check that the directory exists and that you may enter and list it.",
	FTS5Unavailable:      "Check that the system's temporary directory is writable and has space.",
	CacheUnsafe:          "Give XDG_CACHE_HOME a directory outside the project, without symbolic links; the directories of the cache must be yours with mode 0700, its files with mode 0600.",
	CacheUnavailable:     "Check the permissions and the free space of the cache directory.",
	NotIndexed:           "Run index once.",
	RebuildRequired:      "Run index with mode rebuild.",
	RootChanged:          "Start again.",
}

// Diagnose checks one after the other what the provider needs on this machine and in this directory: host, Git, root,
// probe, cache, index. It changes nothing. It works where Admit fails; that is what it is for.
func Diagnose(ctx context.Context, dir string, opt Options) []Finding {
	var d diagnosis
	d.check("host", "The system can open files without following symbolic links.", func() error {
		top, err := source.FilesystemRoot()
		if err != nil {
			return err
		}
		return top.Close()
	})
	d.check("git", "Git runs.", func() error {
		version, err := source.ProviderGit(os.Environ()).Run(ctx, "/", "--version")
		if err == nil {
			d.detail = strings.TrimSpace(string(version)) + " runs."
		}
		return err
	})
	d.check("root", "The directory is the top of a Git working tree.", func() error {
		root, err := source.OpenRoot(ctx, dir)
		if err != nil {
			return err
		}
		return root.Close()
	})
	d.check("probe", "The full-text store works.", func() error { return probe(ctx) })
	p, err := Admit(ctx, dir, opt)
	if err != nil {
		return d.findings
	}
	defer p.Close()
	d.check("cache", "The cache directory is private and outside the project.", func() error {
		held, err := p.cache.open(false)
		if isCode(err, NotIndexed) {
			d.detail = "The cache directory does not exist yet."
			return nil
		}
		if err != nil {
			return err
		}
		held.release()
		return nil
	})
	d.check("index", "The index is readable.", func() error {
		status, err := p.Status(ctx)
		if err == nil && !status.Indexed {
			return newError(NotIndexed, "", nil)
		}
		return err
	})
	return d.findings
}

// diagnosis collects findings.
type diagnosis struct {
	findings []Finding
	detail   string // replaces the sentence of a check that succeeds
}

func (d *diagnosis) check(name, fine string, run func() error) {
	d.detail = fine
	finding := Finding{Name: name}
	if known := asError(run()); known != nil {
		finding.Code, finding.State, finding.Advice = known.Code, known.Message, advice[known.Code]
	} else {
		finding.OK, finding.State = true, plainSentence(d.detail, MaxMessageBytes)
	}
	d.findings = append(d.findings, finding)
}
