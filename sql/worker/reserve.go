package worker

import (
	"runtime"
	"strings"
)

// reserve is memory that DuckDB takes for a query of wide tables and does not use. It allocates vectors for all members
// of a struct that a query names, for each operator and thread, and fills those that the query reads. Firefox's metrics have
// thousands of members.
type reserve struct {
	threads int   // chosen so that the vectors leave room for the query's data; 0: as many as without the reserve
	counted int64 // bytes that DuckDB counts toward its limit
	process int64 // bytes that the system counts toward the process's limit
}

const (
	vectorRows = 2048 // of a vector of DuckDB

	// A thread holds at most this number of chunks, which are rows in a vector for each member, as measured
	// (docs/benchmarks.md#workers). It uses one page in eight of a vector that nothing is written to.
	chunksCounted = 4
	chunks        = 16
	chunksUsed    = 2
)

// reserveOf returns what a query needs beyond its limits. It is the zero reserve for tables of hundreds of columns, as long as
// their vectors fit in a part of the memory.
func reserveOf(q *Request, threads int, memory int64) (r reserve) {
	if threads <= 0 {
		threads = runtime.NumCPU()
	}
	chunk := vectorRows * widthRead(q)
	threadCount := func() int64 { return int64(threads) + 1 } // the main thread has its own
	if chunk*chunks*threadCount() <= memory/2 {
		return r
	}
	if fit := max(1, int(memory/(chunksUsed*chunk))); fit < threads {
		threads, r.threads = fit, fit
	}
	r.counted = chunk * chunksCounted * threadCount()
	r.process = chunk * chunks * threadCount()
	return r
}

// widthRead returns the bytes of a row in vectors, of the columns that a query may read: all those of its tables whose names
// are in its text, or all if it has a star.
func widthRead(q *Request) (n int64) {
	text := strings.ToLower(strings.ReplaceAll(q.SQL, "(*)", ""))
	star := strings.Contains(text, "*") || strings.Contains(text, "columns")
	for _, v := range q.Views {
		if len(v.Files) == 0 {
			continue
		}
		for _, c := range v.Columns {
			if star || strings.Contains(text, strings.ToLower(c.Name)) {
				n += c.Width()
			}
		}
	}
	return n
}
