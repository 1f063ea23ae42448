package job_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// doneTwice returns the tasks that were done more than once for a generation.
func doneTwice(t *testing.T, l *job.Ledger) []string {
	t.Helper()
	attempts, err := l.Attempts(t.Context(), job.Filter{})
	require.NoError(t, err)
	seen := map[string]bool{}
	var twice []string
	for _, a := range attempts {
		key := a.String() + " " + a.Generation
		if a.Outcome == job.Done && seen[key] {
			twice = append(twice, key)
		}
		seen[key] = seen[key] || a.Outcome == job.Done
	}
	return twice
}

// TestCancelAndResume cancels a run at its first, second, … stage until one gets through: each time the ledger
// is closed, and the next run does the rest and nothing twice.
func TestCancelAndResume(t *testing.T) {
	whole, l0, units := setup(t, "20180101", "20180102")
	mustRun(t, whole, l0, units, options())
	want := tables(t, whole.dir)

	cause := errors.New("interrupted")
	finished := false
	for at := int64(1); !finished; at += 5 {
		f, l, _ := setup(t, "20180101", "20180102")
		ctx, cancel := context.WithCancelCause(t.Context())
		var stages atomic.Int64
		f.before = func(ctx context.Context, _ string, _ job.Unit, _ job.Task) error {
			if stages.Add(1) == at {
				cancel(cause)
			}
			if at%2 == 0 { // some steps notice, some go on to their end
				return context.Cause(ctx)
			}
			return nil
		}
		report, err := job.Run(ctx, f.graph, units, f, l, options())
		finished = err == nil
		if !finished && (!errors.Is(err, cause) || report.Count(job.Cancelled) == 0 || report.Count(job.Failed) != 0) {
			t.Fatalf("cancelled at stage %d: %s, %v", at, report, err)
		}
		f.before = nil
		rest := mustRun(t, f, l, units, options())
		if rest.Count(job.Current) != report.Count(job.Committed) || rest.Count(job.Committed) != report.Count(job.Cancelled) {
			t.Errorf("cancelled at stage %d: first %s, then %s", at, report, rest)
		}
		if got := tables(t, f.dir); !maps.Equal(got, want) {
			t.Errorf("cancelled at stage %d: other bytes", at)
		}
		if twice := doneTwice(t, l); twice != nil {
			t.Errorf("cancelled at stage %d: done twice: %v", at, twice)
		}
	}
}

// TestCancelWhileTasksWait: tasks that wait for the context are cancelled, in the ledger too, and a real failure
// at the same time stays a failure.
func TestCancelWhileTasksWait(t *testing.T) {
	f, l, units := setup(t, "20180101")
	ctx, cancel := context.WithCancel(t.Context())
	var waiting atomic.Int64
	f.before = func(ctx context.Context, stage string, u job.Unit, task job.Task) error {
		if stage != "do" {
			return nil
		}
		if waiting.Add(1) == 6 {
			cancel()
		}
		<-ctx.Done()
		if u.Table == "crash_summary" && task.Lo == 0 {
			return errors.New("socket closed")
		}
		return fmt.Errorf("read: %w", ctx.Err())
	}
	o := options()
	o.Workers = 6
	report, err := job.Run(ctx, f.graph, units, f, l, o)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := outcomes(report); !maps.Equal(got, map[job.Outcome]int{job.Failed: 1, job.Skipped: 1, job.Cancelled: 2}) {
		t.Errorf("%s", report)
	}
	attempts, err := l.Attempts(t.Context(), job.Filter{})
	require.NoError(t, err)
	n := map[job.Outcome]int{}
	for _, a := range attempts {
		n[a.Outcome]++
		if a.Error == "" || a.Ended.IsZero() {
			t.Errorf("attempt %+v", a)
		}
	}
	if !maps.Equal(n, map[job.Outcome]int{job.Cancelled: 5, job.Failed: 1}) {
		t.Errorf("attempts %v", n)
	}
	failures, err := l.Failures(t.Context(), job.Filter{})
	if err != nil || len(failures) != 2 || failures[0].Outcome != job.Failed || failures[1].Outcome != job.Cancelled {
		t.Errorf("failures %+v, %v", failures, err)
	}
}

