// Package registry knows which directories are served: projects.yaml and grants.yaml of the configuration directory.
//
// A [Registry] gives a [Snapshot] of both files as they are now. Reading is strict (M-20) and fails closed (M-22): a file
// that is invalid serves nothing, and two files that overlap serve nothing either, until one of them is corrected. A
// snapshot never changes, so that a call keeps the state it began with; the clock alone is asked again at every
// resolution, because a grant ends by time and not by an edit (M-25).
//
// The admin command line writes through the methods Add…, Update…, Enable… and so on: each takes a lock, validates what
// both files would be afterwards, and replaces one file atomically (M-26).
//
// What it promises: an error for a model has a code and a sentence, and no path of the machine; only [Problem], which is
// for the local command line, names file, line and reason (M-67). What it never does: keep a last good state, or write anything when it serves.
//
//	reg := registry.New(configDir, places)
//	scope, err := reg.Snapshot().Scope("my_project", "")
//	if err != nil {
//		return err // a *pathguard.Error
//	}
//	tree, err := scope.Open()
package registry
