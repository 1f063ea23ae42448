package saved

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// Executor runs a query with the person's present grants and waits until it ends.
type Executor interface {
	RunQuery(ctx context.Context, p *access.Person, q Question) (Answer, error)
}

// Question is a saved query with a schedule's parameter values.
type Question struct {
	SQL        string
	Dialect    params.Dialect
	Declared   []params.Parameter
	Parameters map[string]any
	Saved      string
	Rows       bool // rows for mails are wanted
}

// People returns a person's present account. The error is access.ErrNotFound if the person may not sign in.
type People interface {
	Person(ctx context.Context, id string) (*access.Person, error)
}

// Counter counts runs by state, and notifications by kind of target, event and outcome. Scheduler.Count may be nil.
type Counter interface {
	ScheduledRun(state string, took time.Duration)
	Notified(kind string, event alert.Event, sent bool)
}

// Scheduler runs the queries whose schedules are due.
type Scheduler struct {
	Store    *Store
	People   People
	Executor Executor
	Sender   *alert.Sender
	URL      string // of the query tool
	Holder   string // unique name of this server
	Log      *slog.Logger
	Count    Counter
}

// States of runs.
const (
	runDone   = "done"
	runFailed = "failed"
)

// RunStates lists the states of runs.
var RunStates = []string{runDone, runFailed}

// maxFailures is the number of consecutive failures after which a schedule is paused.
const maxFailures = 5

// one runs one schedule unless another server holds its lease.
func (s *Scheduler) one(ctx context.Context, id string) error {
	if ctx.Err() != nil {
		return nil
	}
	d, err := s.Store.take(ctx, id, s.Holder)
	if d == nil || err != nil {
		return err
	}
	leased, end := context.WithCancel(ctx)
	defer end()
	go s.renew(leased, end, d)

	r := ScheduleRun{Planned: d.planned, Started: s.Store.now().UTC(), Notified: []Notified{}}
	permanent := s.run(leased, d, &r)
	switch {
	case ctx.Err() != nil: // shutdown: this server or another one runs it again
		return s.Store.release(context.WithoutCancel(ctx), d)
	case leased.Err() != nil: // the schedule was changed or removed, or another server has the lease
		return nil
	}
	paused := ""
	switch {
	case permanent:
		paused = r.Error
	case r.State == runFailed && d.failures+1 >= maxFailures:
		paused = fmt.Sprintf("it failed %d times in a row, the last time with: %s", d.failures+1, r.Error)
	}
	s.notify(ctx, d, &r, paused)
	r.Ended = s.Store.now().UTC()
	if s.Count != nil {
		s.Count.ScheduledRun(r.State, r.Ended.Sub(r.Started))
	}
	return s.Store.finish(context.WithoutCancel(ctx), d, r, paused)
}

// renew renews the lease until ctx ends. It cancels the run if the lease is lost.
func (s *Scheduler) renew(ctx context.Context, end context.CancelFunc, d *due) {
	t := time.NewTicker(renewInterval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			held, err := s.Store.renew(ctx, d)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				s.Log.Warn("renew lease of a schedule", "query", d.query.ID, "err", err)
			case !held:
				end()
				return
			}
		}
	}
}

// run runs the query as its owner and fills in r. permanent reports that a retry is useless.
func (s *Scheduler) run(ctx context.Context, d *due, r *ScheduleRun) (permanent bool) {
	r.State = runFailed
	owner, err := s.People.Person(ctx, d.query.Owner)
	if errors.Is(err, access.ErrNotFound) {
		r.Error = "its owner may not sign in any more"
		return true
	}
	if err != nil {
		s.Log.Error("find owner of a schedule", "query", d.query.ID, "err", err)
		r.Error = "its owner could not be looked up"
		return false
	}
	q := d.query
	a, err := s.Executor.RunQuery(ctx, owner,
		Question{SQL: q.SQL, Dialect: q.Dialect, Declared: q.Parameters, Parameters: d.schedule.Parameters, Saved: q.ID,
			Rows: d.schedule.Rows && s.Sender.Mail.Rows})
	d.attachment = a.Attachment
	r.Query, r.Rows = a.Query, a.Rows
	if err == nil {
		r.Value, err = d.schedule.Condition.value(a)
	}
	c := d.schedule.Condition
	if err != nil {
		r.Error, r.Holds = err.Error(), c != nil && c.Kind == "error"
		return false
	}
	r.State, r.Holds = runDone, c.holds(a, r.Value, d.before)
	return false
}

// event returns the event to notify of, or the reason why there is none.
func (d *due) event(r *ScheduleRun, paused string) (alert.Event, string) {
	c := d.schedule.Condition
	switch {
	case len(d.schedule.Notify) == 0:
		return "", "there is nobody to tell"
	case paused != "":
		return alert.Paused, ""
	case r.State == runFailed && c != nil && c.Kind != "error":
		return "", "the query failed, and the condition is of another kind"
	case r.State == runFailed && d.held && !d.schedule.Repeat && c != nil:
		return "", "the targets were notified before that the query fails"
	case r.State == runFailed:
		return alert.Failed, ""
	case c == nil:
		return alert.Report, ""
	case r.Holds && d.held && !d.schedule.Repeat:
		return "", "the targets were notified before that the condition holds"
	case r.Holds:
		return alert.Alert, ""
	case d.held:
		return alert.Resolved, ""
	}
	return "", "the condition does not hold"
}

// holds reports whether the recipients know, after this run, that the condition holds. The value does not change if the
// run failed before the check or no notification was sent; the next run then notifies.
func (d *due) holds(r *ScheduleRun) bool {
	c := d.schedule.Condition
	switch {
	case r.State == runFailed && (c == nil || c.Kind != "error"):
		return d.held
	case len(r.Notified) > 0 && !slices.ContainsFunc(r.Notified, func(n Notified) bool { return n.Error == "" }):
		return d.held
	}
	return r.Holds
}

// notify sends to all targets.
func (s *Scheduler) notify(ctx context.Context, d *due, r *ScheduleRun, paused string) {
	var event alert.Event
	if event, r.NotBecause = d.event(r, paused); event == "" {
		return
	}
	n := alert.Notice{
		Event: event, Saved: alert.Saved{ID: d.query.ID, Title: d.query.Title, URL: s.URL + "/saved/" + d.query.ID}, Planned: d.planned,
		At:        s.Store.now().UTC(),
		Condition: d.schedule.Condition.String(), Rows: r.Rows, RowsBefore: d.rows, Error: r.Error, Query: r.Query,
	}
	if paused != "" {
		n.Error = paused
	}
	if r.Value != nil {
		n.Value = *r.Value
	}
	if d.before != nil {
		n.Before = *d.before
	}
	if r.State == runDone && d.attachment != nil && slices.ContainsFunc(d.schedule.Notify, alert.Target.IsMail) {
		n.Attachment, r.Attached = d.attachment, d.attachment.Text
	}
	for _, t := range d.schedule.Notify {
		notified := Notified{Target: t, Event: event}
		err := s.Sender.Send(ctx, t, d.secret, n)
		if err != nil {
			notified.Error = err.Error()
			s.Log.Warn("tell what a schedule found", "query", d.query.ID, "kind", t.Kind, "err", err, "cause", errors.Unwrap(err))
		}
		if s.Count != nil {
			s.Count.Notified(t.Kind, event, err == nil)
		}
		r.Notified = append(r.Notified, notified)
	}
}
