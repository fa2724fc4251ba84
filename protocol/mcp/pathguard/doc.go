// Package pathguard keeps every tool of the MCP server inside the root that its caller named.
//
// A [Tree] is one root opened for one call. It resolves paths, opens files, lists and walks directories, and everything it
// hands out was reached by the kernel from the root's own descriptor (M-34): a path is checked as text first (M-32, M-33),
// then by its names (M-38, M-39), and only then is the disk asked. Symbolic links are followed by this package itself,
// one component after the other, so that the target is judged like the request (M-35); the descriptor that is read from is
// opened with links forbidden. [CheckRoot] says which directories may be roots at all (M-30), [Rules] what is ignored.
//
// What it promises: no byte from outside the root, whatever is swapped while a call runs; a denied name is refused before
// it is known whether it exists; no message contains a path of the machine. What it never does: block on a pipe, read an
// ignore file of the project itself, or write anything but the directories that [Tree.OpenDirForWrite] is asked for.
//
//	tree, err := pathguard.Open("/srv/papers/physics", pathguard.BuiltinRules())
//	if err != nil {
//		return err // a *pathguard.Error carries the code that the caller is shown
//	}
//	defer tree.Close()
//	file, entry, err := tree.OpenFile("notes/plan.md")
//	if err != nil {
//		return err
//	}
//	defer file.Close()
//	fmt.Println(entry.Path, entry.Size)
package pathguard
