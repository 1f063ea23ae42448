package tasks

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

func options() etl.RunOptions {
	return etl.RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now}
}

// described returns the plan of the tasks that can run now.
func described(t *testing.T, s *site.Site) Plan {
	t.Helper()
	p, err := New(t.Context(), s, options(), Share{0, 1})
	require.NoError(t, err)
	return p
}

func text(t *testing.T, p *Plan) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// do does tasks where nothing of the installation is known, and gives the lines about them.
func do(t *testing.T, lines string) (all []Result, err error) {
	t.Helper()
	r := &Runner{Set: schema.NewSet(sitetest.Probes(t)), Workers: 2, Now: time.Now}
	defer r.Close()
	var out bytes.Buffer
	err = r.Lines(t.Context(), strings.NewReader(lines), &out)
	for line := range strings.Lines(out.String()) {
		var res Result
		require.NoError(t, json.Unmarshal([]byte(line), &res))
		all = append(all, res)
	}
	return all, err
}

func states(all []Result) map[State]int {
	n := map[State]int{}
	for _, r := range all {
		n[r.State]++
	}
	return n
}

func commit(t *testing.T, s *site.Site, lines string) job.Report {
	t.Helper()
	o := etl.RunOptions{Now: time.Now, Staged: true, Patience: etl.Patience{Others: time.Minute, Pause: 20 * time.Millisecond}}
	require.NoError(t, Planned(s, strings.NewReader(lines), &o))
	r, err := etl.Commit(t.Context(), s, o)
	require.NoError(t, err)
	return r
}

func contents(t *testing.T, s *site.Site) map[string]string {
	t.Helper()
	return sitetest.Contents(t, s)
}

// TestSameBytes does the tasks of both stages elsewhere, each by two processes at once, and one of them once more after it
// was published: the files equal those of a run, and no others exist.
func TestSameBytes(t *testing.T) {
	alone, s := sitetest.Local(t), sitetest.Local(t)
	for _, one := range []*site.Site{alone, s} {
		sitetest.Pings(t, one.Archive, 3, 400)
	}
	_, err := etl.Run(t.Context(), alone, options())
	require.NoError(t, err)
	for stage, want := range []struct{ now, later int }{{7, 3}, {12, 0}} {
		p := described(t, s)
		require.Len(t, p.Now, want.now, "stage %d", stage)
		require.Len(t, p.Later, want.later)
		lines := text(t, &p)
		var both [2][]Result
		var wg sync.WaitGroup
		for i := range both {
			wg.Go(func() {
				var err error
				if both[i], err = do(t, lines); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.Len(t, both[1], want.now)
		again, err := do(t, lines)
		require.NoError(t, err)
		require.Equal(t, map[State]int{Found: want.now}, states(again))
		require.Equal(t, len(p.Planned()), commit(t, s, lines).Count(job.Committed))
		late, err := do(t, lines)
		require.NoError(t, err)
		require.Equal(t, map[State]int{Published: want.now}, states(late))
		require.True(t, commit(t, s, lines).Unchanged())
	}
	require.Empty(t, described(t, s).Now)
	sitetest.SameContents(t, contents(t, s), contents(t, alone))
}

// TestCommitAtOnce: of several that publish one does, and the others find that it is published.
func TestCommitAtOnce(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 3, 200)
	p := described(t, s)
	lines := text(t, &p)
	_, err := do(t, lines)
	require.NoError(t, err)
	var committed, current int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			other, err := sitetest.Open(s.Dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer other.Close()
			r := commit(t, other, lines)
			mu.Lock()
			defer mu.Unlock()
			committed, current = committed+r.Count(job.Committed), current+r.Count(job.Current)
		})
	}
	wg.Wait()
	require.Equal(t, len(p.Planned()), committed)
	require.Equal(t, 2*len(p.Planned()), current)
}

// TestUndone: a day of which a task is not done is not published, whatever else is.
func TestUndone(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 3, 200)
	p := described(t, s)
	p.Now = p.Now[1:]
	lines := text(t, &p)
	_, err := do(t, lines)
	require.NoError(t, err)
	r := commit(t, s, lines)
	require.Equal(t, 3, r.Count(job.Committed))
	require.Equal(t, 1, r.Count(job.Skipped))
	for _, u := range r.Units {
		if u.Outcome == job.Skipped {
			require.Equal(t, "1 of its 4 tasks are not done: samples 0-24", u.Reason)
		}
	}
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	_, err = lt.Partition(t.Context(), sitetest.Day)
	require.Error(t, err)
}

