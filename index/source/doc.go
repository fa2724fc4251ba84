// Package source decides what of a repository may be indexed and hands out its current bytes.
//
// A [Root] is the top of a Git working tree, kept open by a descriptor and known by its identity. [Root.Observe] tells
// which tracked paths are sources at this moment, [Root.Read] gives the bytes of one of them, and [Admit] judges those
// bytes. A path that Git tracks but the rules refuse carries a [Reason]; a repository that cannot be served carries a
// [Failure]. [Git] runs the one outside program this package needs, and [Dir] walks the absolute path of a cache.
//
// What it promises: no symbolic link is followed on the way from the root to a file, nothing outside the root is read
// as a source, nothing is written, and an answer reused from an earlier call is reused because the bytes it was made
// of are still the same, never because a time stamp is. What it never does: start anything but Git, block on a named
// pipe, or guess where Git can be asked.
//
//	root, err := source.OpenRoot(ctx, "")
//	if err != nil {
//		return err // a *source.Failure says why
//	}
//	defer root.Close()
//	seen, err := root.Observe(ctx)
//	if err != nil {
//		return err
//	}
//	var text []byte
//	for _, path := range seen.Paths {
//		current, err := root.Read(path, text)
//		if err == nil {
//			text, err = current, source.Admit(path, current)
//		}
//		// a *source.Refusal means that this one file is skipped
//	}
package source
