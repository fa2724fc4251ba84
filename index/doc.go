// Package index is an embeddable full-text index for source trees and other
// collections of UTF-8 documents: a hand-written inverted index over chunks of
// neighbouring lines, ranked with BM25, kept in one file.
//
// A program gives a [Source], calls [Index.Update] to build or refresh the
// index and [Index.Search] to query it. A refresh reads and hashes every
// document, takes over the chunks of those whose bytes are unchanged, and
// leaves an index that answers every query as one built afresh would.
//
// The package promises that readers never wait for a writer, that a published
// index is complete and durable, that equal documents give equal answers in
// equal order, and that a damaged file is reported as store.ErrDamaged. It
// never reads a document in order to rank, never decides by time stamps that a
// document is unchanged, and starts no process and no connection.
package index
