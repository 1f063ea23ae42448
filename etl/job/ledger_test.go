package job_test

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

func TestLedgerQueries(t *testing.T) {
	f, l, _ := setup(t, "20180101", "20180102", "20180105", "20180106")
	units, err := f.graph.Units([]string{"main_summary", "clients_daily"}, []string{"20180101", "20180102", "20180105", "20180106"})
	require.NoError(t, err)
	o := options()
	begin := o.Now()
	mustRun(t, f, l, units, o)
	end := o.Now()

	ctx := t.Context()
	committed, err := l.Committed(ctx, job.Filter{})
	if err != nil || len(committed) != 8 {
		t.Fatalf("%d committed, %v", len(committed), err)
	}
	for _, c := range committed {
		if c.Outcome != job.Committed || c.Samples != "0-49,50-99,100" || c.Run != 1 || c.Code != "v1" || c.Error != "" ||
			c.Result.RowsIn != 202 || c.Result.RowsOut != 101 || c.Result.Rejected != 3 || c.Result.Bytes == 0 ||
			!c.Started.After(begin) || !c.Ended.After(c.Started) || !end.After(c.Ended) || c.Ended.Location() != time.UTC {
			t.Errorf("committed %+v", c)
		}
	}
	if c := committed[0]; c.Table != "clients_daily" || c.Day != "20180101" || committed[4].Table != "main_summary" {
		t.Errorf("order of committed: %s, %s", c.Unit, committed[4].Unit)
	}
	some, err := l.Committed(ctx, job.Filter{Table: "main_summary", From: "20180102", To: "20180105"})
	if err != nil || len(some) != 2 || some[0].Day != "20180102" || some[1].Day != "20180105" {
		t.Errorf("committed, filtered: %+v, %v", some, err)
	}

	if in := some[0].Inputs; len(in) != 1 || in[0] != (job.Input{Name: "source", Generation: digest("pings of 20180102")}) {
		t.Errorf("main_summary is made from %+v", in)
	}
	if in := committed[1].Inputs; committed[1].Day != "20180102" || len(in) != 1 || in[0].Name != "main_summary" {
		t.Errorf("%s is made from %+v", committed[1].Unit, in)
	}

	attempts, err := l.Attempts(ctx, job.Filter{Table: "main_summary", From: "20180106"})
	if err != nil || len(attempts) != 3 {
		t.Fatalf("attempts %+v, %v", attempts, err)
	}
	samples := map[job.Samples]bool{}
	for _, a := range attempts {
		samples[a.Samples()] = true
		if a.Outcome != job.Done || a.Run != 1 || a.Code != "v1" || a.Generation != committed[7].Generation || a.Result.Output == "" ||
			a.Result.RowsOut != int64(a.Hi-a.Lo+1) || !a.Ended.After(a.Started) || !slices.Equal(a.Inputs, committed[7].Inputs) {
			t.Errorf("attempt %+v", a)
		}
	}
	if len(samples) != 3 {
		t.Errorf("attempts at %v", samples)
	}
}

// TestFailuresGoAway: a failure is reported until the unit is committed, or found current again.
func TestFailuresGoAway(t *testing.T) {
	f, l, units := setup(t, "20180101")
	failures := func() string {
		t.Helper()
		recs, err := l.Failures(t.Context(), job.Filter{})
		require.NoError(t, err)
		var lines []string
		for _, r := range recs {
			lines = append(lines, r.String()+" "+string(r.Outcome)+" "+r.Error)
		}
		return strings.Join(lines, "\n")
	}
	mustRun(t, f, l, units, options())
	if got := failures(); got != "" {
		t.Errorf("failures %s", got)
	}
	f.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		if stage == "commit" && u.Table == "main_summary" || stage == "plan" && u.Table == "crash_summary" {
			return errors.New("disk full")
		}
		return nil
	}
	source := filepath.Join(f.dir, "source", "20180101")
	require.NoError(t, os.WriteFile(source, []byte("other pings"), 0o644))
	report, err := job.Run(t.Context(), f.graph, units, f, l, options())
	if err == nil || !maps.Equal(outcomes(report), map[job.Outcome]int{job.Failed: 2, job.Skipped: 2}) {
		t.Errorf("%s, %v", report, err)
	}
	want := "crash_summary 20180101 failed plan crash_summary 20180101: disk full\n" +
		"main_summary 20180101 failed commit main_summary 20180101: disk full"
	if got := failures(); got != want {
		t.Errorf("failures %s\nwant %s", got, want)
	}
	f.before = nil
	require.NoError(t, os.WriteFile(source, []byte("pings of 20180101"), 0o644))
	if report := mustRun(t, f, l, units, options()); !report.Unchanged() {
		t.Errorf("%s", report)
	}
	if got := failures(); got != "" {
		t.Errorf("failures after the inputs went back: %s", got)
	}
}

