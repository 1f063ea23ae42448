package trino

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// encrypted returns the port of a server with TLS, and the file of its certificate.
func encrypted(t *testing.T) (port, certificate string, o *bitest.Office) {
	t.Helper()
	c := bitest.Certificate(t)
	certificate = filepath.Join(t.TempDir(), "server.pem")
	require.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]}), 0o600))
	address, o := served(t, func(config *Config) { config.TLS = &tls.Config{Certificates: []tls.Certificate{c}} })
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	return port, certificate, o
}

// output runs a program that trusts a certificate and returns its output.
func output(t *testing.T, certificate, program string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	// The bundle goes before what the program says. Java writes and reads text in the encoding of the locale.
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "REQUESTS_CA_BUNDLE="+certificate)
	var printed bytes.Buffer
	cmd.Stderr = &printed
	out, err := cmd.Output()
	require.NoError(t, err, printed.String()+string(out))
	return out
}

// superset switches on TestSuperset, which installs 800 MB.
var superset = flag.Bool("tools.superset", false, "ask over Superset's own path")

// TestSuperset: Superset's model of a database, its dataset editor's questions, a query, and its way to cancel one.
func TestSuperset(t *testing.T) {
	if !*superset {
		t.Skip("make bi-tools runs it")
	}
	port, certificate, o := encrypted(t)
	python := clienttest.Python(t, "apache-superset==6.1.0", "trino==0.340.0", "flask-caching==2.3.1", "cachetools==6.2.1")
	printed := output(t, certificate, python, "testdata/in_superset.py", port, o.Tokens["common"], certificate)
	_, text, ok := strings.Cut(string(printed), "RESULT")
	require.True(t, ok, text)
	var got struct {
		Engine, Comment, Select, Cancelled, Version string
		Ping, Cancel                                bool
		Catalogs, Schemas, Tables, Views, Indexes   []string
		Columns                                     [][3]string
		Extra                                       struct {
			Partitions struct {
				Cols   []string
				Latest map[string]string
			}
		}
		Frame []any
		Rows  [][]int
	}
	require.NoError(t, json.Unmarshal([]byte(text), &got), text)
	t.Log(got.Version)
	assert.Equal(t, "TrinoEngineSpec", got.Engine)
	assert.True(t, got.Ping)
	assert.Equal(t, []string{"hive"}, got.Catalogs)
	assert.Equal(t, []string{"default", "information_schema"}, got.Schemas)
	assert.Contains(t, got.Tables, "addons")
	assert.NotContains(t, got.Tables, bitest.Restricted())
	assert.Empty(t, got.Views)
	assert.Contains(t, got.Columns, [3]string{"scope", "INTEGER", "Where it is installed (a bit mask)"})
	assert.Equal(t, "One row for each active add-on of each main ping with a client id.", got.Comment)
	assert.Equal(t, []string{"partition"}, got.Indexes)
	assert.Equal(t, "SELECT\n  *\nFROM hive.default.addons\nLIMIT 10", got.Select)
	assert.Equal(t, "20180301", got.Extra.Partitions.Latest["submission_date_obj"])
	assert.Equal(t, []any{[]any{"day", "n", "f"}, []any{"object", "int64", "float64"}, 1.0}, got.Frame)
	assert.Positive(t, got.Rows[0][0])
	assert.True(t, got.Cancel)
	assert.Equal(t, "USER_CANCELED", got.Cancelled)
}

// TestPython: the Python client, SQLAlchemy's dialect with its inspector, pandas and polars.
func TestPython(t *testing.T) {
	for _, packages := range [][]string{
		{"trino[sqlalchemy]==0.340.0", "sqlalchemy==2.0.58", "pandas==2.3.3", "polars==1.35.2"},
		{"trino[sqlalchemy]==0.340.0", "sqlalchemy==1.4.54"},
	} {
		testPython(t, clienttest.Python(t, packages...))
	}
}

