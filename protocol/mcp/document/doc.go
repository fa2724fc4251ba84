// Package document creates documents: create_file for one that fits a call, begin_document, write_chunk and
// finish_document for a longer one (M-52 to M-57).
//
// A document is written to a file that has no name, made durable, and then given its name in one step that fails when
// the name is taken. Chunks of an unfinished document wait in a private staging directory that belongs to the running
// process; they do not survive it, and what a process that died has left is removed by the next one.
//
// What it promises: nothing that exists is changed or replaced; a document appears whole or not at all, whatever ends
// the process; nothing is written outside a project's write directory, and no link is followed on the way there. What it
// never does: delete a document, or keep an unfinished one longer than its time to live.
//
//	store, err := document.Open(document.Options{Directory: uploads, Limits: document.DefaultLimits(), Resolve: resolve})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	receipt, err := store.CreateFile(ctx, document.CreateArgs{ProjectID: "notes", Path: "docs/plan.md", Content: "# Plan\n"})
package document
