package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// scalarFunc registers a function in Go with DuckDB.
type scalarFunc scalar.Func

// Config implements duckdb.ScalarFunc.
func (f *scalarFunc) Config() duckdb.ScalarFuncConfig {
	c := duckdb.ScalarFuncConfig{ResultTypeInfo: duckType(f.Result), SpecialNullHandling: f.Nulls, Volatile: f.Volatile}
	for _, a := range f.Args {
		c.InputTypeInfos = append(c.InputTypeInfos, duckType(a))
	}
	return c
}

// Executor implements duckdb.ScalarFunc.
func (f *scalarFunc) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		args := make([]any, len(values))
		for i, v := range values {
			args[i] = v
		}
		return f.Call(args)
	}}
}

// duckTypes maps the types of arguments and results of functions in Go to DuckDB's.
var duckTypes = map[types.Kind]duckdb.Type{
	types.Boolean: duckdb.TYPE_BOOLEAN, types.Integer: duckdb.TYPE_INTEGER, types.Bigint: duckdb.TYPE_BIGINT, types.Real: duckdb.TYPE_FLOAT,
	types.Double: duckdb.TYPE_DOUBLE, types.Varchar: duckdb.TYPE_VARCHAR, types.Varbinary: duckdb.TYPE_BLOB,
}

func duckType(t types.Type) duckdb.TypeInfo {
	if t.Kind == types.Array {
		list, _ := duckdb.NewListInfo(duckType(t.Elem())) // fails without an element alone
		return list
	}
	info, err := duckdb.NewTypeInfo(duckTypes[t.Kind])
	if err != nil {
		panic(err) // a function in Go of a type that is not in the list
	}
	return info
}

// register registers the functions in Go that a statement names, for all connections. All of them would take 1.6 ms.
func (db *DB) register(ctx context.Context, statement string) error {
	statement = strings.ToLower(statement)
	if !strings.Contains(statement, scalar.Prefix) {
		return nil
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	// Closing a sql.DB closes its connector if that can be closed.
	pool := sql.OpenDB(struct{ driver.Connector }{db.connector})
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("register functions: %w", err)
	}
	defer conn.Close()
	for _, f := range scalar.All() {
		if db.registered[f.Name] || !strings.Contains(statement, f.Name) {
			continue
		}
		if err := duckdb.RegisterScalarUDF(conn, f.Name, (*scalarFunc)(&f)); err != nil {
			return fmt.Errorf("register function %s: %w", f.Name, err)
		}
		db.registered[f.Name] = true
	}
	return nil
}
