package store

/*
The index file, container version 1, metadata formats 1 and 2.

This comment is the whole specification: with it alone a second reader can be written. Integers of fixed
width are little-endian unless "big-endian" is said; u16, u32, u64 are unsigned. A varint is an unsigned
number in groups of seven bits, lowest group first, the top bit set on every byte but the last; no varint of
this file is longer than five bytes. CRC32C is the Castagnoli CRC as in RFC 3720. "Ascending" is by bytes,
strictly.

# Why it looks like this

A key of its own for each term costs a B+tree node entry a term: 39 MB and half a second for the Go standard
library. A few large values, sorted and front-coded, cost 9 MB and some 30 ms, and are read in place. bbolt is
therefore the container and not the data structure. It rewrites a whole leaf when a key is added to it, so each
value lies in a bucket of its own, which gives it a leaf page to itself: nothing is written twice, and an index
of any size is written as a stream of transactions of some MiB.

bbolt checks its two meta pages and trusts every other byte: a damaged page can make it loop, panic, or read
memory that is not the file's. The trailer behind its pages therefore carries a checksum for every block, and a
directory of all values, so that a reader verifies every block before use and never walks bbolt's tree.

# What the index room puts in

Two things are its own and not interpreted here. A term that begins with "=" says that a chunk defines the name
behind it, which is in lower case: its postings have no count in the text, and their count in names is one more
than a number whose bit i says that letter i of the name, of the first fifteen, is a capital. No term of a text
begins with "=". The flags of a source hold in bits 0 to 7 how many different words its name has, at most 255,
and in bit 8 that its path is that of a test.

# The file

	body       bbolt's pages: a sound bbolt file of page size 4096, u32 version 2, a multiple of 4096 bytes
	checksums  u32 for each block of 16384 bytes of the body, in order: its CRC32C. The last block may be short
	directory  one entry for each value, in bucket order (ascending)
	footer     48 bytes

Directory entry:

	u64 offset of the value in the file, u64 its length (not 0), u8 length of the bucket name, the name

Footer, at the very end:

	 0  8 bytes "PKindex\n"
	 8  u32 container version, 1
	12  u32 page size, 4096
	16  u32 block size, 16384
	20  u32 bytes of the directory
	24  u64 bytes of the body
	32  u64 bytes of the whole file
	40  u32 CRC32C of checksums and directory
	44  u32 CRC32C of the footer's first 44 bytes

A file whose length is not the one in the footer, or with anything behind the footer, is not an index.
Both meta pages of bbolt must be valid and the newer one's page count must be the body's.

# Buckets

All buckets lie in the root and hold exactly one key. Bucket "meta" holds key "metadata". Every other bucket
is one segment of a section, named section, ".", the segment's ordinal in eight lower-case hex digits from
00000000 on without gap, and holds key "segment". A section without content has no bucket.

	sources   records of 72 bytes, 4096 a segment
	paths     the paths of the sources of the segment with the same ordinal, one after the other
	chunks    records of 12 bytes, 131072 a segment
	terms     a stretch of the dictionary
	postings  the lists of the terms of the terms segment with the same ordinal
	pending   paths of the cycle's pending list     (format 2)
	skipped   paths of the cycle's skipped list     (format 2)

Every segment of sources, paths and chunks but the last is full.

# Metadata

One JSON object, written compactly, without HTML escaping, with these members in this order and no others:

	format       1 or 2
	tokenizer    version of the term rules
	rules        version of the content rules
	next_base    above every row base ever given
	coverage     object: revision (string or null), indexed_at_unix, eligible_files, indexed_files,
	             indexed_bytes, chunks, excluded_entries, skipped_files, oversized_lines_omitted,
	             unprocessed_files, stop_reason; from format 2 on also mode, reused_files, updated_files,
	             deleted_files, remaining_files, excluded_by_reason, skipped_by_reason (both objects from a
	             reason to a count above 0, members ascending)
	tables       object: sources, chunks, terms (records of the tables), text_terms (sum of the chunks' terms),
	             bytes (sum of the sources' sizes), skipped (entries of the skipped list, 0 in format 1)
	pending      entries of the pending list        (format 2)
	cursor       the cycle's cursor, a path or ""   (format 2)

A reader refuses any other spelling. The counts agree: indexed_files = sources, chunks = chunks,
indexed_bytes = bytes, eligible_files = indexed_files + skipped_files + unprocessed_files; in format 2 also
remaining_files = pending, skipped_files = skipped, unprocessed_files ≤ remaining_files, the counts by reason
sum to excluded_entries and skipped_files, and stop_reason "complete" goes with no remaining file.

# Sources and paths

Sources ascend by path. Record:

	 0  32 bytes SHA-256 of the complete source
	32  u64 size in bytes
	40  u64 base: row ids base … base+chunks-1, at least one, belong to this source alone
	48  u32 ordinal of its first chunk: the sum of the chunks of all sources before it
	52  u32 chunks
	56  u32 lines of the whole source
	60  u32 lines left out of indexing
	64  u32 flags, for the ranking
	68  u32 end of its path in its paths segment; it begins where the one before it in the segment ends, or at 0

# Chunks

	 0  u32 ordinal of the source
	 4  u32 first line, from 1 on
	 8  u16 lines, at least 1; the last one is a line of the source
	10  u16 occurrences of terms in the text: the sum of the text counts of its postings

Chunks are in the order of their sources, and inside one in the order of their lines, without overlap.

# Dictionary

The terms ascend through all blocks and segments. A terms segment:

	 0  u32 blocks n, u32 terms, u32 bytes of the first terms, u32 bytes of the blocks
	16  n+1 block records of 20 bytes
	    the first terms of all blocks, one after the other
	    the blocks, one after the other

Block record; record n closes block n-1 with the three ends, its prefix is 0:

	 0  u64 the first eight bytes of the first term as a big-endian number, filled up with zero bytes
	 8  u32 start of the block, from the start of the blocks
	12  u32 start of the block's lists in the postings segment
	16  u32 start of the first term, from the start of the first terms

A block holds 1 to 32 terms. The first one stands in front of the blocks; its value begins the block. Each
further term is: a byte with s in its high and r in its low four bits; a varint to add to s when s is 15; a
varint to add to r when r is 15; r+1 bytes. The term is the first s bytes of the term before it and these
bytes. Its value follows. A value:

	varint   twice the length of the posting list in postings, plus 1 when there is a path list
	varint   bytes of the posting list, skip records included; only when it is not empty
	varint   length of the path list in postings; only when there is one
	varint   bytes of the path list; only when there is one

A term's lists lie one after the other, posting list first, those of the next term behind them.

Example. The block of the terms "chunk" (1 posting in 1 byte), "chunks" (2 in 3), "cursor" (0, and a path list
of 1 in 1 byte) has the first term "chunk" and the bytes

	02 01         chunk: 1 posting, no path list; 1 byte
	50 73 04 03   5 shared, 1 more: "s"; 2 postings; 3 bytes
	14 75 72 73 6f 72 01 01 01
	              1 shared, 5 more: "ursor"; no postings, a path list; of 1; in 1 byte

# Posting list

A list of n postings begins with (n-1)/128 skip records, rounded down, of 8 bytes: record k describes the
posting with number 128(k+1), counted from 0:

	 0  u32 chunk of the posting before it
	 4  u32 where it begins, from the end of the skip records

Then the postings, ascending by chunk. Each is a varint of 4d + c, where d is the chunk less one more than the
chunk before it (the chunk itself at first), and c says how often the term occurs in the text of the chunk and
among the names defined in it:

	c = 0   once, never
	c = 1   twice, never
	c = 2   a varint follows, the text count less 3; never
	c = 3   a varint follows, twice the text count, plus 1 unless the count in names is 1; after an odd one a
	        second varint, the count in names less 2

Counts are at most 65535. Example: chunks 5 (once), 6 (4 times), 300 (7 times, twice defined) are

	14   02 01   97 09 0f 00

# Path list

Postings of sources, ascending: a varint of 4d + c with d as above and c for how often the term occurs in the
last component of the path and in the others:

	c = 0   once, never
	c = 1   never, once
	c = 2   once, once
	c = 3   two bytes follow: both counts

# Pending and skipped

Entries ascend by path through all segments; the first of a segment shares nothing:

	varint   bytes shared with the path before it
	varint   further bytes, at least one
	         these bytes
	pending: one byte, 1 when the path was visited in this cycle and held back by a limit, else 0
	skipped: one byte, the length of the reason; the reason

No path is in both lists, and no skipped path is a source.

# Format 1

The same container. The metadata lacks pending, cursor and the rows of coverage from mode on; there is neither
a pending nor a skipped section. It is read for status and search; a refresh builds format 2 anew.
*/
// Versions of the metadata object and of the sections it announces.
const (
	FormatFirst = 1 // readable; without pending list, skipped list, cursor and the rows of P-63
	Format      = 2 // what Publish writes
)

