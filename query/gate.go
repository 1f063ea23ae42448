package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/query/gate"
)

// Gate judges a text of DuckDB's SQL before anything of it is bound. The grants name the tables; without any they are
// all of the database. The error is an *Error with the place, or that of the context.
func (db *DB) Gate(ctx context.Context, sql string, g gate.Grants) (*gate.Statement, error) {
	conn, err := db.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("judge query: %w", err)
	}
	defer conn.Close()
	if g.Tables == nil {
		for name := range db.names {
			g.Tables = append(g.Tables, name)
		}
	}
	s, err := gate.Judge(sql, g, parser(ctx, conn))
	if err != nil {
		return nil, db.refusal(sql, err)
	}
	return s, nil
}

// parser gives the tree of a text, or what DuckDB's parser says about it.
func parser(ctx context.Context, conn *duckdb.Conn) gate.Parse {
	return func(sql string) ([]byte, error) {
		rows, err := conn.QueryContext(ctx, "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)", []driver.NamedValue{{Ordinal: 1, Value: sql}})
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, fmt.Errorf("parse query: %w", err)
		}
		defer rows.Close()
		row, err := fetch(rows, 1)
		if err != nil {
			return nil, fmt.Errorf("parse query: %w", err)
		}
		tree, _ := row[0].(string)
		return []byte(tree), nil
	}
}

// refusal is an error of the gate as one of the query.
func (db *DB) refusal(sql string, err error) error {
	var refused *gate.Refusal
	var missing *gate.NoTable
	var syntax *gate.Syntax
	var e *Error
	switch {
	case errors.As(err, &refused):
		e = newError(sql, refused.At, "Not allowed", refused.What, refused.Hint)
	case errors.As(err, &missing):
		e = newError(sql, missing.At, "Catalog Error", err.Error(), db.tableHint(missing.Name))
	case errors.As(err, &syntax):
		e = newError(sql, syntax.At, "Parser Error", syntax.Message, "")
	default:
		return err
	}
	e.cause = err
	return e
}
