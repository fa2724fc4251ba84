package source

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// isolatedConfig is what Git is told besides when nothing in a repository may start a program or reach the net (M-59).
var isolatedConfig = [][2]string{
	{"core.fsmonitor", "false"}, {"core.hooksPath", "/dev/null"}, {"core.untrackedCache", "false"}, {"core.attributesFile", "/dev/null"},
	{"core.pager", "cat"}, {"core.sshCommand", "false"}, {"diff.autoRefreshIndex", "false"}, {"diff.external", ""},
	{"protocol.allow", "never"}, {"log.showSignature", "false"},
}

// IsolatedGit is Git for a working tree that is trusted with nothing (M-59, M-60): an environment made from nothing but
// PATH and a home, which should be an empty directory; the Git directory and the working tree named, so that no
// configuration redirects them; and every program that the configuration of the repository could start set to nothing,
// filters and text converters included. Errors: a *Failure of Git, or that of ctx.
func IsolatedGit(ctx context.Context, home, gitDir, workTree string) (*Git, error) {
	git := &Git{
		Environment: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C",
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_ATTR_NOSYSTEM=1",
			"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_PROTOCOL_FROM_USER=0", "GIT_ALLOW_PROTOCOL=",
			"GIT_LITERAL_PATHSPECS=1", "GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + workTree,
		},
		MaxOutput: MaxGitOutput,
		OwnGroup:  true,
	}
	settings := isolatedConfig
	listing, err := git.with(settings).Run(ctx, workTree, "config", "--list", "--name-only", "--includes", "-z")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(string(listing), "\x00") {
		settings = append(settings[:len(settings):len(settings)], disarmed(name)...)
	}
	return git.with(settings), nil
}

// disarmed gives the settings that keep the program behind a setting from being started.
func disarmed(name string) [][2]string {
	section, rest, _ := strings.Cut(name, ".")
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return nil
	}
	switch key := rest[dot+1:]; {
	case section == "filter" && (key == "clean" || key == "smudge" || key == "process"):
		return [][2]string{{name, ""}, {section + "." + rest[:dot] + ".required", "false"}}
	case section == "diff" && (key == "textconv" || key == "command"):
		return [][2]string{{name, ""}}
	}
	return nil
}

// with gives the same Git with settings handed over in the environment, where a name may hold any character.
func (g *Git) with(settings [][2]string) *Git {
	more := *g
	more.Environment = append(more.Environment[:len(g.Environment):len(g.Environment)], fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)))
	for i, setting := range settings {
		more.Environment = append(more.Environment, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, setting[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, setting[1]))
	}
	return &more
}
