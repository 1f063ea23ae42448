package query

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
)

// TestGate: what is judged is the query of the text, however it ends, and errors are in its terms.
func TestGate(t *testing.T) {
	db, err := Open(t.Context(), []View{{Name: "t", Columns: []Column{{Name: "a", Type: "INTEGER"}}}}, Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	for sql, want := range map[string]string{
		"select a from t":                     "select a from t",
		"/* x */ explain\nselect 1; ; -- x;y": "\nselect 1",
		"select ';' ; -- ;":                   "select ';' ",
	} {
		s, err := db.Gate(t.Context(), sql, gate.Grants{})
		require.NoError(t, err)
		if s.SQL != want {
			t.Errorf("%s: %q", sql, s.SQL)
		}
	}
	for sql, want := range map[string]string{
		"select 1,\n read_text('x')": "Not allowed: the function read_text\n\nLINE 2:  read_text('x')\n         ^\nhint: it reads files",
		"from t, u":                  "Catalog Error: there is no table u\n\nLINE 1: from t, u\n                ^\nhint: did you mean t?",
		"explain selec":              "Parser Error: syntax error at or near \"selec\"\n\nLINE 1: explain selec\n                ^",
	} {
		if _, err := db.Gate(t.Context(), sql, gate.Grants{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestAsk: a judged query is run as it was judged, in each format.
func TestAsk(t *testing.T) {
	db := open(t, sharedDays(t)...)
	for sql, want := range map[string]string{
		"select count(*) n, min(sample_id) s from clients_daily -- x": "n,s\n12,\n",
		"with clients_daily as (select 1 x) from clients_daily;":      "x\n1\n",
		"select 7 / 2 as a, 7 // 2 as b":                              "a,b\n3.5,3\n",
		"values (1, 'a;b'), (2, null)":                                "col0,col1\n1,a;b\n2,\n",
	} {
		s, err := db.Gate(t.Context(), sql, gate.Grants{})
		require.NoError(t, err)
		for _, f := range []Format{FormatCSV, FormatParquet} {
			rows, err := db.Prepare(t.Context(), sql, s, nil)
			require.NoError(t, err)
			var b strings.Builder
			_, err = rows.Write(&b, f, WriteOptions{})
			require.NoError(t, err)
			require.NoError(t, rows.Close())
			if f == FormatCSV && b.String() != want {
				t.Errorf("%s: %s", sql, b.String())
			}
		}
	}
	s, err := db.Gate(t.Context(), "select 1", gate.Grants{})
	require.NoError(t, err)
	s.SQL = "select 2"
	rows, err := db.Prepare(t.Context(), "select 2", s, nil)
	require.NoError(t, err)
	defer rows.Close()
	if _, err := rows.Next(); err == nil {
		t.Error("another text than the judged one ran")
	}
}

// TestExplain: a plan is lines about the reads that name no folder of the installation.
func TestExplain(t *testing.T) {
	db, read := verified(t, func([]Scan) error { return nil }, sharedDays(t)...)
	sql := "explain select a.os from clients_daily a, main_summary b where a.submission_date_obj = '20180301' and b.sample_id = '42'"
	rows, err := db.QueryJudged(t.Context(), DuckDB, sql)
	require.NoError(t, err)
	defer rows.Close()
	var b strings.Builder
	_, err = rows.Write(&b, FormatTable, WriteOptions{})
	require.NoError(t, err)
	for _, want := range []string{"reads 3 files of 3 partitions, ", "READ clients_daily: 1 of 3 days, 1 file of 1 partition, ",
		"READ main_summary: 2 of 2 days, 2 files of 2 partitions, "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "/") || len(*read) > 0 {
		t.Errorf("%s\nread %v", b.String(), *read)
	}
	if _, err := db.QueryJudged(t.Context(), DuckDB, "explain select nothing from clients_daily"); err == nil ||
		!strings.Contains(err.Error(), "LINE 1: explain select nothing from") {
		t.Errorf("%v", err)
	}
}

// TestShowTables: the list has the tables and nothing of ours.
func TestShowTables(t *testing.T) {
	rows, err := gateDB(t).QueryJudged(t.Context(), DuckDB, "show tables")
	require.NoError(t, err)
	defer rows.Close()
	var b strings.Builder
	if _, err = rows.Write(&b, FormatCSV, WriteOptions{}); err != nil || b.String() != "name\nt\nu\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestGrantsOfSchemas: what another schema has may be named where it is granted, and nothing beside it.
func TestGrantsOfSchemas(t *testing.T) {
	db := gateDB(t)
	for sql, ok := range map[string]bool{
		"SELECT own.m(a) FROM own.x":                                true,
		"select OWN.M(1) from OWN.X as y, own.made(1)":              true,
		"SELECT m(a) FROM own.x":                                    false,
		"SELECT a FROM x":                                           false,
		"SELECT a FROM memory.own.x":                                false,
		"SELECT own.other(a) FROM own.x":                            false,
		"SELECT a FROM own.y":                                       false,
		`SELECT "own.m"(1)`:                                         false,
		`SELECT a FROM "own.x"`:                                     false,
		`SELECT a FROM "own".duckdb_settings()`:                     false,
		"SELECT * FROM own.x, duckdb_settings()":                    false,
		"SELECT 1 FROM own.x --\r; ATTACH 'x'":                      false,
		"SELECT 1 FROM own.x -- \r; SELECT 2":                       false,
		"SELECT (SELECT content FROM read_text('x')), a FROM own.x": false,
	} {
		_, err := db.Gate(t.Context(), sql, gate.Grants{Tables: []string{"own.x"}, Functions: []string{"own.m", "own.made"}})
		if (err == nil) != ok {
			t.Errorf("%q: %v", sql, err)
		}
	}
}
