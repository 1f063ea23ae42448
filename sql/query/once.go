package query

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// once runs a statement and passes its result to see. The driver prepares a statement and then runs it; if it reads
// parquet files, DuckDB plans it twice. For views of hundreds of columns or files planning takes longer than a small
// query. once plans only once.
func once(ctx context.Context, conn *duckdb.Conn, sql string, see func(*mapping.Result) error) error {
	c, err := handle(conn)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	defer interrupted(ctx, c)()
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if mapping.Query(c, sql, &result) == mapping.StateError {
		return &duckdb.Error{Msg: mapping.ResultError(&result)}
	}
	return see(&result)
}

// interrupted interrupts what runs on a connection when ctx ends. The caller calls end, which waits for an interruption that has begun,
// before the connection is closed.
func interrupted(ctx context.Context, c mapping.Connection) (end func()) {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		mapping.Interrupt(c)
	})
	return func() {
		if !stop() {
			<-done
		}
	}
}

var errClosed = errors.New("the connection is closed")

// private returns a field that the driver does not export.
func private[T any](value any, name string) (*T, error) {
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if field := v.Elem().FieldByName(name); field.IsValid() && field.Type() == reflect.TypeFor[T]() {
			return (*T)(unsafe.Pointer(field.UnsafeAddr())), nil
		}
	}
	return nil, fmt.Errorf("the driver of DuckDB has no field %s of type %s: this version of it does not fit", name, reflect.TypeFor[T]())
}

// handle returns the connection's handle in the driver's lower layer. Start calls it, so that a driver without it is
// reported at once; after that its only error is that the connection is closed.
func handle(conn *duckdb.Conn) (c mapping.Connection, err error) {
	if conn == nil {
		return c, errClosed
	}
	field, err := private[mapping.Connection](conn, "conn")
	if err != nil {
		return c, err
	}
	if field.Ptr == nil {
		return c, errClosed
	}
	return *field, nil
}

// Progress returns the percentage of the query that DuckDB has done, negative if unknown. It is safe for concurrent use
// while the rows are open.
func (r *Rows) Progress() float64 {
	c, err := handle(r.conn)
	if err != nil {
		return -1
	}
	p := mapping.QueryProgress(c)
	percent, _, _ := mapping.QueryProgressTypeMembers(&p)
	return percent
}

// makes runs a statement and ignores its result.
func makes(ctx context.Context, conn *duckdb.Conn, sql string) error {
	return once(ctx, conn, sql, func(*mapping.Result) error { return nil })
}

// count runs a statement whose result is a number of rows.
func count(ctx context.Context, conn *duckdb.Conn, sql string) (n int64, err error) {
	err = once(ctx, conn, sql, func(r *mapping.Result) error {
		return first(r, 0, func(value unsafe.Pointer) { n = *(*int64)(value) })
	})
	return n, err
}

// planText runs an EXPLAIN, whose result has a name and the plan, and returns the plan.
func planText(ctx context.Context, conn *duckdb.Conn, sql string) (text string, err error) {
	err = once(ctx, conn, sql, func(r *mapping.Result) error {
		return first(r, 1, func(value unsafe.Pointer) { text = mapping.StringTData((*mapping.StringT)(value)) })
	})
	return text, err
}

// first passes the value of a column of the only row to see.
func first(r *mapping.Result, column mapping.IdxT, see func(unsafe.Pointer)) error {
	chunk := mapping.FetchChunk(*r)
	if chunk.Ptr == nil {
		return errors.New("no row where one is wanted")
	}
	defer mapping.DestroyDataChunk(&chunk)
	if mapping.DataChunkGetSize(chunk) != 1 || mapping.DataChunkGetColumnCount(chunk) <= column {
		return errors.New("other rows or columns than wanted")
	}
	see(mapping.VectorGetData(mapping.DataChunkGetVector(chunk, column)))
	return nil
}

// isJSON reports whether a column of a statement has DuckDB's type JSON, which the driver describes as text.
func isJSON(stmt *duckdb.Stmt, column int) bool {
	prepared, err := private[*mapping.PreparedStatement](stmt, "preparedStmt")
	if err != nil {
		return false
	}
	t := mapping.PreparedStatementColumnLogicalType(**prepared, mapping.IdxT(column))
	defer mapping.DestroyLogicalType(&t)
	return mapping.LogicalTypeGetAlias(t) == "JSON"
}
