package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker/sandbox"
)

// Request is one query with its views and limits. The worker receives its JSON, and Views' files and Hidden separately.
type Request struct {
	SQL     string
	Dialect query.Dialect // "" is Presto's
	// DoubleLiterals makes numbers with a point doubles in Presto's SQL.
	DoubleLiterals bool
	Person         string `json:"-"` // the account, for errors and the log; "" is the operator

	// Views are the tables that the query may read: those granted to the person. There are no others.
	Views []query.View
	// Hidden lists the clients whose rows are omitted from every view with a client column.
	Hidden []forget.Hash `json:"-"`
	// Allow, if not nil, is called with the plan before any file is read. An error refuses the query and is returned by
	// Run.
	Allow func(ctx context.Context, p Plan) error `json:"-"`
	// Verify, if not nil, checks the files of the plan after Allow. An error means that a file is damaged.
	Verify func(ctx context.Context, scans []query.Scan) error `json:"-"`

	// FilesRemoved, if not nil, reports whether files of Views were replaced and removed. It is called only if the query
	// fails, because a removed file may be the cause; Run then returns a FilesRemovedError.
	FilesRemoved func(ctx context.Context) bool `json:"-"`

	// Setup, if not empty, has trusted statements in DuckDB's SQL that run before a query in the same dialect. Grants name
	// the objects that they create and that the query may read. Views must be empty.
	Setup  string
	Grants gate.Grants

	Limits Limits
	Format query.Format
	Write  query.WriteOptions
	First  bool // the first rows of an Arrow stream are an event of their own

	ungated bool // for tests of the layers behind the gate
}

// Limits limits one query. 0 means no limit; for Threads and Memory it means DuckDB's defaults, all cores and 80 % of
// the machine's memory.
type Limits struct {
	Threads int
	Memory  int64         // bytes; DuckDB spills to disk above it if the operator can
	CPU     time.Duration // of all threads
	Time    time.Duration // after the queue
	Rows    int64         // of the result
	Bytes   int64         // of the result, in its format
	Spill   int64         // bytes of temporary data on disk
}

// Plan lists the files that a query will read.
type Plan struct {
	Scans      []query.Scan
	Files      int
	Partitions int   // folders of files
	Bytes      int64 // of the files, if the views have sizes
}

// String returns the numbers, such as "14 files of 7 partitions, 3.4 MB"; "" if the query reads no files.
func (p Plan) String() string {
	if p.Files == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s, %s", text.Plural(p.Files, "file"), text.Plural(p.Partitions, "partition"), humanize.Bytes(uint64(p.Bytes)))
}

// Event is a change of a running query: Waiting, Plan, Columns, Progress, First or Lacking.
type Event any

// Waiting means that the query waits in the queue.
type Waiting struct {
	Position int // 1: the query is next
}

// Columns describes the result. It is sent before the first byte of the result.
type Columns struct {
	List    []query.Column
	Rounded []presto.Rounded // literals that the author of the query may have meant otherwise
}

// First is an Arrow stream, without its end mark or with it, of rows of the result before it is whole. The result may begin with other
// rows.
type First []byte

// Progress reports how far a query is.
type Progress struct {
	Percent float64 // of DuckDB's work; negative if unknown
	Read    int64   // bytes of files
	Rows    int64   // of the result
	Fetched int64   // bytes that came from a bucket while files are verified
}

// Lacking is a sandbox protection that this system does not have. Meaning describes the consequence for the query.
type Lacking sandbox.Protection

// Summary has the totals of a finished query.
type Summary struct {
	Plan    Plan
	Columns Columns
	Rows    int64
	Bytes   int64         // of the result
	Cut     string        // query.CutRows or query.CutBytes if the result was truncated
	Read    int64         // bytes of files
	Fetched int64         // bytes that came from a bucket
	CPU     time.Duration // of the worker
	Memory  int64         // bytes, the worker's peak
	Lacking []sandbox.Protection
}

// Meaning describes what the missing protection would prevent.
func (l Lacking) Meaning() string { return sandbox.Protection(l).Meaning() }
