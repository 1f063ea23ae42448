package query

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verified opens the shared days and notes what is asked about, with the answer
// that verify gives.
func verified(t *testing.T, verify func([]Scan) error, views ...View) (*DB, *[]string) {
	t.Helper()
	var seen []string
	db, err := Open(t.Context(), views, Options{TempDir: t.TempDir(), Verify: func(_ context.Context, scans []Scan) error {
		for _, s := range scans {
			columns := "all"
			if s.Columns != nil {
				columns = strings.Join(s.Columns, " ")
			}
			var days []string
			for _, f := range s.Files {
				_, path, _ := strings.Cut(f, "submission_date")
				_, path, _ = strings.Cut(path, "=")
				days = append(days, strings.TrimPrefix(filepath.Dir(path), "2018"))
			}
			seen = append(seen, fmt.Sprintf("%s %s: %s", s.View, strings.Join(days, " "), columns))
		}
		return verify(scans)
	}})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, db.Close())
	})
	return db, &seen
}

// Whatever way a query goes, the error of a file that it reads is its answer, and
// nothing of the file is.
func TestDamagedFile(t *testing.T) {
	bad := errors.New("it is damaged")
	db, _ := verified(t, func(scans []Scan) error {
		for _, s := range scans {
			if s.View == "clients_daily" && slices.ContainsFunc(s.Files, func(f string) bool { return strings.Contains(f, "=20180302") }) {
				return bad
			}
		}
		return nil
	}, sharedDays(t)...)
	out := filepath.Join(t.TempDir(), "x.csv")
	for _, sql := range []string{
		"SELECT * FROM clients_daily", "FROM clients_daily_v6", "SELECT max(submission_date_obj) FROM clients_daily", "SUMMARIZE clients_daily",
		"SELECT (SELECT count(*) FROM clients_daily) + 1",
		"WITH RECURSIVE r AS (SELECT client_id FROM clients_daily UNION SELECT client_id FROM r) FROM r",
		"COPY (SELECT os FROM clients_daily) TO '" + out + "'", "CREATE TEMP TABLE y AS FROM clients_daily; SELECT 1",
		"PIVOT clients_daily ON os USING count(*)",
		"SELECT os FROM clients_daily WHERE submission_date_obj IN (SELECT '201803' || '02')",
		"SELECT os FROM clients_daily ORDER BY client_id LIMIT 2",
		"PREPARE p AS SELECT os FROM clients_daily; EXECUTE p",
		"SELECT count(*) FROM main_summary m WHERE EXISTS (SELECT 1 FROM clients_daily c WHERE c.client_id = m.client_id)",
		"SELECT * FROM query('FROM ' || 'clients_daily')", "FROM query_table('clients_daily')", "SELECT os FROM clients_daily TABLESAMPLE 2 ROWS",
		"CREATE MACRO f() AS TABLE SELECT client_id FROM clients_daily; FROM f()", "INSERT INTO y SELECT 1; SELECT 1 FROM clients_daily",
	} {
		if _, err := try(db, sql); err == nil || !errors.Is(err, bad) && !strings.Contains(err.Error(), "y does not exist") &&
			!strings.Contains(err.Error(), "not exist") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("COPY wrote a file")
	}
	for sql, want := range map[string]string{
		"SELECT count(*) FROM clients_daily WHERE submission_date_obj <> '20180302'": "9", "SELECT count(*) FROM crash_summary": "6",
	} {
		if got := values(t, db, sql); got != want {
			t.Errorf("%s: %s", sql, got)
		}
	}
}

// Files that are lost, or are no parquet files, fail only those queries that read
// them, whichever file of the list they are.
func TestLostFile(t *testing.T) {
	for lost := range 3 {
		l := newLake(t)
		views := l.days()[:1]
		require.NoError(t, os.Remove(views[0].Files[lost]))
		if lost == 1 { // a folder is no file either
			require.NoError(t, os.Mkdir(views[0].Files[lost], 0o700))
		}
		l.garbage(views[0].Files[(lost+1)%3])
		// Like who knows the files: those that are there are no parquet files.
		db, _ := verified(t, func(scans []Scan) error {
			for _, f := range scans[0].Files {
				if b, err := os.ReadFile(f); err != nil || !bytes.HasPrefix(b, []byte("PAR1")) {
					return fmt.Errorf("damaged: %w", err)
				}
			}
			return nil
		}, views...)
		day := func(i int) string {
			return fmt.Sprintf("SELECT count(*) FROM clients_daily WHERE submission_date_obj = '2018030%d' AND client_id <> ''", i%3+1)
		}
		if got := values(t, db, day(lost+2)); got == "" || got == "0" {
			t.Errorf("lost %d: the whole day has %s rows", lost, got)
		}
		for i, sql := range []string{day(lost), day(lost + 1), "SELECT count(client_id) FROM clients_daily"} {
			if _, err := try(db, sql); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("lost %d, query %d: %v", lost, i, err)
			}
		}
	}
}

// TestScansOfConditions: what conditions on days and samples leave, and those that come too late.
func TestScansOfConditions(t *testing.T) {
	var got []Scan
	db, _ := verified(t, func(s []Scan) error { got = s; return nil }, sharedDays(t)...)
	for where, want := range map[string]string{
		"true":                                "6 false []",
		"sample_id = '42'":                    "2 true []",
		"sample_id = 42":                      "6 false [sample_id]",
		"sample_id LIKE '4%'":                 "4 false []",
		"sample_id <> '42'":                   "4 false []",
		"submission_date_obj IN ('20180301')": "3 false []",
		"CAST(submission_date_obj AS date) = DATE '2018-03-01'":            "6 false [submission_date_obj]",
		"try_strptime(submission_date_obj, '%Y%m%d') >= DATE '2018-03-02'": "3 false []",
		"submission_date_obj > '20180301' AND sample_id IN ('42')":         "1 true []",
		"submission_date_obj = (SELECT '20180301') AND client_id IN ('x')": "6 false []",
	} {
		rows, err := db.QueryIn(t.Context(), DuckDB, "SELECT count(*) FROM main_summary WHERE "+where)
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		if s := fmt.Sprintln(len(got[0].Files), got[0].Sampled, got[0].Late); s != want+"\n" {
			t.Errorf("%s: %s, want %s", where, s, want)
		}
	}
}
