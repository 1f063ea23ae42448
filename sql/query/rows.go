package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/presto"
)

// Rows is the result of a query. It has been checked but not run: the work
// happens in the first Next or in Write, under the context given to Query.
// Rows must be closed; it is not safe for concurrent use.
type Rows struct {
	// Columns has the names and DuckDB types of the result.
	Columns []Column
	Rounded []presto.Rounded // literals of a query in Presto's SQL that its author may have meant otherwise

	db     *DB
	ctx    context.Context
	conn   *duckdb.Conn
	sql    string // the user's text
	query  rewritten
	types  []valueType
	source source

	few      map[int]View      // views with some of their columns, for this query, by index in db.views
	narrowed map[int]*narrowed // of the next statement, by index in db.views

	dialect Dialect
	most    Cap
	given   atomic.Int64 // rows that Next returned
	cut     string       // the cap that truncated the result
	held    int64        // bytes that a table has not laid out yet
	full    func() bool
	judged  *gate.Statement // nil: the query is trusted
	lines   []string        // of a plan; they replace the rows
}

// Query prepares a query in DuckDB's SQL, or several separated by semicolons: it runs all but the last at once, and the
// rows are the last one's result. Settings and temporary tables exist only for this call.
func (db *DB) Query(ctx context.Context, sql string) (*Rows, error) {
	return db.QueryIn(ctx, DuckDB, sql)
}

// QueryIn is like Query for a text in a dialect. In Presto's dialect it must be one statement.
func (db *DB) QueryIn(ctx context.Context, d Dialect, sql string) (*Rows, error) {
	conn, err := db.connectFirst(ctx)
	if err != nil {
		return nil, fmt.Errorf("run query: %w", err)
	}
	r := &Rows{db: db, ctx: ctx, conn: conn, sql: sql, dialect: d}
	if err := r.prepare(); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return r, nil
}

// prepare runs all statements but the last, and binds the last.
func (r *Rows) prepare() error {
	if r.dialect != DuckDB {
		return r.preparePresto()
	}
	if err := r.db.register(r.ctx, r.sql); err != nil {
		return err
	}
	if err := r.db.prepareViews(r.ctx, r.conn, r.db.named(r.sql)); err != nil {
		return err
	}
	r.query = split(r.sql)
	if len(r.query.statements) == 0 {
		return &Error{Kind: "Parser Error", Message: "the query is empty"}
	}
	n, err := r.attempt()
	if err != nil {
		text, shift := r.query.statement(n)
		return r.fail(err, text, shift)
	}
	return r.verify(n)
}

// attempt runs all statements but the last and prepares the last; n is the index of the failed statement, or of the
// last.
func (r *Rows) attempt() (n int, err error) {
	for ; n < len(r.query.statements)-1; n++ {
		text, _ := r.query.statement(n)
		if err := r.verify(n); err != nil {
			return n, err
		}
		if err := run(r.ctx, r.conn, text); err != nil {
			return n, err
		}
	}
	text, _ := r.query.statement(n)
	stmt, err := r.conn.PrepareContext(r.ctx, text)
	if err != nil {
		return n, err
	}
	r.describe(stmt.(*duckdb.Stmt))
	return n, stmt.Close()
}

// describe stores names and types of the result.
func (r *Rows) describe(stmt *duckdb.Stmt) {
	for n := 0; ; n++ {
		name, err := stmt.ColumnName(n)
		if err != nil {
			return
		}
		t := typeOf(stmt.ColumnTypeInfo(n))
		if isJSON(stmt, n) {
			t.kind, t.text = kindJSON, "JSON"
		}
		r.types = append(r.types, t)
		r.Columns = append(r.Columns, Column{Name: name, Type: t.text})
	}
}

