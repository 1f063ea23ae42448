package queryservice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/worker"
)

// run waits for a slot, runs the query and stores its final state.
func (d *Service) run(l *activeQuery) {
	defer d.work.Done()
	ctx := l.ctx
	release, err := l.place.Wait(ctx, func(n int) { l.change(func(q *Query) { q.Position = n }) })
	if err == nil {
		l.change(func(q *Query) { q.State, q.Position, q.Started = Running, 0, d.Now().UTC() })
		var s worker.Summary
		err = catalog.Again(ctx, func(ctx context.Context, avoid []string) error {
			s, err = d.execute(ctx, l, avoid)
			return err
		})
		release()
		l.change(func(q *Query) { q.CPU, q.Read = s.CPU, s.Read })
	}
	d.end(ctx, l, err)
	d.finish(l)
	d.runner.Warm() // the next query finds its process ready
}

// execute runs a query that has its slot, and stores its result.
func (d *Service) execute(ctx context.Context, l *activeQuery, avoid []string) (s worker.Summary, err error) {
	r, err := catalog.Granted(ctx, d.Site, l.person, l.request.Dialect, l.text.SQL, avoid...)
	if err != nil {
		return s, err
	}
	r.Person, r.Format, r.Limits, r.First = l.person.ID, query.FormatArrow, d.limits(l.person, l.request), true
	r.Allow = func(ctx context.Context, plan worker.Plan) error { return d.allow(ctx, l, &r, plan) }
	f, err := d.results.create(l.q.ID)
	if err != nil {
		return s, err
	}
	s, err = start(ctx, d.runner, r, f, func(e worker.Event) {
		d.warn(e)
		l.observe(e)
	})
	d.runner.Warm() // for the next query
	if err != nil {
		d.results.drop(f)
		return s, err
	}
	return s, d.keep(l, f, s)
}

// warn logs each missing sandbox protection once.
func (d *Service) warn(e worker.Event) {
	if p, lacking := e.(worker.Lacking); lacking && d.Log != nil {
		if _, warned := d.lacking.LoadOrStore(p, true); !warned {
			d.Log.Warn("queries run with less protection", "lacking", string(p), "meaning", p.Meaning())
		}
	}
}

// keep publishes the file of a query's result and removes old results.
func (d *Service) keep(l *activeQuery, f *os.File, s worker.Summary) error {
	now := d.Now().UTC()
	if err := d.results.finish(f, l.q.ID, now); err != nil {
		return fmt.Errorf("keep result: %w", err)
	}
	d.results.sweep(now, d.Keep, d.KeepBytes)
	l.change(func(q *Query) {
		q.Rows, q.Bytes, q.Cut = s.Rows, s.Bytes, s.Cut
		if d.Keep > 0 {
			q.Expires = now.Add(d.Keep)
		}
		if s.Cut != "" {
			q.Notes = append(q.Notes, fmt.Sprintf("these are the first %s rows of more", humanize.Comma(s.Rows)))
		}
	})
	return nil
}

// observe updates the query's state from the worker's events.
func (l *activeQuery) observe(e worker.Event) {
	if stream, first := e.(worker.First); first {
		l.begin(stream)
		return
	}
	l.change(func(q *Query) {
		switch e := e.(type) {
		case worker.Columns:
			q.Columns = columnsOf(e.List)
			for _, r := range e.Rounded {
				q.Notes = append(q.Notes, r.String())
			}
		case worker.Progress:
			q.Progress = l.progressOf(e)
		}
	})
}

func columnsOf(list []query.Column) []ResultColumn {
	all := make([]ResultColumn, len(list))
	for i, c := range list {
		all[i] = ResultColumn{c.Name, c.Type}
	}
	return all
}

// allow checks what a query will read, and records the reading of restricted tables before it happens.
func (d *Service) allow(ctx context.Context, l *activeQuery, r *worker.Request, plan worker.Plan) error {
	reads := readsOf(plan, r.Views)
	scans := plan.Reads(r.Views)
	refused := refusal(d.guard(l.person).Check(scans))
	l.mu.Lock()
	l.q.Reads, l.q.Notes, l.uses = reads, guard.Notes(scans), uses(l.named, r.Views, plan)
	l.q.Notes = append(l.q.Notes, limitRows(d.Site.Tables, l.person, l.uses)...)
	q, used := l.q, slices.Clone(l.uses)
	l.mu.Unlock()
	if err := d.authorize(ctx, l.person, used); err != nil {
		return err
	}
	outcome := access.Done
	if refused != nil {
		outcome = "refused: " + refused.Error()
	}
	if err := d.record(ctx, &q, d.restricted(used, reads), outcome); err != nil {
		return err
	}
	if refused != nil {
		return refused
	}
	return d.update(ctx, &q, used)
}

