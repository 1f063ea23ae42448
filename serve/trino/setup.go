package trino

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/view"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// listedQueries is how many queries of the person system.runtime.queries has.
const listedQueries = 100

// setup returns SQL that makes the system tables for the person. Only some statements need the person's queries.
func (c *call) setup(ctx context.Context, queries bool) (string, error) {
	data := map[string][][]any{
		"pm_schemas": {{bi.Schema}, {"information_schema"}}, "pm_server": {{c.version()}},
	}
	docs := map[string]string{}
	for _, t := range bi.Granted(c.person, c.Tables) {
		docs[t.Name] = t.Doc
	}
	for _, t := range c.granted().Tables {
		data["pm_tables"] = append(data["pm_tables"], []any{bi.Schema, t.Name, docs[t.Name]})
		for i, column := range t.Columns {
			j := jdbcOf(column.Type)
			data["pm_columns"] = append(data["pm_columns"], []any{bi.Schema, t.Name, column.Name, int64(i + 1), column.Type.String(), j.number,
				j.size, j.digits, j.radix, j.octets, textOrNull(column.Comment)})
		}
	}
	if queries {
		list, _, err := c.Executor.List(ctx, c.person, queryservice.Filter{Limit: listedQueries})
		if err != nil {
			return "", err
		}
		for _, q := range list {
			data["pm_queries"] = append(data["pm_queries"], queryRow(q))
		}
	}
	var b strings.Builder
	for _, t := range baseTables() {
		columns := make([]string, len(t.Columns))
		for i, column := range t.Columns {
			columns[i] = column.Name + " " + column.Type.DuckDB()
		}
		fmt.Fprintf(&b, "CREATE TABLE %s(%s);\n", t.Name, strings.Join(columns, ", "))
		insert(&b, t.Name, data[t.Name])
	}
	return b.String() + systems().setup, nil
}

// textOrNull returns nil for a text that there is not.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func insert(b *strings.Builder, table string, rows [][]any) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("INSERT INTO " + table + " VALUES ")
	for i, row := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		values := make([]string, len(row))
		for n, v := range row {
			values[n] = sqlOf(v)
		}
		b.WriteString("(" + strings.Join(values, ", ") + ")")
	}
	b.WriteString(";\n")
}

func sqlOf(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return view.QuoteText(v)
	}
	return "NULL"
}

// states are Trino's names of states.
var states = map[queryservice.State]string{
	queryservice.Queued: stateQueued, queryservice.Running: stateRunning, queryservice.Done: stateFinished, queryservice.Failed: stateFailed,
	queryservice.Cancelled: stateFailed,
}

func queryRow(q queryservice.Query) []any {
	at := func(t time.Time) any {
		if t.IsZero() {
			return nil
		}
		return t.UTC().Format("2006-01-02 15:04:05.000 UTC")
	}
	var failed any
	if q.Error != nil {
		failed = codeOf(q.Error.Kind, q.Error.Message).name
	}
	var queued any
	if !q.Started.IsZero() {
		queued = q.Started.Sub(q.Submitted).Milliseconds()
	}
	return []any{q.ID, states[q.State], q.Name, q.SQL, queued, at(q.Submitted), at(q.Started), at(q.Ended), failed}
}

// jdbc describes a type to drivers of JDBC: its number, and the size of its values. Members are int64 or nil.
type jdbc struct{ number, size, digits, radix, octets any }

func whole(number, size int64) jdbc { return jdbc{number, size, int64(0), int64(10), nil} }

// jdbcTypes are the types whose size does not depend on parameters.
var jdbcTypes = map[types.Kind]jdbc{
	types.Boolean: {number: int64(16)}, types.Tinyint: whole(-6, 3), types.Smallint: whole(5, 5), types.Integer: whole(4, 10),
	types.Bigint: whole(-5, 19),
	types.Real:   {int64(7), int64(24), nil, int64(2), nil}, types.Double: {int64(8), int64(53), nil, int64(2), nil},
	types.Varbinary: {int64(-3), int64(unbounded), nil, nil, int64(unbounded)}, types.Date: {int64(91), int64(14), nil, nil, nil},
	types.Time: {int64(92), int64(12), nil, nil, nil}, types.Timestamp: {int64(93), int64(25), nil, nil, nil},
	types.TimestampTZ: {int64(2014), int64(31), nil, nil, nil}, types.Array: {number: int64(2003)},
}

func jdbcOf(t types.Type) jdbc {
	switch t.Kind {
	case types.Decimal:
		return jdbc{int64(3), int64(t.Precision), int64(t.Scale), int64(10), nil}
	case types.Varchar, types.Char:
		n := int64(unbounded)
		if t.Precision != types.Unbounded {
			n = int64(t.Precision)
		}
		number := int64(12)
		if t.Kind == types.Char {
			number = 1
		}
		return jdbc{number, n, nil, nil, n}
	}
	if j, ok := jdbcTypes[t.Kind]; ok {
		return j
	}
	return jdbc{number: int64(2000)} // JAVA_OBJECT
}
