// Package gitview shows the state of a project's repository: what git_status and git_diff answer (M-58 to M-60).
//
// Git itself is asked, in a way that the repository has no say in: an environment made from nothing, fixed arguments, and
// settings that outweigh every setting of the repository that names a program. What a repository calls its filters and
// diff drivers is not known beforehand, so their names are listed first and each is switched off by name (M-59). Output is
// bounded, parsed strictly, and cleared of denied and ignored paths before anything is given out.
//
// On Linux the kernel confines Git to the repository, where it can (Landlock): names that are exchanged for links while Git
// runs lead it nowhere, and what it might start could neither read elsewhere nor write. A repository whose configuration
// includes a file outside the root is then refused.
//
// What it promises: no program of the repository runs, the index and the object store keep their bytes, no object is read
// from outside the root, and a call that is cancelled or out of time leaves no process behind. What it never does: return
// Git's own messages, which name paths of the machine.
//
//	git, err := gitview.New(gitview.Options{Timeout: 15 * time.Second})
//	if err != nil {
//		return err
//	}
//	defer git.Close()
//	repository := gitview.Repository{ProjectID: "my_project", Root: root, Tree: tree}
//	status, err := git.Status(ctx, repository, gitview.StatusArgs{Limit: 200}, 1<<20)
package gitview
