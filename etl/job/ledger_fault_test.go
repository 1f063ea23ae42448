package job_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// TestLedgerCannotWrite: where the ledger refuses a write the unit fails, with the reason, and the run after the
// repair completes everything. The refusals are triggers in the real database.
func TestLedgerCannotWrite(t *testing.T) {
	const unit = "NEW.table_name = 'main_summary'"
	for trigger, want := range map[string]string{
		"INSERT ON units WHEN " + unit +
			" AND NEW.outcome = 'planned'": "plan main_summary 20180101: record main_summary 20180101 as planned: ",
		"INSERT ON attempts WHEN " + unit + " AND NEW.lo = 50":            "record main_summary 20180101 samples 50-99 as running: ",
		"UPDATE ON attempts WHEN " + unit + " AND NEW.outcome = 'done'":   "record the task as done: ",
		"UPDATE ON units WHEN " + unit + " AND NEW.outcome = 'committed'": "commit main_summary 20180101: record the unit as committed: ",
		"UPDATE ON units WHEN " + unit:                                    "record the unit as failed: ",
	} {
		f, _, units := setup(t, "20180101")
		l, db := openLedger(t, f.dir)
		if _, err := db.ExecContext(t.Context(),
			"CREATE TRIGGER broken BEFORE "+trigger+" BEGIN SELECT raise(ABORT, 'disk I/O error'); END"); err != nil {
			t.Fatal(err)
		}
		report, err := job.Run(t.Context(), f.graph, units, f, l, options())
		if err == nil || !strings.Contains(err.Error(), want+"constraint failed: disk I/O error") {
			t.Errorf("%s: error %v; want %s", trigger, err, want)
		}
		if got := outcomes(report); !maps.Equal(got, map[job.Outcome]int{job.Committed: 1, job.Failed: 1, job.Skipped: 2}) {
			t.Errorf("%s: %s", trigger, report)
		}
		if _, err := db.ExecContext(t.Context(), "DROP TRIGGER broken"); err != nil {
			t.Fatal(err)
		}
		mustRun(t, f, l, units, options())
		checkClosed(t, l, len(units))
	}
}

// checkClosed: nothing is running or planned, and this number of units is committed.
func checkClosed(t *testing.T, l *job.Ledger, units int) {
	t.Helper()
	committed, err := l.Committed(t.Context(), job.Filter{})
	if err != nil || len(committed) != units {
		t.Errorf("%d committed, want %d, %v", len(committed), units, err)
	}
	failures, err := l.Failures(t.Context(), job.Filter{})
	if err != nil || len(failures) != 0 {
		t.Errorf("failures %+v, %v", failures, err)
	}
	attempts, err := l.Attempts(t.Context(), job.Filter{})
	require.NoError(t, err)
	for _, a := range attempts {
		if a.Outcome == job.Running || a.Ended.IsZero() {
			t.Errorf("still open: %+v", a)
		}
	}
}

// TestLedgerCannotEnter: a run that cannot be entered does nothing, and leaves the ledger free.
func TestLedgerCannotEnter(t *testing.T) {
	f, _, units := setup(t, "20180101")
	l, db := openLedger(t, f.dir)
	for _, statement := range []string{"INSERT ON runs", "UPDATE ON runs"} {
		if _, err := db.ExecContext(t.Context(),
			"CREATE TRIGGER broken BEFORE "+statement+" BEGIN SELECT raise(ABORT, 'disk full'); END"); err != nil {
			t.Fatal(err)
		}
		if _, err := job.Run(t.Context(), f.graph, units, f, l, options()); err == nil ||
			!strings.Contains(err.Error(), "run: enter the run in the ledger: ") {
			t.Errorf("%s refused: error %v", statement, err)
		}
		if _, err := db.ExecContext(t.Context(), "DROP TRIGGER broken"); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.did) != 0 {
		t.Errorf("%d tasks were done", len(f.did))
	}
	if _, err := db.ExecContext(t.Context(),
		"CREATE TRIGGER broken BEFORE UPDATE ON runs WHEN NEW.outcome = 'done' BEGIN SELECT raise(ABORT, 'disk full'); END"); err != nil {
		t.Fatal(err)
	}
	report, err := job.Run(t.Context(), f.graph, units, f, l, options())
	if err == nil || !strings.Contains(err.Error(), "record the end of the run: ") || report.Count(job.Committed) != 4 {
		t.Errorf("%s, %v", report, err)
	}
}

// TestLedgerDamaged: tables that do not read back give errors, not panics and not silence.
func TestLedgerDamaged(t *testing.T) {
	f, _, units := setup(t, "20180101", "20180102")
	l, db := openLedger(t, f.dir)
	mustRun(t, f, l, units, options())
	queries := map[string]func() error{
		"committed": func() error { _, err := l.Committed(t.Context(), job.Filter{}); return err },
		"failures":  func() error { _, err := l.Failures(t.Context(), job.Filter{}); return err },
		"attempts":  func() error { _, err := l.Attempts(t.Context(), job.Filter{}); return err },
		"run": func() error { // of a unit that is not current, whose tasks the ledger has
			if err := os.RemoveAll(filepath.Join(f.dir, "main_summary")); err != nil {
				return err
			}
			_, err := job.Run(t.Context(), f.graph, units[:1], f, l, options())
			return err
		},
	}
	for _, c := range []struct {
		damage string
		hit    string
	}{
		{"UPDATE units SET inputs = 'x'", "committed"},
		{"UPDATE attempts SET inputs = '{}'", "attempts"},
		{"UPDATE attempts SET rows_in = 'many'", "attempts run"},
		{"ALTER TABLE units RENAME TO elsewhere", "committed failures run"},
		{"ALTER TABLE attempts RENAME TO nowhere", "attempts run"},
	} {
		if _, err := db.ExecContext(t.Context(), c.damage); err != nil {
			t.Fatal(err)
		}
		for name := range strings.FieldsSeq(c.hit) {
			if err := queries[name](); err == nil {
				t.Errorf("after %s: %s gave no error", c.damage, name)
			}
		}
	}
}

// TestTwoWriters: the error of a second run on a ledger names the first, by another ledger handle and by the same one. The
// first is not disturbed, and readers never are.
func TestTwoWriters(t *testing.T) {
	f, l, units := setup(t, "20180101")
	other, _ := openLedger(t, f.dir)
	var calls atomic.Int64
	f.before = func(_ context.Context, stage string, _ job.Unit, _ job.Task) error {
		if stage != "do" {
			return nil
		}
		calls.Add(1)
		for _, ledger := range []*job.Ledger{l, other} {
			if _, err := ledger.Committed(t.Context(), job.Filter{}); err != nil {
				return err
			}
			_, err := job.Run(t.Context(), f.graph, units, newFiles(f.dir, f.graph), ledger, options())
			if !errors.Is(err, job.ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf(": process %d on ", pid())) ||
				!strings.Contains(err.Error(), ", run 1 since 2018-01-10T00:05:00Z, making ") {
				return fmt.Errorf("second run: %w", err)
			}
		}
		return nil
	}
	mustRun(t, f, l, units, options())
	if calls.Load() != 12 {
		t.Errorf("asked %d times", calls.Load())
	}
	f.before = nil
	if report := mustRun(t, f, other, units, options()); !report.Unchanged() {
		t.Errorf("afterwards: %s", report)
	}
	checkClosed(t, l, len(units))
}
