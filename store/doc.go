// Package store keeps one index in one file: tables of sources and chunks, a dictionary of terms with their
// posting lists, and what a run has to remember. The layout is specified in format.go.
//
// A Dir is the directory that holds the file, a Writer makes a new generation beside the published one and
// renames it into place, a Snapshot is one generation open for reading, and a Reader gives its content inside
// a View.
//
// It promises that a reader sees one whole generation, old or new, whatever happens to the writer; that the
// same calls give the same bytes; that every byte is verified before its first use; and that a file which is
// damaged, cut or foreign, also while it is open, is the one known error ErrDamaged.
//
// It never interprets text, never ranks, never changes a published file, and never reads a source.
package store
