package store

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
	MaxPath    = 4096          // bytes of a path
	MaxTerm    = 1024          // bytes of a term
	maxBase    = 1 << 62       // first row id of a source
	maxReason  = 255           // bytes of a skip reason
	maxTable   = 1<<32 - 1     // sources, chunks, terms
	maxBuild   = 1<<47 - 1<<14 // bytes of a file
	maxSegment = 1<<31 - 1<<20 // bytes of a value: bbolt keeps lengths in 32 bits
)
