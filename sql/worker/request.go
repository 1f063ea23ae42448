package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/sandbox"
)

// Request is one query.
type Request struct {
	SQL     string
	Dialect query.Dialect // "" is Presto's
	Person  string        // who asks, for errors and the log; "" is the operator

	// Views are the tables that the person was granted; there are no others.
	Views []query.View
	// Hidden are the clients whose rows no view with a client column shows.
	Hidden []forget.Hash
	// Allow, if not nil, is asked before anything is read. Its error is the query's.
	Allow func(ctx context.Context, p Plan) error
	// Verify, if not nil, checks the files of a plan, after Allow.
	Verify func(ctx context.Context, scans []query.Scan) error

	// Gone, if not nil, says whether files of Views were replaced and removed. It is asked when the query fails, since it may be why:
	// the error is a GoneError then.
	FilesRemoved func(ctx context.Context) bool

	// Setup, if not empty, are trusted statements in DuckDB's SQL that run before a query in that language. Grants name what they
	// make and the query may read: there must be no views.
	Setup  string
	Grants gate.Grants

	Limits Limits
	Format query.Format
	Write  query.WriteOptions

	ungated bool // for tests of what is behind the gate
}

// Limits of a query; 0 is no limit, but of threads and memory DuckDB's own: all cores, 80 % of the machine's.
type Limits struct {
	Threads int
	Memory  int64         // bytes; data that does not fit goes to disk where that is possible
	CPU     time.Duration // of all threads
	Time    time.Duration // from its turn on
	Rows    int64         // of the result
	Bytes   int64         // of the result, in its format
	Spill   int64         // bytes of temporary data on disk
}

// Plan is what a query will read.
type Plan struct {
	Scans      []query.Scan
	Files      int
	Partitions int   // folders of files
	Bytes      int64 // of the files, as far as the views say
}

// String gives the numbers: 14 files of 7 partitions, 3.4 MB. It is empty where nothing is read.
func (p Plan) String() string {
	if p.Files == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s, %s", counted(p.Files, "file"), counted(p.Partitions, "partition"), humanize.Bytes(uint64(p.Bytes)))
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return humanize.Comma(int64(n)) + " " + word + "s"
}

// Event is what happens while a query runs: Waiting, a Plan, Columns, a Progress or a Lacking.
type Event any

// Waiting says that other queries come first.
type Waiting struct {
	Position int // 1: it is next
}

// Columns are those of the result, before its first byte.
type Columns []query.Column

// Progress of a query.
type Progress struct {
	Percent float64 // of DuckDB's work, less than 0: not known
	Read    int64   // bytes of files
	Rows    int64   // of the result
	Fetched int64   // bytes that came from a bucket, before anything is read
}

// Lacking is a protection that this system does not have: what its Meaning says holds for the query.
type Lacking sandbox.Protection

// Summary is what a query did.
type Summary struct {
	Plan    Plan
	Columns []query.Column
	Rows    int64
	Bytes   int64         // of the result
	Cut     string        // query.CutRows or query.CutBytes if the result is longer
	Read    int64         // bytes of files
	Fetched int64         // bytes that came from a bucket
	CPU     time.Duration // of the worker
	Memory  int64         // bytes, the most that the worker had
	Lacking []sandbox.Protection
}

// Meaning says what is not so on this system.
func (l Lacking) Meaning() string { return sandbox.Protection(l).Meaning() }
