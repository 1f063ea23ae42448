package saved

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// bench is a scheduler with a receiver of webhooks, and answers that the test gives.
type bench struct {
	*Scheduler
	t      *testing.T
	clock  *testClock
	id     string
	hook   string
	secret string

	mu        sync.Mutex
	notices   []alert.Notice
	questions []Question
	by        []*access.Person
	answer    Answer
	err       error
	people    map[string]*access.Person
	refuse    bool
}

func (b *bench) RunQuery(_ context.Context, p *access.Person, q Question) (Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.questions, b.by = append(b.questions, q), append(b.by, p)
	return b.answer, b.err
}

func (b *bench) Person(_ context.Context, id string) (*access.Person, error) {
	if p := b.people[id]; p != nil {
		return p, nil
	}
	return nil, access.ErrNotFound
}

func newBench(t *testing.T) *bench {
	store, c := testStore(t)
	b := &bench{t: t, clock: c, people: map[string]*access.Person{"sue": searcher},
		answer: Answer{Query: "q1", Columns: []string{"day", "n"}, First: []any{"x", "12.5"}, Rows: 3}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n alert.Notice
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		defer b.mu.Unlock()
		if r.Header.Get(alert.SignatureHeader) != alert.Sign(b.secret, r.Header.Get(alert.TimeHeader), body) || json.Unmarshal(body, &n) != nil {
			t.Errorf("a body with a wrong signature: %s", body)
		}
		b.notices = append(b.notices, n)
		if b.refuse {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	b.hook = server.URL
	b.Scheduler = &Scheduler{
		Store: store, People: b, Executor: b, URL: "https://pings.example.org", Holder: "one", Log: slog.New(slog.DiscardHandler),
		Sender: alert.New(alert.Config{Hosts: []string{server.URL}, Private: true,
			Clock: clock.Clock{Now: c.now, Wait: func(context.Context, time.Duration) error { return nil }}}),
	}
	q, err := store.Create(t.Context(), searcher, Doc{Title: "Watched", SQL: "SELECT n FROM secret WHERE day = {{day}}"}, "")
	require.NoError(t, err)
	b.id = q.ID
	return b
}

func (b *bench) schedule(c *Condition) *Scheduled {
	sc, err := b.Store.SetSchedule(b.t.Context(), searcher, b.id,
		Schedule{Every: "0 7 * * *", Timezone: "Europe/Berlin", Parameters: map[string]any{"day": "yesterday"}, Condition: c,
			Notify: []alert.Target{{Kind: "webhook", To: b.hook}}}, b.Sender)
	require.NoError(b.t, err)
	b.secret = sc.Secret
	return sc
}

// day lets a day pass, runs what is due, and gives the newest run.
func (b *bench) day() ScheduleRun {
	b.t.Helper()
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	require.NoError(b.t, b.Round(b.t.Context()))
	return b.last()
}

func (b *bench) last() ScheduleRun {
	b.t.Helper()
	runs, err := b.Store.Runs(b.t.Context(), searcher, b.id)
	require.NoError(b.t, err)
	require.NotEmpty(b.t, runs)
	return runs[0]
}

func (b *bench) events() (all []alert.Event) {
	for _, n := range b.notices {
		all = append(all, n.Event)
	}
	b.notices = nil
	return all
}

// TestAlert: the owner asks, the receiver hears when the condition begins to hold and when it ends, and each run is kept.
func TestAlert(t *testing.T) {
	b := newBench(t)
	sc := b.schedule(&Condition{Kind: "value", Column: "n", Is: ">", Than: 12})
	require.Equal(t, time.Date(2018, 3, 11, 6, 0, 0, 0, time.UTC), sc.Next)
	require.NoError(t, b.Round(t.Context()))
	require.Empty(t, b.questions, "nothing is due yet")
	run := b.day()
	require.Equal(t, Question{SQL: "SELECT n FROM secret WHERE day = {{day}}", Dialect: "presto", Declared: b.questions[0].Declared,
		Parameters: map[string]any{"day": "yesterday"}, Saved: b.id}, b.questions[0])
	require.Same(t, searcher, b.by[0])
	value := 12.5
	require.Equal(t, alert.Notice{Event: alert.Alert,
		Saved: alert.Saved{ID: b.id, Title: "Watched", URL: "https://pings.example.org/saved/" + b.id}, Planned: sc.Next, At: b.clock.at,
		Condition: "n > 12", Rows: 3, Value: value, Query: "q1"}, b.notices[0])
	require.Equal(t, ScheduleRun{Planned: sc.Next, Started: b.clock.at, Ended: b.clock.at, State: "done", Query: "q1", Rows: 3, Value: &value,
		Holds: true, Notified: []Notified{{Target: alert.Target{Kind: "webhook", To: b.hook}, Event: alert.Alert}}}, run)
	require.Contains(t, b.day().NotBecause, "notified before")
	b.answer.First[1] = int64(12)
	require.Equal(t, []alert.Event{alert.Alert}, b.events())
	require.False(t, b.day().Holds)
	require.Equal(t, []alert.Event{alert.Resolved}, b.events())
	require.Contains(t, b.day().NotBecause, "does not hold")
	require.Empty(t, b.events())
	runs, err := b.Store.Runs(t.Context(), analyst, b.id)
	require.ErrorIs(t, err, ErrNotFound)
	require.Empty(t, runs)
}

// TestBefore: a notice has the rows and the value of the run before, also after one that failed.
func TestBefore(t *testing.T) {
	b := newBench(t)
	b.schedule(&Condition{Kind: "value", Column: "n", Is: ">", Than: 1})
	b.day()
	require.Nil(t, b.notices[0].RowsBefore)
	require.Nil(t, b.notices[0].Before)
	b.err = errors.New("no such column")
	b.day()
	b.answer.Rows, b.answer.First[1], b.err = 5, 0, nil
	b.day()
	require.Equal(t, []any{int64(5), int64(3), 0.0, 12.5},
		[]any{b.notices[1].Rows, *b.notices[1].RowsBefore, b.notices[1].Value, b.notices[1].Before})
}

// TestRows: rows are asked for if the schedule and the configuration want them, and only for mails.
func TestRows(t *testing.T) {
	b := newBench(t)
	sc := b.schedule(nil).Schedule
	sc.Rows = true
	set := func() error {
		_, err := b.Store.SetSchedule(t.Context(), searcher, b.id, sc, b.Sender)
		return err
	}
	require.ErrorContains(t, set(), "mail.rows of the configuration is off")
	b.Sender.Mail = alert.Mail{Server: "127.0.0.1:1", From: "pingmill@example.org", TLS: "none", Domains: []string{"example.org"}, Rows: true}
	require.NoError(t, set())
	b.answer.Attachment = &alert.Attachment{Text: "rows: 3", CSV: []byte("n\n")}
	require.Empty(t, b.day().Attached, "a webhook has no rows")
	require.True(t, b.questions[0].Rows)
	sc.Notify = []alert.Target{{Kind: "mail", To: "ana@example.org"}}
	require.NoError(t, set())
	run := b.day()
	require.Equal(t, "rows: 3", run.Attached)
	require.Contains(t, run.Notified[0].Error, "could not be reached")
	b.err = errors.New("no such column")
	require.Empty(t, b.day().Attached)
	b.err, b.Sender.Mail.Rows = nil, false
	b.day()
	require.False(t, b.questions[3].Rows)
}

// TestNotTold: the next run repeats a notification that failed.
func TestNotTold(t *testing.T) {
	b := newBench(t)
	b.schedule(&Condition{Kind: "rows", Is: ">", Than: 0})
	b.refuse = true
	require.Contains(t, b.day().Notified[0].Error, "answered 500")
	b.notices, b.refuse = nil, false
	require.Empty(t, b.day().Notified[0].Error)
	require.Contains(t, b.day().NotBecause, "notified before")
	b.answer.Rows, b.refuse = 0, true
	b.day()
	b.notices, b.refuse = nil, false
	b.day()
	require.Equal(t, []alert.Event{alert.Resolved}, b.events())
}

// TestPanic: one query's mistake is an error of its round.
func TestPanic(t *testing.T) {
	b := newBench(t)
	b.schedule(nil)
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	b.Executor = executor(func() { panic("a mistake") })
	require.ErrorContains(t, b.Round(t.Context()), "a mistake")
}

// TestMissed: of the times that were missed one run is left.
func TestMissed(t *testing.T) {
	b := newBench(t)
	b.schedule(nil)
	b.clock.at = b.clock.at.AddDate(0, 1, 0)
	for range 3 {
		require.NoError(t, b.Round(t.Context()))
	}
	require.Equal(t, []alert.Event{alert.Report}, b.events())
	sc, err := b.Store.Schedule(t.Context(), searcher, b.id)
	require.NoError(t, err)
	require.Equal(t, time.Date(2018, 4, 11, 5, 0, 0, 0, time.UTC), sc.Next, "in summer")
	_, err = b.Store.SetSchedule(t.Context(), searcher, b.id, Schedule{Every: "6h", Parameters: map[string]any{"day": "today"}}, b.Sender)
	require.NoError(t, err)
	b.clock.at = b.clock.at.Add(6*time.Hour + time.Minute)
	require.NoError(t, b.Round(t.Context()))
	sc, err = b.Store.Schedule(t.Context(), searcher, b.id)
	require.NoError(t, err)
	require.Equal(t, b.clock.at.Add(6*time.Hour-time.Minute), sc.Next, "intervals do not grow")
	require.Contains(t, b.last().NotBecause, "nobody")
}

// TestFailures: what fails time and again is paused, and says so; a removed person's queries do not run.
func TestFailures(t *testing.T) {
	b := newBench(t)
	b.schedule(&Condition{Kind: "rows", Is: "=", Than: 0})
	b.err = errors.New("no such column")
	for range maxFailures - 1 {
		require.Equal(t, "no such column", b.day().Error)
	}
	require.Empty(t, b.events())
	b.day()
	require.Contains(t, b.notices[0].Error, "5 times in a row")
	require.Equal(t, []alert.Event{alert.Paused}, b.events())
	sc, err := b.Store.Schedule(t.Context(), searcher, b.id)
	require.NoError(t, err)
	require.Contains(t, sc.Paused, "5 times in a row")
	require.Zero(t, sc.Next)
	b.day()
	require.Len(t, b.questions, maxFailures)

	b.schedule(&Condition{Kind: "error"})
	b.day()
	b.day()
	b.err = nil
	b.day()
	require.Equal(t, []alert.Event{alert.Failed, alert.Resolved}, b.events())
	delete(b.people, "sue")
	require.Contains(t, b.day().Error, "may not sign in")
	require.Equal(t, []alert.Event{alert.Paused}, b.events())
}

// TestChangedByOther: an administrator's SQL does not run with the owner's grants.
func TestChangedByOther(t *testing.T) {
	b := newBench(t)
	q, err := b.Store.Create(t.Context(), analyst, Doc{Title: "Open", SQL: "SELECT 1"}, "")
	require.NoError(t, err)
	set := func(p *access.Person) error {
		_, err := b.Store.SetSchedule(t.Context(), p, q.ID, Schedule{Every: "1h"}, b.Sender)
		return err
	}
	require.NoError(t, set(analyst))
	require.ErrorIs(t, set(admin), ErrOwner)
	_, err = b.Store.Update(t.Context(), admin, q.ID, 1, Doc{Title: "Open", SQL: "SELECT 2"})
	require.NoError(t, err)
	b.day0()
	require.Empty(t, b.questions)
	sc, err := b.Store.Schedule(t.Context(), admin, q.ID)
	require.NoError(t, err)
	require.Equal(t, changedByOther, sc.Paused)
	require.Empty(t, sc.Secret)
	_, err = b.Store.Schedule(t.Context(), searcher, q.ID)
	require.ErrorIs(t, err, ErrNoSchedule)
	require.ErrorIs(t, b.Store.RemoveSchedule(t.Context(), searcher, q.ID), ErrNoSchedule)
	require.NoError(t, b.Store.RemoveSchedule(t.Context(), admin, q.ID))
}

func (b *bench) day0() {
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	require.NoError(b.t, b.Round(b.t.Context()))
}
