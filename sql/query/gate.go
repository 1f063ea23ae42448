package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/gate"
)

// Gate checks a text in DuckDB's SQL before it is bound. The grants name the readable tables; without grants these are
// all of the database. The error is an *Error with the place, or the error of ctx.
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
		return nil, db.refusal(sql, err, nil)
	}
	return s, nil
}

// QueryJudged is like QueryIn for untrusted text: the gate checks what DuckDB is to run.
func (db *DB) QueryJudged(ctx context.Context, d Dialect, sql string) (*Rows, error) {
	if d != DuckDB {
		return db.QueryIn(ctx, d, sql)
	}
	return db.QueryGranted(ctx, sql, gate.Grants{})
}

// QueryGranted is like QueryJudged for DuckDB's SQL, with grants as in Gate.
func (db *DB) QueryGranted(ctx context.Context, sql string, g gate.Grants) (*Rows, error) {
	s, err := db.Gate(ctx, sql, g)
	if err != nil {
		return nil, err
	}
	return db.Prepare(ctx, sql, s, func(at int) int { return s.At + at })
}

// Prepare prepares a statement that the gate has allowed, as Query does. text is the user's text. origin maps a byte of
// the statement to a byte of text, for the places of errors.
func (db *DB) Prepare(ctx context.Context, text string, s *gate.Statement, origin func(int) int) (*Rows, error) {
	conn, err := db.connectFirst(ctx)
	if err != nil {
		return nil, fmt.Errorf("run query: %w", err)
	}
	r := &Rows{db: db, ctx: ctx, conn: conn, sql: text, dialect: DuckDB, judged: s}
	r.take(origin)
	if err = db.register(ctx, s.SQL); err == nil {
		err = r.prepareJudged()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return r, nil
}

// take makes r run the judged statement.
func (r *Rows) take(origin func(int) int) {
	s := r.judged
	// Lists of names are statements that cannot be selected from.
	r.query = rewritten{text: s.SQL, rows: !s.Explain && !s.ListsNames, statements: [][2]int{{0, len(s.SQL)}}, from: origin}
}

func (r *Rows) prepareJudged() error {
	if err := r.db.prepareViews(r.ctx, r.conn, r.db.granted(r.judged)); err != nil {
		return err
	}
	if r.judged.Explain {
		return r.explain()
	}
	verified, err := r.verifyFirst()
	if err != nil {
		return err
	}
	err = bind(r)
	if err != nil {
		return r.fail(err, r.judged.SQL, 0)
	}
	if verified {
		return nil
	}
	return r.verify(0)
}

// granted returns the views of the tables that a judged query reads.
func (db *DB) granted(s *gate.Statement) (views []int) {
	for i, v := range db.views {
		if s.ListsNames && v.Err == nil {
			views = append(views, i)
		}
	}
	for _, name := range s.Tables {
		if i, ok := db.names[name]; ok { // others are no views, such as system tables
			views = append(views, i)
		}
	}
	slices.Sort(views)
	return slices.Compact(views)
}

// proven returns an error unless selection selects from exactly the judged query.
func (r *Rows) proven(selection string) error {
	if r.judged == nil {
		return nil
	}
	holds, err := r.judged.Holds(selection, parser(r.ctx, r.conn))
	if err == nil && !holds {
		err = errors.New("judge query: it is another one with other text around it")
	}
	return err
}

// parser returns a function that parses a text to a tree, with the errors of DuckDB's parser.
func parser(ctx context.Context, conn *duckdb.Conn) gate.Parse {
	return func(sql string) ([]byte, error) {
		rows, err := conn.QueryContext(ctx, "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)",
			[]driver.NamedValue{{Ordinal: 1, Value: sql}})
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

// refusal converts an error of the gate. origin is as in Ask, nil if the judged text is the user's.
func (db *DB) refusal(sql string, err error, origin func(int) int) error {
	place := func(at int) int {
		if at < 0 || origin == nil {
			return at
		}
		return origin(at)
	}
	var refused *gate.Refusal
	var missing *gate.NoTable
	var syntax *gate.Syntax
	var e *Error
	switch {
	case errors.As(err, &refused):
		e = newError(sql, place(refused.At), "Not allowed", refused.What, refused.Hint)
	case errors.As(err, &missing):
		e = newError(sql, place(missing.At), "Catalog Error", err.Error(), db.tableHint(missing.Name))
	case errors.As(err, &syntax):
		e = newError(sql, place(syntax.At), "Parser Error", syntax.Message, "")
	default:
		return err
	}
	e.cause = err
	return e
}
