package job_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

func TestDependents(t *testing.T) {
	g := newGraph(t)
	got, err := g.Dependents("main_summary")
	if err != nil || !slices.Equal(got, []string{"main_summary", "clients_daily", "churn"}) {
		t.Errorf("dependents: %v, %v", got, err)
	}
	if _, err := g.Dependents("nothing"); err == nil {
		t.Error("an unknown table has dependents")
	}
}

// TestWritingAndLast looks at a ledger before, while and after a run writes it.
func TestWritingAndLast(t *testing.T) {
	f, l, units := setup(t, "20180101")
	other, _ := openLedger(t, f.dir)
	writing := func() bool {
		t.Helper()
		yes, err := other.Writing(t.Context())
		assert.NoError(t, err)
		return yes
	}
	if writing() {
		t.Error("writing before any run")
	}
	f.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		if stage == "commit" && u.Table == "main_summary" && !writing() {
			return errors.New("not writing in the middle of a run")
		}
		if u.Table == "crash_summary" && stage == "do" {
			return errors.New("no")
		}
		if u.Table == "clients_daily" && stage == "publish" {
			last, err := other.Last(t.Context(), job.Filter{Table: "clients_daily"})
			if err != nil || len(last) != 1 || last[0].Outcome != job.Planned {
				return errors.New("not planned in the middle of a run")
			}
		}
		return nil
	}
	if _, err := job.Run(t.Context(), f.graph, units, f, l, options()); err == nil || strings.Contains(err.Error(), "middle") {
		t.Fatal(err)
	}
	if writing() {
		t.Error("writing after the run")
	}
	last, err := l.Last(t.Context(), job.Filter{})
	if err != nil || len(last) != 3 { // churn was never begun
		t.Fatalf("%d records, %v", len(last), err)
	}
	for _, r := range last {
		if want := map[bool]job.Outcome{true: job.Failed, false: job.Committed}[r.Table == "crash_summary"]; r.Outcome != want {
			t.Errorf("%s is %s, want %s", r.Unit, r.Outcome, want)
		}
	}
	f.before = nil
	mustRun(t, f, l, units, options()) // looking has not kept the lock
}

func TestSpeed(t *testing.T) {
	f, l, units := setup(t, "20180101")
	if s, err := l.Speed(t.Context()); err != nil || len(s.Tables) != 0 || s.Wall != 0 {
		t.Errorf("before any run: %+v, %v", s, err)
	}
	f.bytes = 1000
	mustRun(t, f, l, units, options())
	s, err := l.Speed(t.Context())
	if err != nil || len(s.Tables) != 4 || s.Wall <= 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	r := s.Tables["churn"]
	if r.BytesIn != 3000 || r.BytesOut == 0 || r.Work <= 0 {
		t.Errorf("churn: %+v", r)
	}
	one, ok := s.Estimate(map[string]int64{"churn": 3000})
	two, ok2 := s.Estimate(map[string]int64{"churn": 6000, "main_summary": 0})
	if !ok || !ok2 || one <= 0 || (two-2*one).Abs() > time.Microsecond {
		t.Errorf("estimates: %v %v, %v %v", one, ok, two, ok2)
	}
	// A run that was killed counts up to its last task.
	db, err := openDB(filepath.Join(f.dir, "ledger.db"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(`UPDATE runs SET outcome = 'lost', ended = ended + 1000000000000000`); err != nil {
		t.Fatal(err)
	}
	if lost, err := l.Speed(t.Context()); err != nil || lost.Wall <= 0 || lost.Wall > s.Wall {
		t.Errorf("after a killed run: %+v, %v; want no more than %v", lost, err, s.Wall)
	}
	if _, ok := s.Estimate(map[string]int64{"other": 1}); ok {
		t.Error("a table without history has an estimate")
	}
}
