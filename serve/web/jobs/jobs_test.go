package jobs

import (
	"context"
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

var (
	all      = []access.Grant{{Table: access.AllTables}}
	member   = &access.Person{Name: "member", Grants: all}
	operator = &access.Person{Name: "operator", Grants: all, Rights: []access.Right{access.Operate}}
)

// secretOf returns the table that wants a grant of its own.
func secretOf(t *testing.T, s *site.Site) *schema.Table {
	for _, table := range s.Tables {
		if table.Restricted {
			return table
		}
	}
	t.Fatal("no table is restricted")
	return nil
}

// installed returns an installation with pings of two days, and jobs that are made until the test ends.
func installed(t *testing.T) (*site.Site, *Jobs, *apitest.API) {
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 20, "20180301", "20180302")
	now := func() time.Time { return sitetest.At(4) }
	j := New(Options{Site: s, Code: "1.2", Clock: clock.Clock{Now: now, Wait: func(ctx context.Context, _ time.Duration) error {
		time.Sleep(time.Millisecond)
		return ctx.Err()
	}}, Log: slog.New(slog.DiscardHandler)})
	a := apitest.New()
	j.Register(a)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- j.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return s, j, a
}

// begin asks for a run and gives its id.
func begin(t *testing.T, a *apitest.API, r RunRequest) string {
	t.Helper()
	status, text := a.Do(t, operator, "POST /jobs/runs", r)
	require.Equal(t, 202, status, text)
	_, id, _ := strings.Cut(text, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// await waits until a run is in a state.
func await(t *testing.T, a *apitest.API, id, state string) (d RunDetail) {
	t.Helper()
	sitetest.WaitFor(t, id+" is "+state, func() bool {
		a.Get(t, operator, "/jobs/runs/"+id, &d)
		require.True(t, d.State != stateInterrupted || d.State == state, "%s: interrupted", id)
		return d.State == state
	})
	return d
}

// TestEndedMeanwhile: a run that ends between the reading of it and the look whether anything is written was not interrupted.
func TestEndedMeanwhile(t *testing.T) {
	s, j, a := installed(t)
	id := begin(t, a, RunRequest{Tables: []string{"crash_summary"}, From: "20180301", To: "20180301"})
	ended := await(t, a, id, stateDone)
	r, ok, err := s.Ledger.OneRun(t.Context(), ended.Number)
	require.True(t, ok && err == nil, err)
	r.Outcome, r.Ended, r.Units[0].Outcome = job.Running, time.Time{}, job.Planned // as it was
	run, ok, err := j.describe(t.Context(), j.sightOf(access.With(t.Context(), operator)), &r)
	require.True(t, ok && err == nil, err)
	require.Equal(t, stateDone, run.State)
	require.Equal(t, job.Committed, r.Units[0].Outcome)

	q := j.queue.byNumber(ended.Number) // the ledger knows the end a moment before the request does
	sitetest.WaitFor(t, "the request has ended", func() bool { return q.is(stateDone) })
	q.set(func() { q.state, q.cancel = stateRunning, func(error) { t.Error("cancelled") } })
	status, text := a.Do(t, operator, "DELETE /jobs/runs/"+id, nil)
	require.Equal(t, 409, status, text)
}

// TestRun: a run that is asked for is made, and shows what it made, how, and what it had to say.
func TestRun(t *testing.T) {
	s, _, a := installed(t)
	id := begin(t, a, RunRequest{Tables: []string{"clients_daily"}, From: "20180301", To: "20180302"})
	d := await(t, a, id, stateDone)
	require.EqualValues(t, 1, d.Number)
	require.Equal(t, "operator", d.By)
	require.Equal(t, []string{"main_summary", "clients_daily"}, sorted(d.Tables))
	require.Equal(t, RunCounts{Begun: 4, Published: 4}, d.Counts)
	require.Len(t, d.Units, 4)
	unit := d.Units[len(d.Units)-1]
	require.Equal(t, "main_summary", unit.Table)
	require.Positive(t, unit.RowsOut)
	require.Equal(t, "archive main", unit.Inputs[0].Name)
	var tasks tasksOutput
	a.Get(t, member, "/jobs/runs/1/tasks?table=main_summary&day=20180301", &tasks.Body)
	require.Len(t, tasks.Body.Items, unit.Tasks)
	require.Equal(t, stateDone, tasks.Body.Items[0].State)
	var lines logOutput
	a.Get(t, member, "/jobs/runs/1/log", &lines.Body)
	require.Equal(t, "operator", lines.Body.Items[0].Attrs["by"])
	var checks int
	for _, l := range lines.Body.Items {
		if l.Attrs["check"] != "" && l.Text == "check passed" {
			checks++
		}
	}
	require.GreaterOrEqual(t, checks, 2*2+2*2) // those of every table, too
	var page logOutput
	a.Get(t, member, "/jobs/runs/1/log?after=1&limit=2", &page.Body)
	require.Equal(t, lines.Body.Items[1:3], page.Body.Items)
	require.Equal(t, 3, page.Body.Next)
	day, err := s.TableOf(s.Tables[0]).Partition(t.Context(), "20180301")
	require.NoError(t, err)
	require.Positive(t, day.Rows)
	for _, c := range []struct {
		p       *access.Person
		request string
		body    any
		want    int
	}{
		{member, "POST /jobs/runs", RunRequest{Tables: []string{"addons"}, From: "20180301", To: "20180302"}, 403},
		{operator, "POST /jobs/runs", RunRequest{Tables: []string{"nothing"}, From: "20180301", To: "20180302"}, 422},
		{operator, "POST /jobs/runs", RunRequest{Tables: []string{"addons"}, From: "20180303", To: "20180302"}, 422},
		{operator, "POST /jobs/runs", RunRequest{Tables: []string{"addons"}, From: "20100303", To: "20180302"}, 422},
		{operator, "POST /jobs/runs", RunRequest{Tables: []string{"addons"}, From: "20189999", To: "20189999"}, 422},
		{operator, "DELETE /jobs/runs/1", nil, 409},
		{operator, "DELETE /jobs/runs/2", nil, 404},
		{member, "GET /jobs/runs/q9", nil, 404},
		{member, "GET /jobs/runs/1/tasks?table=nothing&day=20180301", nil, 404},
	} {
		status, text := a.Do(t, c.p, c.request, c.body)
		require.Equal(t, c.want, status, c.request+" "+text)
	}
}

func sorted(tables []string) []string { // clients_daily comes first by name
	if len(tables) == 2 && tables[0] == "clients_daily" {
		return []string{tables[1], tables[0]}
	}
	return tables
}

// TestWaiting: a run waits for that of another process, and says so; those behind it wait for it, and can be ended.
func TestWaiting(t *testing.T) {
	s, _, a := installed(t)
	release, err := s.Ledger.Hold(t.Context())
	require.NoError(t, err)
	request := RunRequest{Tables: []string{"crash_summary"}, From: "20180301", To: "20180302"}
	first, second, third := begin(t, a, request), begin(t, a, request), begin(t, a, request)
	sitetest.WaitFor(t, "it says what it waits for", func() bool {
		var d RunDetail
		a.Get(t, operator, "/jobs/runs/"+first, &d)
		return d.State == stateQueued && d.Waits != ""
	})
	var list runsOutput
	a.Get(t, operator, "/jobs/runs?state=queued", &list.Body)
	require.Len(t, list.Body.Items, 3)
	for _, id := range []string{first, second} {
		status, text := a.Do(t, operator, "DELETE /jobs/runs/"+id, nil)
		require.Equal(t, 200, status, text)
		await(t, a, id, stateCancelled)
	}
	release()
	d := await(t, a, third, stateDone)
	require.Equal(t, 2, d.Counts.Published)
	for range maxWaiting + 5 {
		a.Do(t, operator, "POST /jobs/runs", request)
	}
	a.Get(t, operator, "/jobs/runs", &list.Body)
	require.LessOrEqual(t, len(list.Body.Items), maxEnded+maxWaiting+5)
}

// TestInterrupted: a run whose process died is interrupted, before the next run says so and after.
func TestInterrupted(t *testing.T) {
	s, _, a := installed(t)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"crash_summary"}, Days: []string{"20180301"},
		Now: func() time.Time { return sitetest.At(4) }})
	db, err := sql.Open("sqlite", job.DSN(filepath.Join(s.Dir, "ledger.db")))
	require.NoError(t, err)
	_, err = db.Exec(`UPDATE runs SET outcome = 'running', ended = 0; UPDATE units SET outcome = 'planned', ended = 0`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	d := await(t, a, "1", stateInterrupted)
	require.Equal(t, stateInterrupted, d.Units[0].State)
	require.Nil(t, d.Ended)
	await(t, a, begin(t, a, RunRequest{Tables: []string{"crash_summary"}, From: "20180301", To: "20180301", Force: true}), stateDone)
	d = await(t, a, "1", stateInterrupted)
	require.NotNil(t, d.Ended)
	require.Equal(t, 1, d.Counts.Ended)
}

// TestFailed: the reason of a failed partition needs the table's grant.
func TestFailed(t *testing.T) {
	s, _, a := installed(t)
	require.NoError(t, s.Close()) // the ledger cannot be written
	_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: []string{"crash_summary"}, Days: []string{"20180301"}, Now: time.Now})
	require.Error(t, err)
	id := begin(t, a, RunRequest{Tables: []string{"crash_summary"}, From: "20180301", To: "20180301"})
	sitetest.WaitFor(t, "it fails", func() bool {
		_, text := a.Do(t, operator, "GET /jobs/runs/"+id, nil)
		return strings.Contains(text, `"state":"failed"`) && strings.Contains(text, "closed")
	})
}
