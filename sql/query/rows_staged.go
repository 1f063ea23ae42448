package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// A piece of a staged result has at most pieceCells values in it, but at least
// one of DuckDB's vectors of rows and at most one of its row groups.
const (
	pieceCells   = 1 << 20
	leastPieceOf = 2048
	maxPieceOf   = 122880
)

// stagedTable is the temporary table of a connection that holds its result.
const stagedTable = "pingmill_result"

// staged reads that table piece by piece, in order.
type staged struct {
	ctx         context.Context
	conn        *duckdb.Conn
	selection   string
	width       int
	count       int64 // rows in the table
	from, piece int64
	rows        driver.Rows
}

func newStaged(r *Rows, count int64) *staged {
	return &staged{
		ctx: r.ctx, conn: r.conn, width: len(r.types), count: count,
		selection: strings.Join(r.expressions(valueType.read), ", "),
		piece:     int64(min(max(pieceCells/len(r.types), leastPieceOf), maxPieceOf)),
	}
}

func (s *staged) next() ([]driver.Value, error) {
	for {
		if s.rows != nil {
			row, err := fetch(s.rows, s.width)
			if !errors.Is(err, io.EOF) {
				return row, err
			}
			if err := s.close(); err != nil {
				return nil, err
			}
		}
		if s.from >= s.count {
			return nil, io.EOF
		}
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		sql := fmt.Sprintf("SELECT %s FROM "+stagedTable+" WHERE rowid >= %d AND rowid < %d", s.selection, s.from, s.from+s.piece)
		var err error
		if s.rows, err = s.conn.QueryContext(s.ctx, sql, nil); err != nil {
			return nil, err
		}
		s.from += s.piece
	}
}

func (s *staged) close() error {
	if s.rows == nil {
		return nil
	}
	err := s.rows.Close()
	s.rows = nil
	return err
}

// direct is the source of a statement that is not a SELECT.
type direct struct {
	rows  driver.Rows
	width int
}

func (d *direct) next() ([]driver.Value, error) { return fetch(d.rows, d.width) }
func (d *direct) close() error                  { return d.rows.Close() }
