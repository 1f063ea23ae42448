package pgwire

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// output runs a program and returns its output.
func output(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var printed bytes.Buffer
	cmd.Stderr = &printed
	out, err := cmd.Output()
	require.NoError(t, err, printed.String()+string(out))
	return out
}

// TestPsycopg: values of the right types in both formats, parameters that the client writes into the text, errors with SQLSTATE and place.
func TestPsycopg(t *testing.T) {
	python := clienttest.Python(t, "psycopg[binary]==3.3.9")
	port, o := served(t, nil)
	out := output(t, python, "testdata/notebook.py", "host=127.0.0.1 dbname=hive user=token port="+port+" password="+o.Tokens["common"])
	var got map[string]any
	require.NoError(t, json.Unmarshal(out, &got))
	assert.Equal(t, []any{"0", "'é'", "None", "Decimal('1.50')", "0.5", "True", "datetime.date(2018, 3, 1)",
		"datetime.datetime(2018, 3, 1, 4, 5, 6, 789000)",
		"['a']", "{'k': 1}", `b'\x00\xff'`, "9007199254740993"}, got["row"])
	assert.Equal(t, []any{"int8", "text", "text", "numeric(3,2)", "float8", "bool", "date", "timestamp", "json", "json", "bytea", "int8"},
		got["types"])
	assert.Equal(t, []any{"7", "Decimal('1.50')", "0.5", "datetime.date(2018, 3, 1)", "datetime.datetime(2018, 3, 1, 4, 5, 6, 789000)", "'é'",
		"True", `b'\x00\xff'`}, got["binary"])
	assert.Equal(t, []any{"it's", 3.0}, got["parameters"])
	assert.Equal(t, 20000.0, got["large"])
	assert.Equal(t, []any{"42703", "Binder Error: column nothing is not known", "13"}, got["error"])
	assert.Equal(t, []any{"0A000", "queries have no parameters here: have the client write the values into the text"}, got["bound"])
	assert.Equal(t, []any{"document_id", "client_id"}, got["schema"])
	assert.Equal(t, "3", got["duckdb"], "a HUGEINT")
}

// TestJDBC: the metadata that DBeaver asks for, and the types of a query.
func TestJDBC(t *testing.T) {
	port, o := served(t, nil)
	out := clienttest.Metadata(t, "org.postgresql:postgresql:42.7.4", "jdbc:postgresql://127.0.0.1:"+port+"/hive", "user", "token", "password",
		o.Tokens["common"])
	for _, want := range []string{
		"product PostgreSQL\n", "catalogs | hive\n", "| default addons TABLE", "columns | document_id text | client_id text", "keys\n",
		"imported\n", "exported\n", "indexes\n", "privileges\n", "functions\n", "| int8 |",
		"row n:Long=0 d:BigDecimal=1.50 f:Double=0.5 s:String=x b:Boolean=t day:Date=2018-03-01 t:Timestamp=2018-03-01 04:05:06.789 " +
			"a:PGobject=[\"a\"]\n",
		"sum 3503500 int8\n", "error 42703 ERROR: Binder Error: there is no table no_such_table",
	} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, bitest.Restricted())
}

// TestPgx: what Grafana's data source does, which asks with this driver: the version, then queries whose macros are expanded.
func TestPgx(t *testing.T) {
	port, o := served(t, nil)
	url := "postgres://token:" + o.Tokens["common"] + "@127.0.0.1:" + port + "/hive?sslmode=disable"
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec,
		pgx.QueryExecModeSimpleProtocol} {
		config, err := pgx.ParseConfig(url)
		require.NoError(t, err)
		config.DefaultQueryExecMode = mode
		c, err := pgx.ConnectConfig(t.Context(), config)
		require.NoError(t, err)
		var version string
		require.NoError(t, c.QueryRow(t.Context(), "SELECT current_setting('server_version_num')::int/100").Scan(&version), mode)
		assert.Equal(t, "1300", version)
		var n int64
		var at time.Time
		var d float64
		require.NoError(t, c.QueryRow(t.Context(), "SELECT count(*), timestamp '2018-03-01 04:05:06', 0.5e0 FROM addons").Scan(&n, &at, &d), mode)
		assert.Equal(t, time.Date(2018, 3, 1, 4, 5, 6, 0, time.UTC), at.UTC())
		assert.NotZero(t, n)
		require.NoError(t, c.Close(t.Context()))
	}
}

// grafana are questions that Grafana's data source asks, and a query with its macros as it expands them.
var grafana = map[string]string{
	"SELECT current_setting('server_version_num')::int/100 as version": "1300",
	`select quote_ident(column_name) as "column", data_type as "type" from information_schema.columns where quote_ident(table_name) = ` +
		`'addons' order by ordinal_position limit 1`: "document_id|text",
	`SELECT floor(extract(epoch from strptime(submission_date_obj, '%Y%m%d'))/86400)*86400 AS "time", count(*) > 0 AS n FROM addons ` +
		`WHERE strptime(submission_date_obj, '%Y%m%d') BETWEEN '2018-02-28T00:00:00Z' AND '2018-03-02T00:00:00Z' ` +
		`GROUP BY 1 ORDER BY 1`: "1519862400|t",
}

// TestGrafana: they are answered, in the database that has DuckDB's dialect.
func TestGrafana(t *testing.T) {
	port, o := served(t, nil)
	for sql, want := range grafana {
		out, err := psql(t, port, o, "common", "-A", "-t", "-d", "duckdb", "-c", sql).CombinedOutput()
		assert.NoError(t, err)
		assert.Equal(t, want+"\n", string(out), sql)
	}
}
