package web

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/sql/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// TestSchedules: a saved query runs at its time in a worker, as its owner and with the grants of that time, and a webhook is notified.
func TestSchedules(t *testing.T) {
	var notices []alert.Notice
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var n alert.Notice
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &n) != nil {
			t.Errorf("%s: %v", body, err)
		}
		notices = append(notices, n)
	}))
	defer hook.Close()
	now := time.Date(2018, 3, 1, 6, 0, 0, 0, time.UTC)
	s, err := New(t.Context(), Config{
		Site: sitetest.Local(t), Dir: t.TempDir(), URL: "http://127.0.0.1:8090", Version: "1",
		Clock:  clock.Clock{Now: func() time.Time { return now }},
		Log:    slog.New(slog.DiscardHandler),
		Alerts: alert.Config{Hosts: []string{hook.URL}, Private: true},
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	var restricted string
	for _, table := range s.Site.Tables {
		if table.Restricted {
			restricted = table.Name
		}
	}
	owner, err := s.Access.Add(t.Context(),
		access.Person{Name: "ana", Kind: access.Human, Grants: []access.Grant{{Table: access.AllTables}, {Table: restricted}}})
	require.NoError(t, err)
	q, err := s.Saved.Create(t.Context(), &owner.Person, saved.Doc{
		Title: "Watched", SQL: "SELECT count(*) + {{n}} AS n FROM " + restricted + " WHERE submission_date_obj = {{day}}",
		Parameters: []params.Parameter{{Name: "n", Kind: params.Number}},
	}, "")
	require.NoError(t, err)
	_, err = s.Saved.SetSchedule(t.Context(), &owner.Person, q.ID, saved.Schedule{
		Every: "0 7 * * *", Parameters: map[string]any{"n": 7, "day": "yesterday"}, Condition: &saved.Condition{Kind: "value", Is: ">=", Than: 7},
		Notify: []alert.Target{{Kind: "webhook", To: hook.URL}},
	}, s.Schedules.Sender)
	require.NoError(t, err)
	round := func() saved.ScheduleRun {
		now = now.Add(24 * time.Hour)
		require.NoError(t, s.Schedules.Round(t.Context()))
		runs, err := s.Saved.Runs(t.Context(), &owner.Person, q.ID)
		require.NoError(t, err)
		return runs[0]
	}
	run := round()
	require.Equal(t, "done", run.State, run.Error)
	require.Equal(t, 7.0, *run.Value)
	require.Len(t, notices, 1)
	require.Equal(t, "http://127.0.0.1:8090/saved/"+q.ID, notices[0].Saved.URL)
	query, err := s.QueryService.Get(t.Context(), &owner.Person, run.Query)
	require.NoError(t, err)
	require.Equal(t, []any{q.ID, "20180301"}, []any{query.Saved, query.Parameters["day"]})

	_, err = s.Access.Edit(t.Context(), owner.ID, func(a *access.Account) error { a.Grants = a.Grants[:1]; return nil })
	require.NoError(t, err)
	run = round()
	require.Equal(t, "failed", run.State)
	require.NotEmpty(t, run.Error)
	_, err = s.Saved.Get(t.Context(), &access.Person{ID: "other", Grants: []access.Grant{{Table: access.AllTables}}}, q.ID)
	require.ErrorIs(t, err, saved.ErrNotFound)
}

// TestAttachment: mails have rows of tables that are not restricted and that the owner reads in full, up to a size, and no formulas.
func TestAttachment(t *testing.T) {
	s, err := New(t.Context(), Config{Site: sitetest.Local(t), Dir: t.TempDir(), URL: "http://127.0.0.1:8090", Version: "1",
		Clock: clock.Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	all := access.Grant{Table: access.AllTables}
	add := func(name string, grants ...access.Grant) *access.Person {
		a, err := s.Access.Add(t.Context(), access.Person{Name: name, Kind: access.Human, Grants: grants})
		require.NoError(t, err)
		return &a.Person
	}
	some, err := access.ParseGrants([]string{"clients_daily:country=DE"})
	require.NoError(t, err)
	whole := add("ana", all, access.Grant{Table: "search_clients_daily"})
	rows := add("bob", append(some, all)...)
	columns := add("eve", access.Grant{Table: "clients_daily", Columns: []string{"client_id", "country"}})
	run := func(p *access.Person, sql string, wanted bool) *alert.Attachment {
		answer, err := executor{s.QueryService, s.Log}.RunQuery(t.Context(), p,
			saved.Question{SQL: sql, Dialect: params.Presto, Saved: "q", Rows: wanted})
		require.NoError(t, err)
		return answer.Attachment
	}
	const day = " FROM clients_daily WHERE submission_date_obj = '20180301'"
	require.Nil(t, run(whole, "SELECT 1 AS a", false))
	got := run(whole, "SELECT x AS n, '=1+1' AS text FROM UNNEST(ARRAY[1, 2]) t(x) ORDER BY 1", true)
	require.Equal(t, "rows: 2", got.Text)
	require.Equal(t, "n,text\n1,'=1+1\n2,'=1+1\n", string(got.CSV))
	require.Equal(t, "client_id\n", string(run(whole, "SELECT client_id"+day, true).CSV))
	for _, c := range []struct {
		p   *access.Person
		sql string
	}{
		{whole, "SELECT count(*) AS n FROM search_clients_daily WHERE submission_date_obj = '20180301'"},
		{rows, "SELECT count(*) AS n" + day}, {columns, "SELECT country" + day},
	} {
		require.Equal(t, &alert.Attachment{Text: noneAttached}, run(c.p, c.sql, true), c.sql)
	}
	large := run(whole, "SELECT x, 'a text of some length, so that the limit is reached' AS text FROM UNNEST(sequence(1, 9000)) t(x) "+
		"CROSS JOIN UNNEST(sequence(1, 4)) u(y) ORDER BY 1", true)
	require.LessOrEqual(t, len(large.CSV), mostAttached)
	require.Greater(t, len(large.CSV), mostAttached-100)
	lines := strings.Count(string(large.CSV), "\n") - 1
	require.Equal(t, fmt.Sprintf("the first %d of 36000 rows", lines), large.Text)
	require.True(t, strings.HasSuffix(string(large.CSV), "reached\"\n"), "the last row is whole")
}