func TestCancelledBeforeItBegins(t *testing.T) {
	f, l, units := setup(t, "20180101")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := job.Run(ctx, f.graph, units, f, l, options()); !errors.Is(err, context.Canceled) || len(f.did) != 0 {
		t.Errorf("error %v, %d tasks done", err, len(f.did))
	}
}

func TestForce(t *testing.T) {
	f, l, units := setup(t, "20180101", "20180102")
	mustRun(t, f, l, units, options())
	before := tables(t, f.dir)
	o := options()
	o.Force = true
	for n := 2; n <= 3; n++ { // a forced run that ended is no reason to do less the next time
		if report := mustRun(t, f, l, units, o); report.Count(job.Committed) != len(units) {
			t.Errorf("forced: %s", report)
		}
		for task, times := range f.did {
			if times != n {
				t.Errorf("%s was done %d times, want %d", task, times, n)
			}
		}
	}
	if !maps.Equal(before, tables(t, f.dir)) {
		t.Error("a forced run made other bytes")
	}
}

// TestForceContinues: a forced run that is cancelled again and again redoes everything once. With other code or
// other units it starts over.
func TestForceContinues(t *testing.T) {
	f, l, units := setup(t, days(t, "20180101", "20180104")...)
	mustRun(t, f, l, units, options())
	o := options()
	o.Force = true
	cancelAfter := func(stages int64) {
		ctx, cancel := context.WithCancel(t.Context())
		var n atomic.Int64
		f.before = func(context.Context, string, job.Unit, job.Task) error {
			if n.Add(1) == stages {
				cancel()
			}
			return nil
		}
		if _, err := job.Run(ctx, f.graph, units, f, l, o); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		f.before = nil
	}
	cancelAfter(50)
	cancelAfter(31)
	cancelAfter(1)
	rest := mustRun(t, f, l, units, o)
	if rest.Count(job.Current) == 0 || rest.Count(job.Committed) == 0 {
		t.Errorf("the rest: %s", rest)
	}
	for task, times := range f.did {
		if times != 2 {
			t.Errorf("%s was done %d times, want 2", task, times)
		}
	}
	cancelAfter(50)
	o.Code = "v2"
	if report := mustRun(t, f, l, units, o); report.Count(job.Committed) != len(units) {
		t.Errorf("forced with other code: %s", report)
	}
	cancelAfter(50)
	if report := mustRun(t, f, l, units[:12], o); report.Count(job.Committed) != 12 {
		t.Errorf("forced with other units: %s", report)
	}
}

// TestForceSeesOtherSamples: continuing a forced run, a unit that was redone for other samples is not current.
func TestForceSeesOtherSamples(t *testing.T) {
	f, l, units := setup(t, "20180101")
	mustRun(t, f, l, units, options())
	o := options()
	o.Force = true
	ctx, cancel := context.WithCancel(t.Context())
	f.samples = []job.Samples{{Lo: 0, Hi: 9}}
	f.before = func(_ context.Context, stage string, u job.Unit, _ job.Task) error {
		if stage == "publish" {
			cancel()
		}
		return nil
	}
	report, err := job.Run(ctx, f.graph, units, f, l, o)
	if !errors.Is(err, context.Canceled) || report.Count(job.Committed) == 0 {
		t.Fatalf("%s, %v", report, err)
	}
	f.before, f.samples = nil, []job.Samples{{Lo: 0, Hi: 99}}
	if report := mustRun(t, f, l, units, o); report.Count(job.Committed) != len(units) {
		t.Errorf("with other samples: %s", report)
	}
}
