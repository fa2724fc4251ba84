package mcp

import (
	"context"

	"projectknowledge/protocol/mcp/gitview"
	"projectknowledge/protocol/mcp/pathguard"
)

// gitTools are the tools that look at a project's repository (M-58).
func gitTools(*Limits) []tool {
	return []tool{
		{
			name: "git_status", title: "Show Git status",
			description: "Shows the branch of a project's repository and its changed and untracked files, with Git's letters for index and work tree." +
				" Files with denied or ignored names are only counted." + paging,
			scope: projectScope, time: ownTime,
			parameters: projectParameters(
				offset,
				parameter{name: "limit", kind: integer, description: "Most files of the page."}.within(gitview.StatusRange),
			),
			result: gitview.StatusResult{}, run: runGitStatus,
		},
		{
			name: "git_diff", title: "Show Git differences",
			description: "Shows what changed between index and work tree, or with staged between the last commit and the index, as a unified diff." +
				" The counts are those of the whole diff." + paging,
			scope: projectScope, time: ownTime,
			parameters: projectParameters(
				gitPath(),
				parameter{name: "staged", kind: boolean, fallback: false, description: "Whether to show what is staged instead."},
				parameter{name: "context_lines", kind: integer, description: "Unchanged lines around each change."}.within(gitview.ContextRange),
				offsetLine, limitLines,
			),
			result: gitview.DiffResult{}, run: runGitDiff,
		},
	}
}

func gitPath() parameter {
	p := filePath("File or directory to show alone, relative to the root, with forward slashes; left out, everything.")
	p.required = false
	return p
}

// repository gives the repository of the call's project.
func (c *call) repository() (*gitview.Git, gitview.Repository, error) {
	if !c.scope.Git {
		return nil, gitview.Repository{}, pathguard.Fault(pathguard.GitNotEnabled)
	}
	git, err := c.server.git()
	if err != nil {
		return nil, gitview.Repository{}, err
	}
	tree, err := c.open()
	return git, gitview.Repository{ProjectID: c.scope.ID, Root: c.scope.Root, Tree: tree}, err
}

func runGitStatus(ctx context.Context, c *call) (any, error) {
	git, repository, err := c.repository()
	if err != nil {
		return nil, err
	}
	args := gitview.StatusArgs{Offset: c.args.integer("offset"), Limit: c.args.integer("limit")}
	return result(git.Status(ctx, repository, args, c.server.limits.Files.ResultBytes))
}

func runGitDiff(ctx context.Context, c *call) (any, error) {
	git, repository, err := c.repository()
	if err != nil {
		return nil, err
	}
	args := gitview.DiffArgs{
		Path: c.args.text("path"), Staged: c.args.boolean("staged"), ContextLines: c.args.integer("context_lines"),
		OffsetLine: c.args.integer("offset_line"), LimitLines: c.args.integer("limit_lines"),
	}
	return result(git.Diff(ctx, repository, args, c.server.limits.Files.ResultBytes))
}