// Next returns the next row, or io.EOF after the last. The values of a row are nil, bool, int64, uint64, *big.Int,
// float32, float64, string, []any for arrays, Object for structs and maps, and json.RawMessage for JSON. Strings are
// also used for decimals (all digits of the scale), times and dates (ISO 8601), intervals, UUIDs and bytes (as DuckDB
// writes them, \x00 for a byte that is no character).
func (r *Rows) Next() ([]any, error) {
	raw, err := r.nextRaw()
	if err != nil {
		return nil, err
	}
	row := make([]any, len(raw))
	for i, v := range raw {
		row[i] = r.types[i].value(v)
	}
	return row, nil
}

// begin runs the query if it has not run yet.
func (r *Rows) begin() error {
	if r.source != nil {
		return nil
	}
	return r.start()
}

// nextRaw is like Next with the driver's values.
func (r *Rows) nextRaw() ([]driver.Value, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	raw, err := r.source.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, r.fail(err, "", 0)
	}
	if r.most.Rows > 0 && r.given.Load() >= r.most.Rows {
		r.cut = CutRows
		return nil, io.EOF
	}
	r.given.Add(1)
	return raw, nil
}

// Close cancels the query and frees its resources.
func (r *Rows) Close() error {
	var err error
	if r.source != nil {
		err = r.source.close()
		r.source = nil
	}
	if r.conn != nil {
		if e := r.conn.Close(); err == nil {
			err = e
		}
		r.conn = nil
	}
	return err
}

// fail converts DuckDB's error on text. A place in text minus shift is the place in the translated query.
func (r *Rows) fail(err error, text string, shift int) error {
	err = r.db.explain(r.ctx, r.sql, r.query, text, shift, err)
	if r.dialect == Presto {
		err = located(r.sql, err)
	}
	return err
}

// start runs the query. The rows of a SELECT are made while they are read, so it may fail after some of them.
func (r *Rows) start() error {
	if r.conn == nil {
		return errors.New("read rows: the query is closed")
	}
	if r.lines != nil {
		r.source = &fixed{r.lines}
		return nil
	}
	if !r.query.rows || len(r.types) == 0 {
		return r.startDirect()
	}
	text, shift, err := r.wrap("", r.expressions(valueType.read))
	if err != nil {
		return err
	}
	rows, err := newStream(r.ctx, r.conn, text, len(r.types))
	if err != nil {
		return r.fail(err, text, shift)
	}
	r.source = rows
	return nil
}

// expressions returns f of each result column's type and name.
func (r *Rows) expressions(f func(t valueType, column string) string) []string {
	list := make([]string, len(r.types))
	for i, t := range r.types {
		list[i] = f(t, fmt.Sprintf("c%d", i))
	}
	return list
}

// startDirect runs a statement that is not a SELECT.
func (r *Rows) startDirect() error {
	text, shift := r.query.statement(len(r.query.statements) - 1)
	rows, err := r.conn.QueryContext(r.ctx, text, nil)
	if err != nil {
		return r.fail(err, text, shift)
	}
	names := rows.Columns()
	r.source = &direct{rows: rows, width: len(names)}
	if len(names) != len(r.types) { // not known before it ran
		r.Columns, r.types = nil, make([]valueType, len(names))
		for _, name := range names {
			r.Columns = append(r.Columns, Column{Name: name, Type: "VARCHAR"})
		}
	}
	return nil
}

// wrap selects columns, named c0, c1, …, of the last statement's result; the text before precedes it. shift is as in
// fail.
func (r *Rows) wrap(before string, columns []string) (sql string, shift int, err error) {
	names := make([]string, len(r.types))
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	body, shift := r.query.statement(len(r.query.statements) - 1)
	begin := "SELECT " + strings.Join(columns, ", ") + " FROM (\n"
	selection := begin + body + "\n) AS result(" + strings.Join(names, ", ") + ")" + r.limit()
	return before + selection, shift + len(before+begin), r.proven(selection)
}

// source returns rows with the driver's values.
type source interface {
	next() ([]driver.Value, error)
	close() error
}

// fetch reads a row. The driver panics on a map with a null entry; fetch recovers.
func fetch(rows driver.Rows, width int) (row []driver.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("read a value: %v", p)
		}
	}()
	row = make([]driver.Value, width)
	return row, rows.Next(row)
}
