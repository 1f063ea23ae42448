package query

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// hiding opens views without the rows of clients.
func hiding(t testing.TB, ids []string, views ...View) *DB {
	t.Helper()
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	db, err := Open(t.Context(), views, Options{Hidden: func(id string) bool { return set[id] }})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, db.Close())
	})
	return db
}

// TestHiddenLooksAlike: tables, columns and the choice of files are the same when clients
// are hidden.
func TestHiddenLooksAlike(t *testing.T) {
	views := sharedDays(t)
	all, some := open(t, views...), hiding(t, []string{"a", "c"}, views...)
	for _, sql := range []string{"DESCRIBE main_summary", "DESCRIBE clients_daily", "SHOW TABLES",
		"SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ALL",
		"SELECT table_name FROM information_schema.tables ORDER BY 1"} {
		if got, want := values(t, some, sql), values(t, all, sql); got != want {
			t.Errorf("%s: differs when clients are hidden:\n%.3000s\n----\n%.3000s", sql, got, want)
		}
	}
	for _, where := range []string{"submission_date_obj = '20180301'", "submission_date_obj >= '20180302' AND sample_id = '42'"} {
		sql := "SELECT count(document_id) FROM main_summary WHERE " + where
		if got, want := scanned(t, some, DuckDB, sql), scanned(t, all, DuckDB, sql); got != want || got == "" {
			t.Errorf("%s: scans %q files, want %q", where, got, want)
		}
	}
}

// TestHiddenNobody checks that the views do not change while nobody
// is hidden.
func TestHiddenNobody(t *testing.T) {
	for _, v := range sharedDays(t) {
		if v.Client != "client_id" {
			t.Errorf("%s: client column %q", v.Name, v.Client)
		}
		if strings.Contains(v.Create(false, ""), hiddenFunction) {
			t.Errorf("%s looks for hidden clients", v.Name)
		}
	}
	if v := TableView(&schema.Table{Name: "t", Columns: []schema.Column{{Name: "client_id", Type: schema.MustType("int")}}},
		nil); v.Client != "" {
		t.Errorf("a number as client: %q", v.Client)
	}
	db := open(t, sharedDays(t)...)
	if got := values(t, db, "SELECT (SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'pingmill%') + (SELECT count(*) "+
		"FROM duckdb_views() WHERE sql LIKE '%pingmill\\_hidden%' ESCAPE '\\')"); got != "0" {
		t.Errorf("%s traces of hiding", got)
	}
}

// TestHiddenIDs looks for the ids of hidden clients in all that DuckDB tells.
func TestHiddenIDs(t *testing.T) {
	const secret = "secret-client"
	l := newLake(t)
	file := l.write(schema.ClientsDaily(), "submission_date_obj=20180301", row{"client_id": "'" + secret + "'"}, row{"client_id": "'b'"},
		row{})
	db := hiding(t, []string{secret, secret + "-2"}, TableView(schema.ClientsDaily(), []string{file}))
	out := filepath.Join(t.TempDir(), "export")
	for _, sql := range []string{
		"SELECT * FROM clients_daily", "EXPLAIN SELECT * FROM clients_daily", "EXPLAIN ANALYZE SELECT count(*) FROM clients_daily",
		"SHOW TABLES", "SHOW ALL TABLES", "SHOW FUNCTIONS", "DESCRIBE clients_daily", "SUMMARIZE clients_daily", "FROM duckdb_tables()",
		"FROM duckdb_views()",
		"FROM duckdb_functions()", "FROM duckdb_settings()", "FROM duckdb_variables()", "FROM duckdb_schemas()", "FROM duckdb_databases()",
		"FROM duckdb_columns()", "FROM duckdb_memory()", "FROM duckdb_secrets()", "FROM duckdb_prepared_statements()",
		"FROM duckdb_dependencies()",
		"FROM information_schema.tables", "FROM information_schema.columns", "FROM sqlite_master", "FROM pg_catalog.pg_class",
		"FROM pg_catalog.pg_proc",
		"SELECT pingmill_hidden(client_id) FROM clients_daily", "SELECT pingmill_hidden(NULL)", "SELECT pingmill_hidden(1)",
		"SELECT pingmill_hidden()",
		"FROM pingmill_hidden", "FROM pingmill_hidden()", "SELECT CAST(client_id AS INTEGER) FROM clients_daily",
		"DROP FUNCTION pingmill_hidden", "EXPORT DATABASE " + quoteText(out),
		"SELECT content FROM read_text(" + quoteText(out+"/schema.sql") + ")",
	} {
		got, err := try(db, sql)
		if strings.Contains(got, secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s tells the id of a hidden client", sql)
		}
	}
	// Nobody can put another function in the place of this one.
	got := values(t, db, "CREATE OR REPLACE MACRO pingmill_hidden(x) AS false; SELECT count(*), count(client_id) FROM clients_daily")
	if got != "2,1" {
		t.Errorf("with a macro of the function's name: %s", got)
	}
}

