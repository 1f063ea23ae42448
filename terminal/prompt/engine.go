// Package prompt is the interactive side of `pingmill query`: a prompt with
// history, completion and commands that begin with a backslash, and the way in which
// one statement after the other is run and shown, at the prompt or from a file.
package prompt

import (
	"context"
	"io"
	"time"

	"github.com/pingmill/pingmill/sql/query"
)

// Engine answers statements.
type Engine interface {
	// Ask runs one statement and writes its result to out. told is called now and then
	// until it returns, by one goroutine.
	Ask(ctx context.Context, q Query, out io.Writer, told func(Progress)) (Answer, error)
	// Warm gets ready for a statement that will come.
	Warm()
}

// Query is one statement and how its result is to look.
type Query struct {
	SQL     string
	Dialect query.Dialect
	Format  query.Format
	Write   query.WriteOptions
}

// Progress is how far a statement is.
type Progress struct {
	Share float64 // 0 to 1, below 0 if not known
	Text  string  // what it reads, ""
}

// Answer is what running a statement has brought.
type Answer struct {
	Rows int64
	Read string // what was read: "14 files of 7 partitions, 3.4 MB"; "" if not known
	Used string // what it took beside time, "" where nobody wants to know

	Notes []string // what its author should know
}

// Local is the engine in this process.
type Local struct {
	DB   *query.DB
	Time time.Duration // for a statement; 0: no limit
}

// Warm implements Engine.
func (l Local) Warm() {}

// Ask implements Engine.
func (l Local) Ask(ctx context.Context, q Query, out io.Writer, _ func(Progress)) (a Answer, err error) {
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