// readsOf describes a plan for people.
func readsOf(plan worker.Plan, views []query.View) *Reads {
	r := &Reads{Text: cmp.Or(plan.String(), "no files"), Files: plan.Files, Partitions: plan.Partitions, Bytes: plan.Bytes, Days: []DaysRead{}}
	for _, s := range plan.Reads(views) {
		i := slices.IndexFunc(r.Days, func(t DaysRead) bool { return t.Table == s.Table })
		if i < 0 {
			i, r.Days = len(r.Days), append(r.Days, DaysRead{Table: s.Table, Days: []string{}})
		}
		r.Days[i].Days = append(r.Days[i].Days, s.Days...)
		slices.Sort(r.Days[i].Days)
		r.Days[i].Days = slices.Compact(r.Days[i].Days)
	}
	return r
}

// refusal converts an error of the guard to a *Failure; it returns other errors unchanged.
func refusal(err error) error {
	var large *guard.Error
	if !errors.As(err, &large) {
		return err
	}
	f := &Failure{Kind: "Too large", Message: large.What, Hint: large.Hint()}
	for _, o := range large.Offers {
		f.Add = append(f.Add, Add{o.SQL, o.What})
	}
	return f
}

// restricted returns the restricted tables that a query uses, with the days that it reads.
func (d *Service) restricted(used []Use, reads *Reads) (all []access.Reading) {
	for _, u := range used {
		t, err := schema.Find(d.Site.Tables, u.Table)
		if err != nil || !t.Restricted {
			continue
		}
		r := access.Reading{Table: t.Name, Days: []string{}}
		if reads != nil {
			for _, read := range reads.Days {
				if read.Table == t.Name {
					r.Days = read.Days
				}
			}
		}
		all = append(all, r)
	}
	return all
}

// record writes the reading of restricted tables to the audit log.
func (d *Service) record(ctx context.Context, q *Query, reads []access.Reading, outcome string) error {
	if len(reads) == 0 || d.Audit == nil {
		return nil
	}
	return d.Audit.Record(ctx, access.Entry{Person: q.Person, Name: q.Name, Event: access.Queried, Outcome: outcome, About: q.ID, SQL: q.SQL,
		Reads: reads})
}

// end stores the final state of a query.
func (d *Service) end(ctx context.Context, l *activeQuery, err error) {
	if err != nil && errors.Is(context.Cause(ctx), errRights) {
		err = errRights
	}
	l.mu.Lock()
	l.q.Ended, l.q.Position, l.q.Progress = d.Now().UTC(), 0, nil
	switch {
	case err == nil:
		l.q.State = Done
	case errors.Is(context.Cause(ctx), errCancelled):
		l.q.State = Cancelled
	default:
		l.q.State, l.q.Error = Failed, d.failure(err, l)
	}
	q, used := l.q, l.uses
	l.mu.Unlock()
	late := context.WithoutCancel(ctx)
	tryStore(d, q.ID, func() error { return errors.Join(d.update(late, &q, used), d.forget(late)) })
}

// failure converts an error to a form that the person may see.
func (d *Service) failure(err error, l *activeQuery) *Failure {
	var wrong *query.Error
	var limit *worker.LimitError
	var failed *Failure
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.As(err, &wrong):
		f := &Failure{Kind: wrong.Kind, Message: wrong.Message, Hint: wrong.Hint, Line: wrong.Line, Column: wrong.Column, Text: wrong.Text}
		if wrong.Table != "" {
			f.Message = "read table " + wrong.Table + ": " + f.Message
		}
		if f.Line > 0 {
			if inside := l.text.Inserted(f.Line, f.Column); inside != "" {
				f.Message = "in " + inside + ": " + f.Message
			}
			f.Line, f.Column, f.Text = l.text.Place(f.Line, f.Column)
		}
		return f
	case errors.As(err, &limit):
		return &Failure{Kind: "Limit", Message: limit.Text}
	case errors.Is(err, errRights):
		return &Failure{Kind: "Not allowed", Message: "your rights have changed since the query was asked", Hint: "run it again"}
	case errors.Is(err, ErrFull), errors.Is(err, errClosed):
		return &Failure{Kind: "Interrupted", Message: err.Error(), Hint: "run it again"}
	case errors.Is(err, columnar.ErrDamaged):
		err = fmt.Errorf("the process of query %s gave no result: %w", l.q.ID, err)
	}
	if d.Log != nil {
		d.Log.Warn("a query failed", "query", l.q.ID, "person", l.person.Name, "error", err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return &Failure{Kind: "No space", Message: "the server has no room for the result", Hint: "tell its operator"}
	}
	if worker.Died(err) {
		return &Failure{Kind: "Process died", Message: "the process of the query died", Hint: "it may have needed more memory than there is"}
	}
	return &Failure{Kind: "Internal", Message: "the query failed, and the log of the service says why"}
}