// TestHiddenByOtherIDs hides rows by every column that a table declares to have ids.
func TestHiddenByOtherIDs(t *testing.T) {
	st := &schema.Table{Name: "t", PartitionKeys: []string{"day"}, Columns: []schema.Column{
		{Name: "client_id", Type: schema.MustType("string")}, {Name: "profile_id", Type: schema.MustType("string"), ID: true},
		{Name: "other", Type: schema.MustType("string")}, {Name: "day", Type: schema.MustType("string")},
	}}
	l := newLake(t)
	file := l.write(st, "day=20180301", row{"client_id": "'a'", "profile_id": "'x'"},
		row{"client_id": "'b'", "profile_id": "'hid'", "other": "'hid'"},
		row{"profile_id": "'hid'"}, row{"client_id": "'c'", "other": "'hid'"}, row{"client_id": "'hid'"}, row{})
	v := TableView(st, []string{file})
	require.Equal(t, []string{"client_id", "profile_id"}, v.Deciding())
	const sql = "SELECT count(*), count(client_id), count(other) FROM t"
	require.Equal(t, "3,2,1", values(t, hiding(t, []string{"hid"}, v), sql))
	v.Columns = slices.DeleteFunc(slices.Clone(v.Columns), func(c Column) bool { return c.Name == "profile_id" })
	require.Equal(t, "3,2,1", values(t, hiding(t, []string{"hid"}, v), sql))
	require.Equal(t, "6,4,2", values(t, open(t, v), sql))
}

// TestHiddenByMembers hides rows by ids within structs, also where the view does not show the column or a query reads none.
func TestHiddenByMembers(t *testing.T) {
	metrics := schema.MustType("struct<counter:struct<n:long>,uuid:struct<a:string,b:string,c:string>>")
	metrics.Fields[1].Type.Fields[0].ID, metrics.Fields[1].Type.Fields[1].ID = true, true
	st := &schema.Table{Name: "t", PartitionKeys: []string{"day"}, Columns: []schema.Column{
		{Name: "id", Type: schema.MustType("string")}, {Name: "metrics", Type: metrics}, {Name: "day", Type: schema.MustType("string")},
	}}
	l := newLake(t)
	ids := func(a, b, c string) string {
		return fmt.Sprintf("{'counter': {'n': 1::BIGINT}, 'uuid': {'a': %s, 'b': %s, 'c': %s}}", a, b, c)
	}
	file := l.write(st, "day=20180301", row{"id": "'0'", "metrics": ids("'hid'", "NULL", "NULL")},
		row{"id": "'1'", "metrics": ids("NULL", "'hid'", "NULL")},
		row{"id": "'2'", "metrics": ids("'a'", "'b'", "'hid'")}, row{"id": "'3'", "metrics": ids("NULL", "NULL", "NULL")}, row{"id": "'4'"})
	v := TableView(st, []string{file})
	require.Equal(t, []string{"metrics"}, v.Deciding())
	for _, sql := range []string{"SELECT max(id::INT), min(id::INT), count(*) FROM t WHERE day = '20180301'",
		"SELECT max(id::INT), min(id::INT), count(id) FROM t"} {
		require.Equal(t, "4,2,3", values(t, hiding(t, []string{"hid"}, v), sql))
		require.Equal(t, "4,0,5", values(t, open(t, v), sql))
	}
	require.Equal(t, "3,2", values(t, hiding(t, []string{"hid"}, v), "SELECT count(*), sum(metrics.counter.n) FROM t"))
	v.Columns = slices.DeleteFunc(slices.Clone(v.Columns), func(c Column) bool { return c.Name == "metrics" })
	require.Equal(t, "3,2", values(t, hiding(t, []string{"hid"}, v), "SELECT count(*), min(id::INT) FROM t"))
}

// TestHiddenWithoutColumn: rows are hidden by the client where the view does not show the column.
func TestHiddenWithoutColumn(t *testing.T) {
	views := slices.Clone(sharedDays(t))
	for i := range views {
		views[i].Columns = slices.DeleteFunc(slices.Clone(views[i].Columns), func(c Column) bool { return c.Name == "client_id" })
	}
	some := hiding(t, []string{"a", "c"}, views...)
	const sql = "SELECT count(*), count(normalized_channel) FROM clients_daily"
	require.Equal(t, values(t, hiding(t, []string{"a", "c"}, sharedDays(t)...), sql), values(t, some, sql))
	for d, sql := range map[Dialect]string{DuckDB: "SELECT max(client_id) FROM clients_daily", Presto: "SELECT client_id FROM clients_daily"} {
		_, err := some.QueryIn(t.Context(), d, sql)
		require.Error(t, err, sql)
	}
}
