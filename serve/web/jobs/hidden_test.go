package jobs

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestHidden: a person without a table's grant finds nothing of it: in no calendar, run, count, log or error. A person
// with the grant sees it.
func TestHidden(t *testing.T) {
	s, _, a := installed(t)
	secret := secretOf(t, s)
	now := func() time.Time { return sitetest.At(4) }
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: []string{"20180301", "20180302"}, Now: now})
	sitetest.DayPings(t, s.Archive, 2, 20, "20180303")
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180303"}, Now: now})
	etltest.Run(t, s, etl.RunOptions{Tables: []string{secret.Name}, Days: []string{"20180303"}, Now: now}) // nothing else
	require.NoError(t, s.Ledger.AddLine(1, job.Line{Text: "a line about " + secret.Dir, Time: now()}))
	require.NoError(t, s.Ledger.AddLine(1,
		job.Line{Text: "x", Time: now(), Unit: job.Unit{Table: "addons", Day: "20180301"},
			Attrs: map[string]string{"reason": "as " + secret.Name}}))

	for _, path := range []string{"/jobs/calendar", "/jobs/calendar?from=20180301&to=20180302", "/jobs/runs", "/jobs/runs/1",
		"/jobs/runs/1/log"} {
		for _, p := range []*access.Person{member, operator} {
			status, text := a.Do(t, p, "GET "+path, nil)
			require.Equal(t, 200, status, text)
			require.NotContains(t, text, secret.Name, path)
		}
	}
	for _, request := range []string{
		"GET /jobs/runs/3", "GET /jobs/runs/3/log", "GET /jobs/runs/3/tasks?table=" + secret.Name + "&day=20180301",
		"GET /jobs/runs/1/tasks?table=" + secret.Name + "&day=20180301", "DELETE /jobs/runs/3",
	} {
		_, text := a.Do(t, operator, request, nil)
		_, nothing := a.Do(t, operator, "GET /jobs/runs/77", nil)
		require.Equal(t, nothing, text)
	}
	_, hidden := a.Do(t, operator, "POST /jobs/runs", RunRequest{Tables: []string{secret.Name}, From: "20180301", To: "20180301"})
	_, nothing := a.Do(t, operator, "POST /jobs/runs", RunRequest{Tables: []string{"nothing"}, From: "20180301", To: "20180301"})
	require.Equal(t, nothing, strings.ReplaceAll(hidden, secret.Name, "nothing"))
	waiting := &request{o: etl.RunOptions{Tables: []string{"addons"}, Days: []string{"20180301"}}, waits: wait{"run 3", []string{secret.Name}}}
	require.Equal(t, "another run", waiting.run(sight{member, s.Tables}).Waits)
	id := begin(t, a, RunRequest{Tables: []string{"main_summary"}, From: "20180301", To: "20180301", Force: true, Downstream: true})
	d := await(t, a, id, stateDone)
	require.Equal(t, 3, d.Counts.Begun) // with addons and clients_daily

	reader := &access.Person{Grants: append([]access.Grant{{Table: secret.Name}}, all...)}
	var list runsOutput
	a.Get(t, member, "/jobs/runs", &list.Body)
	require.Len(t, list.Body.Items, 3)
	require.Equal(t, 12, list.Body.Items[2].Counts.Begun)
	a.Get(t, reader, "/jobs/runs?table="+secret.Name, &list.Body)
	require.Len(t, list.Body.Items, 2)
	require.Equal(t, 14, list.Body.Items[1].Counts.Begun)
	var calendar calendarOutput
	a.Get(t, member, "/jobs/calendar", &calendar.Body)
	require.Equal(t, "20180303", calendar.Body.Last)
	require.Len(t, calendar.Body.Items, 28*6)
	a.Get(t, reader, "/jobs/calendar?from=20180301&to=20180301", &calendar.Body)
	require.Len(t, calendar.Body.Items, 7)
	require.Equal(t, string(status.Published), calendar.Body.Items[0].State)
	// Who only knows of it sees what becomes of it, and no number of its rows.
	administrator := &access.Person{Rights: []access.Right{access.Administer, access.Operate}, Grants: all}
	a.Get(t, administrator, "/jobs/calendar?from=20180301&to=20180303", &calendar.Body)
	seen := 0
	for _, d := range calendar.Body.Items {
		if d.Table == secret.Name {
			seen++
			require.Zero(t, d.Rows+d.Bytes)
		}
	}
	require.Equal(t, 3, seen)
	var detail detailOutput
	a.Get(t, administrator, "/jobs/runs/3", &detail.Body)
	require.Equal(t, []string{secret.Name}, detail.Body.Tables)
	require.Zero(t, detail.Body.Rows+detail.Body.Bytes)
	u := detail.Body.Units[0]
	require.Equal(t, stateDone, u.State)
	require.Zero(t, u.RowsIn+u.RowsOut+u.Rejected+u.Bytes)
	require.Empty(t, u.LeftOut)
	var attempts tasksOutput
	a.Get(t, administrator, "/jobs/runs/3/tasks?table="+secret.Name+"&day=20180303", &attempts.Body)
	require.NotEmpty(t, attempts.Body.Items)
	for _, k := range attempts.Body.Items {
		require.Zero(t, k.RowsIn+k.RowsOut+k.Rejected+k.Bytes)
	}
	var lines logOutput
	a.Get(t, administrator, "/jobs/runs/3/log", &lines.Body)
	numbers := 0
	for _, l := range lines.Body.Items {
		for _, name := range counted {
			if value, is := l.Attrs[name]; is && l.Table == secret.Name {
				numbers++
				require.Equal(t, withheld, value)
			}
		}
	}
	require.Positive(t, numbers)
	part := &access.Person{Grants: []access.Grant{{Table: "addons", Columns: []string{"name"}}}}
	a.Get(t, part, "/jobs/runs/1/log", &lines.Body)
	for _, l := range lines.Body.Items {
		require.Contains(t, []string{"", "addons"}, l.Table)
		if found, is := l.Attrs["found"]; is && found != "" {
			require.Equal(t, withheld, found)
		}
	}
}
