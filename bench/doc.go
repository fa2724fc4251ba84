// Package bench measures the engine on corpora that are at hand everywhere: the
// Go standard library of the running toolchain, and a generated corpus of
// Chinese and English prose and code.
//
//	go test -run '^$' -bench . ./bench
//
// Each row is one benchmark. MB/s is of corpus bytes; the queries also report
// their median and their 99th percentile. FloorHash and FloorTokenize are what
// no index of this kind can undercut: reading and hashing every file, and
// tokenizing it besides, on all cores.
package bench