// TestChanged: a task that was planned before more pings came is refused, and so are the results of the plan.
func TestChanged(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 3, 200)
	p := described(t, s)
	lines := text(t, &p)
	_, err := do(t, lines[:strings.IndexByte(lines, '\n')])
	require.NoError(t, err)
	sitetest.Pings(t, s.Archive, 4, 200)
	all, err := do(t, lines)
	require.ErrorIs(t, err, etl.ErrPlanAgain)
	require.Equal(t, map[State]int{Refused: 4, Found: 1, Done: 2}, states(all))
	r := commit(t, s, lines)
	require.Equal(t, 2, r.Count(job.Skipped))
	require.True(t, etl.Replan(&r))
	now := described(t, s)
	require.NotEqual(t, p.Now[0].Generation, now.Now[0].Generation)
	_, err = do(t, text(t, &now))
	require.NoError(t, err)
	require.Equal(t, 2, commit(t, s, text(t, &now)).Count(job.Committed)) // without the two that have no pings
}

// TestRefused: a description for others is refused in one line, with the reason and the advice not to retry.
func TestRefused(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 3, 100)
	p := described(t, s)
	for want, change := range map[string]func(d *Description){
		"its format is 7":                         func(d *Description) { d.Format = 7 },
		`find table "nosuch"`:                     func(d *Description) { d.Table = "nosuch" },
		"planned with other probe definitions":    func(d *Description) { d.Probes = "another" },
		"planned by another version of pingmill":  func(d *Description) { d.Definitions = "another" },
		"another version of pingmill: definition": func(d *Description) { d.Apps = []string{"Fennec"} },
		"has changed since the task was planned":  func(d *Description) { d.Inputs[0].Generation = "another" },
	} {
		d := described(t, s).Now[0]
		change(&d)
		all, err := do(t, text(t, &Plan{Now: []Description{d}}))
		require.ErrorIs(t, err, etl.ErrPlanAgain)
		require.Len(t, all, 1)
		require.Equal(t, Refused, all[0].State, want)
		require.Contains(t, all[0].Error, want)
		require.NotContains(t, all[0].Error, "\n")
		require.False(t, all[0].Retry)
	}
	_, err := do(t, strings.Repeat("x", 3*maxDescription))
	require.ErrorIs(t, err, etl.ErrPlanAgain)
	r := &Runner{Set: schema.NewSet(sitetest.Probes(t)), Roots: site.Roots{Lake: "/elsewhere"}, Now: time.Now}
	var out bytes.Buffer
	require.ErrorIs(t, r.Lines(t.Context(), strings.NewReader(text(t, &p)), &out), etl.ErrPlanAgain)
	require.Contains(t, out.String(), "another installation than the settings here: lake root ")
	// A machine that does not have the folder may be given it.
	d := p.Now[0]
	d.Roots.Archive = filepath.Join(t.TempDir(), "absent")
	var all []Result
	all, err = do(t, text(t, &Plan{Now: []Description{d}}))
	require.Error(t, err)
	require.NotErrorIs(t, err, etl.ErrPlanAgain)
	require.True(t, all[0].Retry)
	require.Contains(t, all[0].Error, "a folder that all machines have")
}

// TestStopped: a stopped runner reports it, and its tasks can run again.
func TestStopped(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 3, 100)
	p := described(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Runner{Set: schema.NewSet(sitetest.Probes(t)), Now: time.Now}
	var out bytes.Buffer
	require.ErrorIs(t, r.Lines(ctx, strings.NewReader(text(t, &p)), &out), context.Canceled)
	_, err := do(t, text(t, &p))
	require.NoError(t, err)
	require.Equal(t, 4, commit(t, s, text(t, &p)).Count(job.Committed))
}

// TestShares: processes that know an index only, and one that publishes, make the day together.
func TestShares(t *testing.T) {
	alone, s := sitetest.Local(t), sitetest.Local(t)
	for _, one := range []*site.Site{alone, s} {
		sitetest.Pings(t, one.Archive, 3, 300)
	}
	_, err := etl.Run(t.Context(), alone, options())
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			r := &Runner{Set: schema.NewSet(sitetest.Probes(t)), Now: time.Now}
			defer r.Close()
			plan := func(ctx context.Context) (Plan, error) { return New(ctx, s, options(), Share{i, 3}) }
			var out bytes.Buffer
			if err := r.Rounds(t.Context(), plan, &out, time.Minute, 20*time.Millisecond); err != nil {
				t.Error(err)
			}
			if !strings.Contains(out.String(), `"state":"done"`) {
				t.Errorf("share %d has done nothing: %s", i, &out)
			}
		})
	}
	o := options()
	o.Staged, o.Patience = true, etl.Patience{Others: time.Minute, Tasks: time.Minute, Pause: 20 * time.Millisecond}
	report, err := etl.Commit(t.Context(), s, o)
	require.NoError(t, err)
	require.True(t, report.Unchanged(), report.String())
	wg.Wait()
	sitetest.SameContents(t, contents(t, s), contents(t, alone))
}
