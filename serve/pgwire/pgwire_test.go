package pgwire

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// served returns a server of an office.
func served(t *testing.T, change func(*Config)) (port string, o *bitest.Office) {
	t.Helper()
	o = bitest.Open(t)
	c := Config{Executor: o.Executor, Access: o.Access, Tables: o.Site.Tables, Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := New(c)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	_, port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port, o
}

// psql is psql with some arguments, as somebody.
func psql(t *testing.T, port string, o *bitest.Office, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is missing: install postgresql-client")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, append([]string{"-X", "-h", "127.0.0.1", "-p", port, "-U", "token", "-d", "hive"}, args...)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+o.Tokens[name], "PGCONNECT_TIMEOUT=10", "LC_ALL=C")
	return cmd
}

// said returns psql's output for commands, each given by -c.
func wrote(t *testing.T, port string, o *bitest.Office, name string, commands ...string) string {
	t.Helper()
	args := []string{"-A", "-t"}
	for _, c := range commands {
		args = append(args, "-c", c)
	}
	out, _ := psql(t, port, o, name, args...).CombinedOutput() // its errors are in it
	return string(out)
}

// nested has values of the types that arrays of a client's pings have.
const nested = `SELECT CAST(ARRAY[MAP(ARRAY['id'], ARRAY[ROW('A', 1)]), NULL] AS array(map(varchar, row(name varchar, scope integer)))) AS addons,
CAST(MAP(ARRAY['k'], ARRAY[ARRAY[ROW(2), ROW(NULL)]]) AS map(varchar, array(row(value bigint)))) AS scalars,
CAST(ARRAY[ROW(MAP(ARRAY['a'], ARRAY['1']), ROW('google'))] AS array(row(user_prefs map(varchar, varchar), data row(name varchar)))) AS settings`

// TestPsql: queries, their types, the lists of tables and columns, errors with their places, and what is refused.
func TestPsql(t *testing.T) {
	port, o := served(t, nil)
	for command, want := range map[string]string{
		`SELECT count(*), 'é', CAST(NULL AS varchar), 1.50, true, date '2018-03-01', ARRAY['a'], MAP(ARRAY['k'], ARRAY[1]), X'00ff' FROM ` +
			`addons WHERE sample_id < '0'`: "0|é||1.50|t|2018-03-01|[\"a\"]|{\"k\":1}|\\x00ff\n",
		`SELECT timestamp '2018-03-01 04:05:06.789', 0.1e0, nan(), INTERVAL '3' DAY`: "2018-03-01 04:05:06.789|0.1|NaN|3 00:00:00.000\n",
		nested: `[{"id":{"name":"A","scope":1}},null]|{"k":[{"value":2},{"value":null}]}|[{"user_prefs":{"a":"1"},` +
			`"data":{"name":"google"}}]` + "\n",
		"":                        "",
		"SHOW dialect":            "presto\n",
		"SHOW server_version_num": "130000\n",
		"SHOW TABLES LIKE 'add%'": "addons\n",
		"BEGIN; SELECT 1; COMMIT": "BEGIN\n1\nCOMMIT\n",
		"SELECT version()":        "PostgreSQL 13.0 as pingmill speaks it, with queries in Presto's SQL\n",
		"SELECT current_database(), current_schema(), current_user": "hive|default|common\n",
	} {
		assert.Equal(t, want, wrote(t, port, o, "common", command), command)
	}
	assert.Equal(t, "SET\n3\n", wrote(t, port, o, "common", "SET dialect = 'duckdb'", "SELECT list_sum([1, 2])"))
	assert.Equal(t, "ERROR:  Parser Error: found the end of the query, expected )\n",
		strings.SplitAfter(wrote(t, port, o, "common", "SELECT (1"), "\n")[0])
	assert.Equal(t, "ERROR:  Binder Error: column nothing is not known\nLINE 2:   nothing FROM addons\n          ^\n",
		wrote(t, port, o, "common", "SELECT 1,\n  nothing FROM addons"))
	for command, want := range map[string]string{
		"COPY addons TO STDOUT": "ERROR:  COPY is not supported: there are only queries here\n",
		"DROP TABLE addons":     "ERROR:  cannot execute DROP: there are only queries here\n",
		"SET no_such = 1":       "ERROR:  unrecognized configuration parameter\n",
	} {
		assert.Equal(t, want, wrote(t, port, o, "common", command))
	}
}

// TestCatalogIsAlone: questions about the catalog reach neither files nor the tables nor what is behind DuckDB.
func TestCatalogIsAlone(t *testing.T) {
	port, o := served(t, nil)
	for _, sql := range []string{
		"SELECT * FROM read_text('/etc/passwd'), pg_class", "SELECT * FROM pg_class, '/etc/passwd'", "SELECT * FROM addons, pg_class",
		"SELECT * FROM pg_class, glob('/*')",
		"SELECT 1 FROM pg_am --\r; ATTACH '/tmp/pg_x.db' AS pg_x", "SELECT 1 FROM pg_am --\r; COPY (SELECT 1) TO '/tmp/pg_x.csv'",
		"SELECT 1 FROM pg_am --\r; SET threads = 8",
		"SELECT * FROM duckdb_settings(), pg_am", "SELECT name FROM duckdb_settings() WHERE name LIKE 'pg_%' OR true",
		"SELECT * FROM pgc.pg_class, duckdb_databases()",
		"SELECT 1 FROM pg_am; ATTACH 'pg_x'", "SELECT 1 FROM pg_am WHERE getvariable('x') IS NULL", "SELECT * FROM pgc.pg_am.x",
		"SELECT current_setting('temp_directory') || pg_size_pretty(1) FROM duckdb_settings()",
		"SELECT * FROM system.main.duckdb_settings(), pg_am", "SELECT * FROM pg_catalog.pg_settings, pragma_database_size()",
		"SELECT pg_catalog.read_text('/etc/passwd')", "SELECT * FROM pg_catalog.query('SELECT 1')",
		"ATTACH '/tmp/pg_x.db' AS pg_x", "INSTALL pg_x", "PRAGMA pg_x", "EXPORT DATABASE '/tmp/pg_x'",
		"SELECT getenv('HOME') || 'x' FROM pg_class",
	} {
		got := wrote(t, port, o, "common", sql)
		assert.Contains(t, got, "ERROR:", sql)
		assert.NotContains(t, got, "root:", sql)
	}
	assert.Equal(t, "1\n", wrote(t, port, o, "common", "SELECT count(*) FROM pg_am"))
}

// TestLists: psql's commands about tables show what is granted, and nothing else.
func TestLists(t *testing.T) {
	port, o := served(t, nil)
	commands := []string{`\d`, `\dt`, `\dt+`, `\d addons`, `\d+ addons`, `\dn`, `\dn+`, `\l`, `\du`, `\df`, `\dv`, `\dm`, `\di`, `\ds`, `\dT`,
		`\dp`, `\dx`, `\des`, `\db`, `\dy`, `\d *.*`,
		"SELECT table_name FROM information_schema.tables ORDER BY 1", "SELECT count(*) FROM information_schema.columns"}
	for _, name := range []string{"common", "all", "narrow"} {
		got := wrote(t, port, o, name, append(commands, `\d `+bitest.Absent())...)
		commands = []string{`\d`, `\d+ addons`}
		assert.NotContains(t, got, "ERROR", name)
		seen := strings.Contains(got, bitest.Restricted()+"|") || strings.Contains(got, bitest.Restricted()+"\n")
		assert.Equal(t, name == "all", seen, name)
	}
	assert.Equal(t, wrote(t, port, o, "common", `\d `+bitest.Absent()),
		strings.ReplaceAll(wrote(t, port, o, "common", `\d `+bitest.Restricted()), bitest.Restricted(), bitest.Absent()))
	assert.Equal(t, "document_id|text|||\nsubmission_date_obj|text|||\nsample_id|text|||\n", wrote(t, port, o, "narrow", `\d addons`))
	assert.Equal(t, wrote(t, port, o, "common", "SELECT * FROM "+bitest.Absent()),
		strings.ReplaceAll(wrote(t, port, o, "common", "SELECT * FROM "+bitest.Restricted()), bitest.Restricted(), bitest.Absent()))
}

// endless runs for hours.
const endless = `SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)
CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5`

// TestInterrupt: Ctrl-C in psql cancels the query, and psql goes on; when psql is killed its query ends.
func TestInterrupt(t *testing.T) {
	port, o := served(t, nil)
	cmd := psql(t, port, o, "common", "-A", "-t", "-c", endless, "-c", "SELECT 7")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	o.Until(t, "common", queryservice.Running, 1)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	assert.Contains(t, out.String(), "ERROR:  canceling statement due to user request")
	o.Until(t, "common", queryservice.Cancelled, 1)

	cmd = psql(t, port, o, "common", "-c", endless)
	require.NoError(t, cmd.Start())
	o.Until(t, "common", queryservice.Running, 1)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	o.Until(t, "common", queryservice.Cancelled, 2)
}

// TestSignIn: tokens that do not count are refused, all in the same words; over TLS the others are taken.
func TestSignIn(t *testing.T) {
	port, o := encrypting(t)
	o.Tokens["nobody"] = "pm_nobody"
	for _, name := range []string{"nobody", "expired common"} {
		assert.Contains(t, wrote(t, port, o, name, "SELECT 1"), "FATAL:  the password is no valid API token\n", name)
	}
	assert.Contains(t, wrote(t, port, o, "jobs common", "SELECT 1"), "it lacks the scope query")
	cmd := psql(t, port, o, "common", "-c", `\conninfo`)
	cmd.Env = append(cmd.Env, "PGSSLMODE=require")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "SSL connection")
}

// elsewhere is a connection from another machine.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)} }

// TestClearText: nobody is asked for a token that others could read on its way.
func TestClearText(t *testing.T) {
	client, conn := net.Pipe()
	go func() { _ = New(Config{}).converse(t.Context(), elsewhere{conn}, func() {}) }()
	front := pgproto3.NewFrontend(client, client)
	front.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "token"}})
	require.NoError(t, front.Flush())
	m, err := front.Receive()
	require.NoError(t, err)
	refusal, ok := m.(*pgproto3.ErrorResponse)
	require.True(t, ok, "%T", m)
	assert.Contains(t, refusal.Message, "use TLS")
}
