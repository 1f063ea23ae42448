package job_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/panics"
)

// mustRun runs all units and wants no error.
func mustRun(t *testing.T, f *files, l *job.Ledger, units []job.Unit, o job.Options) job.Report {
	t.Helper()
	report, err := job.Run(t.Context(), f.graph, units, f, l, o)
	require.NoError(t, err)
	return report
}

func TestRunAndRerun(t *testing.T) {
	f, l, units := setup(t, days(t, "20180101", "20180103")...)
	o := options()
	report := mustRun(t, f, l, units, o)
	if report.Count(job.Committed) != len(units) || report.Unchanged() || report.String() != "12 units: 12 committed" {
		t.Errorf("first run: %s", report)
	}
	if got := len(tables(t, f.dir)); got != len(units) {
		t.Errorf("%d files published, want %d", got, len(units))
	}
	for _, u := range report.Units {
		want := job.Result{RowsIn: 202, RowsOut: 101, Rejected: 3, Bytes: u.Result.Bytes}
		if u.Tasks != 3 || u.Reused != 0 || u.Result != want || u.Result.Bytes == 0 || u.Generation == "" {
			t.Errorf("report of a unit: %+v", u)
		}
	}
	before := tables(t, f.dir)
	again := mustRun(t, f, l, units, o)
	if !again.Unchanged() || again.String() != "nothing to do: 12 units current" || len(f.did) != 36 {
		t.Errorf("second run: %s, %d tasks done in all", again, len(f.did))
	}
	if !maps.Equal(before, tables(t, f.dir)) {
		t.Error("the second run changed files")
	}
	if again.Run <= report.Run || again.Started.Before(report.Ended) || again.Ended.Before(again.Started) {
		t.Errorf("runs %d, %d at %v to %v", report.Run, again.Run, again.Started, again.Ended)
	}
}

func TestChangedInputReachesDependents(t *testing.T) {
	f, l, units := setup(t, "20180101", "20180102")
	mustRun(t, f, l, units, options())
	require.NoError(t, writeWhole(f.dir+"/source/20180102", "more pings", func() error { return nil }))
	report := mustRun(t, f, l, units, options())
	for _, u := range report.Units {
		want := job.Current
		if u.Day == "20180102" {
			want = job.Committed
		}
		if u.Outcome != want {
			t.Errorf("%s is %s, want %s", u.Unit, u.Outcome, want)
		}
	}
}

// TestManyUnits runs many units on many workers: never more at once than allowed, no unit before its needs, and
// the same bytes as with one worker.
func TestManyUnits(t *testing.T) {
	list := days(t, "20180101", "20180310")
	one, l1, units := setup(t, list...)
	o := options()
	o.Workers = 1
	mustRun(t, one, l1, units, o)

	many, l, _ := setup(t, list...)
	var mu sync.Mutex
	committed := map[job.Unit]bool{}
	var running, most atomic.Int64
	many.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		switch stage {
		case "plan":
			mu.Lock()
			defer mu.Unlock()
			for _, need := range many.graph.Needs(u.Table) {
				if !committed[job.Unit{Table: need, Day: u.Day}] {
					return fmt.Errorf("planned before %s", need)
				}
			}
		case "do":
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			runtime.Gosched()
		case "rename":
			running.Add(-1)
		case "publish":
			mu.Lock()
			defer mu.Unlock()
			committed[u] = true
		}
		return nil
	}
	o = options()
	o.Workers = 7
	slices.Reverse(units)
	report := mustRun(t, many, l, units, o)
	if report.Count(job.Committed) != len(units) || most.Load() > 7 {
		t.Errorf("%s, up to %d tasks at once", report, most.Load())
	}
	if !maps.Equal(tables(t, one.dir), tables(t, many.dir)) {
		t.Error("7 workers made other bytes than 1")
	}
	if !slices.IsSortedFunc(report.Units, func(a, b job.UnitReport) int { return strings.Compare(a.Day, b.Day) }) {
		t.Error("the report is not in the order of days")
	}
}

// TestEarlierUnitsFirst: with one worker a day is finished before the next is begun.
func TestEarlierUnitsFirst(t *testing.T) {
	f, l, units := setup(t, days(t, "20180101", "20180105")...)
	last := ""
	f.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		if u.Day < last {
			t.Errorf("%s of %s after %s was begun", stage, u, last)
		}
		last = u.Day
		return nil
	}
	o := options()
	o.Workers = 1
	mustRun(t, f, l, units, o)
}

