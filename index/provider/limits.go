package provider

import (
	"io"
	"time"

	"projectknowledge/index"
)

// The limits of the specification, each in this one place.
const (
	// MaxFiles and MaxBytes bound an index: files, and source bytes together (P-56).
	MaxFiles = 4096
	MaxBytes = 64 << 20
	// WorkBudget bounds an index call from its arrival; the final commit may come on top (P-57).
	WorkBudget = 20 * time.Second
	// SearchBudget bounds the work of a search from its arrival (P-72).
	SearchBudget = 5 * time.Second
	// MaxCandidates bounds how many ranked chunks a search examines (P-72).
	MaxCandidates = 16384
	// DefaultLimit and MaxLimit are the number of hits of a search (P-70); MaxLimitCLI is the bound of the command line.
	DefaultLimit = 5
	MaxLimit     = 20
	MaxLimitCLI  = 100
	// MaxArgument bounds a query or a path, in characters (P-9); MaxQueryCLI a query on the command line.
	MaxArgument = 1024
	MaxQueryCLI = 65536
	// HashDigits is the length of a source_hash (P-82).
	HashDigits = 64
	// DefaultReadLines is what a read without end_line gives, MaxReadLines the most that it gives (P-9, P-79).
	DefaultReadLines = 48
	MaxReadLines     = 200
	// MaxResultBytes bounds a whole result of a protocol (P-75, P-80).
	MaxResultBytes = 16384
	// MaxMessageBytes bounds an error as text, its code and its sentence (P-4, P-88).
	MaxMessageBytes = 300
)

// Options are what differs between the faces.
type Options struct {
	// Limits bound the index (P-56); the zero value means none.
	Limits index.Limits
	// Budget bounds an index call, SearchBudget a search; zero means none.
	Budget       time.Duration
	SearchBudget time.Duration
	// ResultBytes bounds the result of a search or read written as compact JSON without HTML escaping; 0 means none.
	ResultBytes int
	// MaxLimit is the greatest limit that a search accepts.
	MaxLimit int
	// MaxQuery is the greatest length of a query, in characters.
	MaxQuery int
	// CacheSuffix is added to the name of the cache directory, so that indexes with other limits stay apart (M-61).
	CacheSuffix string
	// OneCall is for a process that lives for one call: it starts Git only where Git's files are not plain, and leaves out
	// the full-text probe, as its call is about to use the store itself. A face that serves calls leaves it unset (P-2).
	OneCall bool
	// Log takes the causes of failures, one ASCII line each; nil drops them.
	Log io.Writer
}

// DefaultOptions gives the limits of the provider's specification (P-56, P-57, P-70, P-72, P-75).
func DefaultOptions() Options {
	return Options{
		Limits:       index.Limits{Files: MaxFiles, Bytes: MaxBytes},
		Budget:       WorkBudget,
		SearchBudget: SearchBudget,
		ResultBytes:  MaxResultBytes,
		MaxLimit:     MaxLimit,
		MaxQuery:     MaxArgument,
	}
}
