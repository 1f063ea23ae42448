package etl

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// longRange is sixty days.
const longFrom, longTo = "20180301", "20180429"

// TestInterruptedBackfill cancels a run over sixty days ten times on its way: it
// ends with the bytes of a run that nobody disturbed, and no task was done twice.
func TestInterruptedBackfill(t *testing.T) {
	days := sitetest.DayRange(t, longFrom, longTo)
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 4, days...)
	whole := sitetest.Memory(t, pings)
	mustRun(t, whole, RunOptions{Tables: sitetest.AllTables, Days: days})
	want := sitetest.Contents(t, whole)

	s := sitetest.Memory(t, pings)
	o := RunOptions{Tables: sitetest.AllTables, Days: days, Now: time.Now}
	total := len(days) * len(sitetest.AllTables)
	stopped := errors.New("stopped")
	for n := range 10 {
		ctx, cancel := context.WithCancelCause(context.Background())
		var events atomic.Int64
		o.Progress = func(e job.Event) {
			if e.Kind != job.UnitPlanned && events.Add(1) == int64(20+13*n) {
				cancel(stopped)
			}
		}
		_, err := Run(ctx, s, o)
		cancel(nil)
		if !errors.Is(err, stopped) {
			t.Fatalf("interruption %d: %v", n, err)
		}
	}
	o.Progress = nil
	last := mustRun(t, s, o)
	if current := last.Count(job.Current); current == 0 || current == total {
		t.Errorf("the last run found %d of %d partitions current", current, total)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), want)
	attempts, err := s.Ledger.Attempts(context.Background(), job.Filter{})
	require.NoError(t, err)
	done := map[string]int{}
	for _, a := range attempts {
		if a.Outcome == job.Done {
			if done[a.String()]++; done[a.String()] > 1 {
				t.Errorf("%s was done again", a.Task)
			}
		}
	}
}

// TestPlanRun compares what is foreseen with what a run then does.
func TestPlanRun(t *testing.T) {
	days := sitetest.DayRange(t, "20180301", "20180304")
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, days[:3]...)
	s := sitetest.Memory(t, pings)
	plan := func(o RunOptions) (made, current, skipped int, p *RunPlan) {
		t.Helper()
		p, err := PlanRun(context.Background(), s, o)
		require.NoError(t, err)
		for _, u := range p.Units {
			switch u.Action {
			case Make:
				made++
				if u.Tasks == 0 || len(u.Reasons) == 0 || u.Bytes <= 0 && !strings.HasPrefix(u.Table, "telemetry_") {
					t.Errorf("%+v", u)
				}
			case Keep:
				current++
			case Skip:
				skipped++
			}
		}
		return made, current, skipped, p
	}
	o := RunOptions{Tables: []string{"main_summary"}, Days: days, Downstream: true, Now: time.Now}
	made, current, skipped, p := plan(o)
	if made != 12 || current != 0 || skipped != 4 {
		t.Errorf("at first: %d made, %d kept, %d skipped", made, current, skipped)
	}
	if _, ok := p.Estimate(0); ok {
		t.Error("an estimate without a history")
	}
	if p.Units[1].Reasons[0] != "main_summary is made first" || !p.Units[1].Guessed || !strings.Contains(p.Units[12].Reasons[0], "no pings") {
		t.Errorf("reasons: %+v, %+v", p.Units[1], p.Units[12])
	}
	r, err := Run(context.Background(), s, o)
	if err != nil || r.Count(job.Committed) != 12 || r.Count(job.Skipped) != 4 {
		t.Errorf("run: %v, %v", r, err)
	}
	if made, current, skipped, _ = plan(o); made != 0 || current != 12 || skipped != 4 {
		t.Errorf("afterwards: %d made, %d kept, %d skipped", made, current, skipped)
	}
	sitetest.DayPings(t, pings, 2, 3, days[1])
	o.Downstream, o.Tables = false, []string{"addons"}
	if made, current, _, p = plan(o); made != 2 || current != 4 || p.Units[2].Reasons[0] != "the archive's main pings of the day changed" {
		t.Errorf("with more pings: %d made, %d kept: %+v", made, current, p.Units[2])
	}
	o.Force = true
	if made, _, _, p = plan(o); made != 6 || p.Units[0].Reasons[0] != "forced" {
		t.Errorf("forced: %d made: %+v", made, p.Units[0])
	}
	one, ok := p.Estimate(1)
	if two, _ := p.Estimate(0); !ok || one <= 0 || one < two {
		t.Errorf("estimates: %v %v, %v", one, ok, two)
	}
	o.Samples = []job.Samples{{Lo: 0, Hi: 10}}
	if made, _, _, p = plan(o); made != 6 || p.Units[0].Tasks != 1 {
		t.Errorf("some samples: %d made, %+v", made, p.Units[0])
	}
	if _, err := PlanRun(context.Background(), s, RunOptions{Tables: []string{"nothing"}, Days: days}); err == nil {
		t.Error("an unknown table is planned")
	}
}