// Sizes of the container.
const (
	pageSize    = 4096    // of bbolt, whatever the host's own page is
	blockSize   = 1 << 14 // bytes under one checksum
	footerSize  = 48
	footerMagic = "PKindex\n"
	container   = 1 // version of pages, sections and trailer

	metaBucket = "meta"
	metaKey    = "metadata"
	segmentKey = "segment"
)

// Sections. A segment of one lies in a bucket of its own, named section + "." + eight hex digits.
const (
	sectionSources  = "sources"
	sectionPaths    = "paths"
	sectionChunks   = "chunks"
	sectionTerms    = "terms"
	sectionPostings = "postings"
	sectionPending  = "pending"
	sectionSkipped  = "skipped"
)

// Shape of the tables.
const (
	sourceRecord      = 72
	sourcesPerSegment = 1 << 12
	chunkRecord       = 12
	chunksPerSegment  = 1 << 17

	termsHeader   = 16
	blockRecord   = 20
	termsPerBlock = 32
	skipInterval  = 128
	skipRecord    = 8
)

// Targets at which the writer closes a segment or a block; a reader does not rely on them.
const (
	termsTarget     = 1 << 20 // bytes of term blocks
	postingsTarget  = 2 << 20 // bytes of lists
	blockListTarget = 1 << 18 // bytes of lists that one block leads to
	cycleTarget     = 1 << 20 // bytes of a pending or skipped segment
)

// Limits of what a file can hold. Exceeding one is an error of the writing call.
const (
	MaxPath     = 4096          // bytes of a path
	MaxTerm     = 1024          // bytes of a term
	maxBase     = 1 << 62       // first row id of a source
	maxReason   = 255           // bytes of a skip reason
	maxTable    = 1<<32 - 1     // sources, chunks, terms
	maxBuild    = 1<<47 - 1<<14 // bytes of a file
	maxMetadata = 1 << 20       // bytes of the metadata object
	maxSegment  = 1<<31 - 1<<20 // bytes of a value: bbolt keeps lengths in 32 bits
)