// TestLedgerLost: without its ledger a pipeline is found current, or its finished tasks are, and a new ledger
// learns of them.
func TestLedgerLost(t *testing.T) {
	f, l, units := setup(t, "20180101")
	mustRun(t, f, l, units[:1], options())
	f.before = func(_ context.Context, stage string, _ job.Unit, _ job.Task) error {
		if stage == "commit" {
			return errors.New("disk full")
		}
		return nil
	}
	if _, err := job.Run(t.Context(), f.graph, units[1:2], f, l, options()); err == nil {
		t.Fatal("no error")
	}
	f.before = nil
	fresh, _ := openLedger(t, t.TempDir())
	report := mustRun(t, f, fresh, units[:2], options())
	if report.Units[0].Outcome != job.Current || report.Units[1].Outcome != job.Committed || report.Units[1].Reused != 3 {
		t.Errorf("%+v", report.Units)
	}
	for task, n := range f.did {
		if n != 1 {
			t.Errorf("%s was done %d times", task, n)
		}
	}
	committed, err := fresh.Committed(t.Context(), job.Filter{})
	if err != nil || len(committed) != 2 || committed[1].Result.RowsOut != 101 || len(committed[1].Inputs) != 1 {
		t.Errorf("committed %+v, %v", committed, err)
	}
	attempts, err := fresh.Attempts(t.Context(), job.Filter{})
	if err != nil || len(attempts) != 3 || attempts[0].Outcome != job.Done || attempts[0].Ended.IsZero() {
		t.Errorf("attempts %+v, %v", attempts, err)
	}
}

func TestOpenLedger(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 { // all make the tables at once
		wg.Go(func() {
			db, err := openDB(filepath.Join(dir, "ledger.db"))
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = db.Close() }()
			if _, err := job.OpenLedger(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	_, db := openLedger(t, dir)
	for pragma, want := range map[string]string{"journal_mode": "wal", "busy_timeout": "10000", "synchronous": "1", "foreign_keys": "1"} {
		var got string
		if err := db.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", pragma, got, err, want)
		}
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO ledger_version VALUES (99)`); err != nil {
		t.Fatal(err)
	}
	_, err := job.OpenLedger(t.Context(), db)
	if err == nil || !strings.Contains(err.Error(), "it has version 99, newer than this program's 4") {
		t.Errorf("newer ledger: %v", err)
	}
	db.SetMaxOpenConns(1)
	if _, err := job.OpenLedger(t.Context(), db); err == nil || !strings.Contains(err.Error(), "needs at least 2 database connections") {
		t.Errorf("one connection: %v", err)
	}
	closed, _ := openDB(filepath.Join(dir, "closed.db"))
	_ = closed.Close()
	if _, err := job.OpenLedger(t.Context(), closed); err == nil {
		t.Error("closed database: no error")
	}
	for name, content := range map[string]string{"text.db": strings.Repeat("not a database ", 100), "no folder/ledger.db": ""} {
		path := filepath.Join(dir, name)
		if content != "" {
			require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		}
		bad, _ := openDB(path)
		if _, err := job.OpenLedger(t.Context(), bad); err == nil || !strings.HasPrefix(err.Error(), "open ledger: ") {
			t.Errorf("%s: error %v", name, err)
		}
		_ = bad.Close()
	}
}

// TestMigrationFails: tables of the same name that are not a ledger's are left as they are.
func TestMigrationFails(t *testing.T) {
	db, err := openDB(filepath.Join(t.TempDir(), "other.db"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE attempts (x)`); err != nil {
		t.Fatal(err)
	}
	if _, err := job.OpenLedger(t.Context(), db); err == nil || !strings.Contains(err.Error(), "make version 1 of its tables") {
		t.Errorf("error %v", err)
	}
	var n int
	if err := db.QueryRowContext(t.Context(),
		`SELECT count(*) FROM sqlite_master WHERE name IN ('runs', 'ledger_version')`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d tables left behind, %v", n, err)
	}
}

func TestOddFileNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%41'é")
	require.NoError(t, os.Mkdir(dir, 0o755))
	f, _, units := setup(t, "20180101")
	l, _ := openLedger(t, dir)
	mustRun(t, f, l, units, options())
	for _, name := range []string{"ledger.db", "ledger.db.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestMemoryLedger(t *testing.T) {
	f, _, units := setup(t, "20180101")
	db, err := sql.Open("sqlite", "file:memory?mode=memory&cache=shared")
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	l, err := job.OpenLedger(t.Context(), db)
	require.NoError(t, err)
	if _, err := job.Run(t.Context(), f.graph, units, f, l, options()); err == nil ||
		err.Error() != "run: lock the ledger: it is in memory, not in a file" {
		t.Errorf("error %v", err)
	}
}
