// Package engine runs the statements of `pingmill query`: each in a worker process, in this process, or on a server.
package engine

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/pingmill/pingmill/sql/query"
)

// Engine runs statements.
type Engine interface {
	// Run runs one statement and writes its result to out. It calls notify with the progress from one goroutine until
	// it returns.
	Run(ctx context.Context, q Query, out io.Writer, notify func(Progress)) (Answer, error)
	// Warm prepares the engine for the next statement.
	Warm()
}

// Query is one statement with the format of its result.
type Query struct {
	SQL     string
	Dialect query.Dialect
	Format  query.Format
	Write   query.WriteOptions
}

// Progress is the progress of a statement.
type Progress struct {
	Share float64 // 0 to 1, below 0 if not known
	Text  string  // what it reads, ""
}

// Answer describes the execution of a statement.
type Answer struct {
	Rows int64
	Read string // what was read: "14 files of 7 partitions, 3.4 MB"; "" if not known
	Used string // resources used, "" if not requested

	Notes []string // notes for the author of the statement
}

// Local is an engine in this process.
type Local struct {
	DB   *query.DB
	Time time.Duration // for a statement; 0: no limit
}

func (l Local) Warm() {}

func (l Local) Run(ctx context.Context, q Query, out io.Writer, _ func(Progress)) (a Answer, err error) {
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	rows, err := l.DB.QueryIn(ctx, q.Dialect, q.SQL)
	if err != nil {
		return a, err
	}
	a.Rows, err = rows.Write(out, q.Format, q.Write)
	if e := rows.Close(); err == nil {
		err = e
	}
	return a, err
}

// RowCount returns a number of rows as text.
func RowCount(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}
