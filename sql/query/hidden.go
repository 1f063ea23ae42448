package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/query/view"
)

// hiddenFunction reports whether the rows of a client id are hidden. The ids stay
// in this process's memory and are nowhere in DuckDB: SQL can ask about an id
// that its author already knows, but cannot list the ids.
const hiddenFunction = view.HiddenFunction

// clientSet implements that function with a set of ids.
type clientSet func(id string) bool

// Config implements duckdb.ScalarFunc. The result for a null is null.
func (h clientSet) Config() duckdb.ScalarFuncConfig {
	text, _ := duckdb.NewTypeInfo(duckdb.TYPE_VARCHAR) // fails for nested types alone
	truth, _ := duckdb.NewTypeInfo(duckdb.TYPE_BOOLEAN)
	return duckdb.ScalarFuncConfig{InputTypeInfos: []duckdb.TypeInfo{text}, ResultTypeInfo: truth}
}

// Executor implements duckdb.ScalarFunc.
func (h clientSet) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(values []driver.Value) (any, error) {
		id, _ := values[0].(string)
		return h(id), nil
	}}
}

// hide registers the function for all connections.
func (db *DB) hide(ctx context.Context, hidden func(id string) bool) error {
	// Closing a sql.DB closes its connector if that can be closed.
	pool := sql.OpenDB(struct{ driver.Connector }{db.connector})
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("hide clients: %w", err)
	}
	defer conn.Close()
	if err := duckdb.RegisterScalarUDF(conn, hiddenFunction, clientSet(hidden)); err != nil {
		return fmt.Errorf("hide clients: %w", err)
	}
	return nil
}
