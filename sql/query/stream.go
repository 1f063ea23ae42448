package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"
	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// stream is a source of rows that DuckDB makes while they are read. The driver's own results are whole, in memory that DuckDB's limit
// does not count. DuckDB stops while its buffer of some chunks is full. No other statement may run on the connection meanwhile: it
// would close the stream.
type stream struct {
	ctx    context.Context
	rows   driver.Rows
	result *mapping.Result // of rows
	width  int
	conn   *duckdb.Conn
	sql    string
	stop   func() // nil after the end
	ended  bool
}

// newStream runs a statement whose rows are read as a stream.
func newStream(ctx context.Context, conn *duckdb.Conn, sql string, width int) (*stream, error) {
	c, err := handle(conn)
	if err != nil {
		return nil, err
	}
	// The driver reads values only from results of its own, so the stream takes the place of an empty one.
	rows, err := conn.QueryContext(ctx, "SELECT NULL LIMIT 0", nil)
	if err != nil {
		return nil, err
	}
	s := &stream{ctx: ctx, rows: rows, width: width, conn: conn, sql: sql}
	if s.result, err = private[mapping.Result](rows, "res"); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	mapping.DestroyResult(s.result)
	s.stop = interrupted(ctx, c)
	if err := s.run(c, sql); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stream) run(c mapping.Connection, sql string) error {
	var stmt mapping.PreparedStatement
	defer mapping.DestroyPrepare(&stmt)
	if mapping.Prepare(c, sql, &stmt) == mapping.StateError {
		return &duckdb.Error{Msg: mapping.PrepareError(stmt)}
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	var pending mapping.PendingResult
	defer mapping.DestroyPending(&pending)
	//nolint:staticcheck // it is deprecated, and nothing else makes rows while they are read
	if bindings.PendingPreparedStreaming(stmt, &pending) == mapping.StateError {
		return &duckdb.Error{Msg: mapping.PendingError(pending)}
	}
	if mapping.ExecutePending(pending, s.result) == mapping.StateError {
		return &duckdb.Error{Msg: mapping.ResultError(s.result)}
	}
	return nil
}

func (s *stream) next() ([]driver.Value, error) {
	if s.ended {
		return nil, io.EOF
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	row, err := fetch(s.rows, s.width)
	if !errors.Is(err, io.EOF) {
		return row, err
	}
	// A stream ends in the same way after an error.
	if text := mapping.ResultError(s.result); text != "" {
		return nil, s.reason(&duckdb.Error{Msg: text})
	}
	s.ended = true
	return nil, io.EOF
}

// reason returns the error of a statement. DuckDB interrupts the threads of a query that failed in one of them, and may report the
// interruption instead of the reason, which the statement gives again when it runs without its rows.
func (s *stream) reason(err *duckdb.Error) error {
	if r, _ := reportOf(err); s.ctx.Err() != nil || !strings.EqualFold(r.Type, "interrupt") {
		return err
	}
	if again := makes(s.ctx, s.conn, "EXPLAIN ANALYZE "+s.sql); again != nil {
		return again
	}
	return err
}

func (s *stream) close() error {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	return s.rows.Close()
}

// direct is the source of a statement that is not a SELECT.
type direct struct {
	rows  driver.Rows
	width int
}

func (d *direct) next() ([]driver.Value, error) { return fetch(d.rows, d.width) }
func (d *direct) close() error                  { return d.rows.Close() }