// pythonTypes are the values and types of a row in Python.
var pythonTypes = [][2]string{
	{"0", "bigint"}, {"'é'", "varchar(1)"}, {"None", "varchar"}, {"Decimal('1.50')", "decimal(3, 2)"}, {"0.5", "double"}, {"True", "boolean"},
	{"datetime.date(2018, 3, 1)", "date"}, {"datetime.datetime(2018, 3, 1, 4, 5, 6, 789012)", "timestamp(6)"},
	{"datetime.datetime(2018, 3, 1, 4, 5, 6, tzinfo=zoneinfo.ZoneInfo(key='UTC'))", "timestamp(0) with time zone"},
	{"['a']", "array(varchar(1))"}, {"{'k': 1}", "map(varchar(1), integer)"}, {`b'\x00\xff'`, "varbinary"}, {"9007199254740993", "bigint"},
	{"nan", "double"}, {"datetime.time(4, 5, 6, 789000)", "time(3)"}, {"(x: 1, y: 'b')", "row(x integer, y varchar)"},
}

// inPython is what testdata/tools.py prints.
type inPython struct {
	Row, Types                          []string
	ID, Large, Select                   int
	Parameters, Prepared, Text          [][]any
	Session, Error, Cancelled, Stranger []string
	Hidden, Absent                      []string
	Transaction                         [][]int
	Inspector                           struct {
		Schemas, Tables, Views []string
		Columns                [][2]string
		Comment                struct{ Text string }
		Foreign                []string
		Has                    []bool
		Indexes                []struct{ Name string }
	}
	Pandas, Polars []any
	Versions       map[string]string
}

func testPython(t *testing.T, python string) {
	port, certificate, o := encrypted(t)
	var got inPython
	require.NoError(t, json.Unmarshal(output(t, certificate, python, "testdata/tools.py", port, o.Tokens["common"], certificate), &got))
	t.Log(got.Versions)
	require.Len(t, got.Row, len(pythonTypes))
	for i, want := range pythonTypes {
		assert.Equal(t, want, [2]string{got.Row[i], got.Types[i]})
	}
	assert.Equal(t, [][]any{{"it's", 3.0, 0.5, nil, []any{1.0, 2.0}}}, got.Parameters)
	assert.Equal(t, [][]any{{"it's", 1.0}}, got.Prepared)
	assert.Equal(t, [][]any{{"é", 7.0}}, got.Text)
	assert.Equal(t, 200_000, got.Large)
	assert.Equal(t, []string{"query_max_run_time", "1h"}, got.Session)
	assert.Equal(t, []string{"COLUMN_NOT_FOUND", "USER_ERROR", "line 1:8: column nothing is not known"}, got.Error)
	assert.Equal(t, []string{"USER_CANCELED", "USER_ERROR", "the query was cancelled"}, got.Cancelled)
	assert.Equal(t, []string{"error 401"}, got.Stranger)
	assert.Equal(t, "TABLE_NOT_FOUND", got.Hidden[0])
	assert.Equal(t, "TABLE_NOT_FOUND", got.Absent[0])
	assert.Equal(t, [][]int{{1}}, got.Transaction)
	seen := got.Inspector
	assert.Equal(t, []string{"default", "information_schema"}, seen.Schemas)
	common := slices.DeleteFunc(slices.Clone(sitetest.AllTables), func(n string) bool { return n == bitest.Restricted() })
	assert.ElementsMatch(t, common, seen.Tables)
	assert.Empty(t, seen.Views)
	assert.Contains(t, seen.Columns, [2]string{"scope", "INTEGER"})
	assert.Equal(t, "One row for each active add-on of each main ping with a client id.", seen.Comment.Text)
	assert.Equal(t, []bool{true, false, false}, seen.Has)
	require.Len(t, seen.Indexes, 1)
	assert.Equal(t, "partition", seen.Indexes[0].Name)
	if got.Versions["pandas"] != "" {
		assert.Equal(t, []any{[]any{"day", "n", "f", "at"}, "int64", "float64", "2018-03-01 04:05:06.789000", 1.0}, got.Pandas)
		assert.Equal(t, []any{[]any{"day", "n", "f", "at"}, []any{"String", "Int64", "Float64", "Datetime(time_unit='ms', time_zone=None)"}, 1.0},
			got.Polars)
	}
}