func TestFailureStaysInItsUnit(t *testing.T) {
	cases := map[string]struct {
		stage string
		fail  func() error
		want  string
	}{
		"plan fails": {"plan", func() error { return errors.New("no such bucket") }, "plan main_summary 20180102: no such bucket"},
		"task fails": {"do", func() error { return errors.New("bad row") }, "run main_summary 20180102 samples 50-99: bad row"},
		"task panics": {"do", func() error { panic("index out of range") },
			"run main_summary 20180102 samples 50-99: panic: index out of range"},
		"task exits": {"do", func() error { runtime.Goexit(); return nil }, "its goroutine exited without returning"},
		"own deadline": {"do", func() error { return context.DeadlineExceeded },
			"run main_summary 20180102 samples 50-99: context deadline exceeded"},
		"commit fails": {"commit", func() error { return errors.New("disk full") }, "commit main_summary 20180102: disk full"},
		"plan panics":  {"plan", func() error { panic(errors.New("nil map")) }, "plan main_summary 20180102: panic: nil map"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, l, units := setup(t, days(t, "20180101", "20180103")...)
			var failing atomic.Bool
			failing.Store(true)
			f.before = func(_ context.Context, stage string, u job.Unit, task job.Task) error {
				if failing.Load() && stage == c.stage && u == (job.Unit{Table: "main_summary", Day: "20180102"}) && (task.Lo == 50 || stage != "do") {
					return c.fail()
				}
				return nil
			}
			report, err := job.Run(t.Context(), f.graph, units, f, l, options())
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v; want %s", err, c.want)
			}
			want := map[job.Outcome]int{job.Committed: 9, job.Failed: 1, job.Skipped: 2}
			if got := outcomes(report); !maps.Equal(got, want) {
				t.Errorf("%s: %v", report, got)
			}
			reasons := map[string]string{
				"clients_daily": "it needs main_summary 20180102, which failed",
				"churn":         "it needs clients_daily 20180102, which was skipped",
			}
			for _, u := range report.Units {
				if u.Outcome == job.Skipped && (u.Day != "20180102" || u.Reason != reasons[u.Table]) {
					t.Errorf("%s was skipped: %s", u.Unit, u.Reason)
				}
			}
			failing.Store(false)
			if again := mustRun(t, f, l, units, options()); again.Count(job.Committed) != 3 || again.Count(job.Current) != 9 {
				t.Errorf("after the repair: %s", again)
			}
			if c.stage == "commit" && f.did[job.Task{Table: "main_summary", Day: "20180102", Lo: 0, Hi: 49}] != 1 {
				t.Error("the tasks before a failed commit were done again")
			}
		})
	}
}

func TestPanicError(t *testing.T) {
	f, l, units := setup(t, "20180101")
	f.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		if stage == "do" {
			_ = u.Day[len(u.Day):][0]
		}
		return nil
	}
	_, err := job.Run(t.Context(), f.graph, units[:1], f, l, options())
	var p *panics.Error
	var r runtime.Error
	if !errors.As(err, &p) || !errors.As(err, &r) || !strings.Contains(string(p.Stack), "run_test.go") {
		t.Errorf("error %v", err)
	}
	attempts, err := l.Attempts(t.Context(), job.Filter{})
	if err != nil || !slices.ContainsFunc(attempts, func(a job.AttemptRecord) bool { return strings.Contains(a.Error, "run_test.go") }) {
		t.Errorf("the ledger's attempts lack the stack: %+v, %v", attempts, err)
	}
}

func TestMissingInput(t *testing.T) {
	f, l, units := setup(t, "20180101")
	more, err := f.graph.Units(f.graph.Order(), []string{"20180102"})
	require.NoError(t, err)
	report := mustRun(t, f, l, append(units, more...), options())
	if got := outcomes(report); !maps.Equal(got, map[job.Outcome]int{job.Committed: 4, job.Skipped: 4}) {
		t.Errorf("%s", report)
	}
	if u := report.Units[4]; u.Table != "main_summary" || u.Reason != "no source of 20180102" {
		t.Errorf("report of the unit without input: %+v", u)
	}
	// A need that is not part of the run is for Plan to look for.
	alone := []job.Unit{{Table: "clients_daily", Day: "20180101"}, {Table: "clients_daily", Day: "20180103"}}
	report = mustRun(t, f, l, alone, options())
	if report.Units[0].Outcome != job.Current || report.Units[1].Reason != "no main_summary of 20180103" {
		t.Errorf("clients_daily alone: %+v", report.Units)
	}
}

func TestProgress(t *testing.T) {
	f, l, units := setup(t, "20180101", "20180102")
	var events []job.Event
	o := options()
	o.Progress = func(e job.Event) { events = append(events, e) } // not guarded: the race detector watches
	mustRun(t, f, l, units, o)
	kinds := map[job.EventKind]int{}
	tasks, ended := 0, 0
	for i, e := range events {
		kinds[e.Kind]++
		if e.Units != 8 || e.TasksEnded > e.Tasks || e.UnitsEnded > e.Units || e.Tasks < tasks || e.TasksEnded < ended {
			t.Errorf("event %d: %+v", i, e)
		}
		if i > 0 && !e.Time.After(events[i-1].Time) {
			t.Errorf("event %d at %v, the one before at %v", i, e.Time, events[i-1].Time)
		}
		tasks, ended = e.Tasks, e.TasksEnded
	}
	want := map[job.EventKind]int{job.UnitPlanned: 8, job.TaskStarted: 24, job.TaskEnded: 24, job.UnitEnded: 8}
	if last := events[len(events)-1]; !maps.Equal(kinds, want) || last.UnitsEnded != 8 || last.TasksEnded != 24 ||
		last.Outcome != job.Committed {
		t.Errorf("events %v, last %+v", kinds, last)
	}
}
