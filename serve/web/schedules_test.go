package web

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
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
