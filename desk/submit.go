package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/query/params"
)

// live is a query that has not ended.
type live struct {
	person *access.Person
	asked  *Question
	text   *params.Expanded // what runs
	named  []Use
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu   sync.Mutex
	q    Query
	uses []Use
}

func (l *live) get() Query {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.q
}

func (l *live) change(do func(*Query)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do(&l.q)
}

// Submit takes a question and returns at once. The error is a *Failure where the question is wrong before it is run, and ErrFull
// where too many wait. The query goes on when ctx ends.
func (d *Desk) Submit(ctx context.Context, p *access.Person, asked Question) (Query, error) {
	if asked.Key != "" {
		s, err := d.find(ctx, "person = ? AND key = ?", p.ID, asked.Key)
		switch {
		case err == nil && !d.visible(p, s.uses):
			return Query{}, ErrNotFound
		case !errors.Is(err, ErrNotFound):
			return d.newest(s.q), err
		}
	}
	text, err := d.expand(ctx, p, &asked)
	if err != nil {
		return Query{}, err
	}
	if d.queue.Full(p.ID) {
		return Query{}, ErrFull
	}
	l := &live{person: p, asked: &asked, text: text, named: d.named(p, text.SQL), done: make(chan struct{})}
	l.uses = uses(l.named, nil, ask.Plan{})
	l.q = Query{
		ID: strings.ToLower(rand.Text()[:16]), State: Queued, SQL: asked.SQL, Dialect: asked.Dialect, Parameters: text.Values, Saved: asked.Saved,
		Person: p.ID, Name: p.Name, Whole: asked.Whole, Asked: d.Now().UTC(),
	}
	if err := d.insert(ctx, &l.q, l.uses, asked.Key); err != nil {
		return Query{}, err
	}
	return l.get(), d.start(ctx, l)
}

// start begins to run a query.
func (d *Desk) start(ctx context.Context, l *live) error {
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(d.starting, func() { cancel(context.Cause(d.starting)) })
	l.cancel = cancel
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return errClosed
	}
	d.live[l.q.ID] = l
	d.most[l.q.Person] = l.person.Limits.Concurrent
	d.work.Go(func() {
		defer stop()
		defer cancel(nil)
		d.run(run, l)
	})
	return nil
}

// expand replaces the parameters of a question.
func (d *Desk) expand(ctx context.Context, p *access.Person, asked *Question) (*params.Expanded, error) {
	if asked.Dialect == "" {
		asked.Dialect = query.Presto
	}
	in := params.Input{SQL: asked.SQL, Dialect: params.Dialect(asked.Dialect), Declared: asked.Declared, Values: asked.Parameters, Today: day(d.Now())}
	var err error
	if in.Newest, err = d.newestDay(ctx, p, asked); err != nil {
		return nil, err
	}
	text, err := params.Expand(in)
	var wrong *params.Error
	if errors.As(err, &wrong) {
		return nil, &Failure{Kind: "Parameter", Message: wrong.Message, Line: wrong.Line, Column: wrong.Column, Text: wrong.Text}
	}
	return text, err
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// newestDay is the newest day that all tables have that a question names, of those that have any; the zero time if nothing asks
// for it.
func (d *Desk) newestDay(ctx context.Context, p *access.Person, asked *Question) (newest time.Time, err error) {
	if !words(texts(asked.Parameters))["newest"] && !declaredNewest(asked.Declared) {
		return newest, nil
	}
	for _, u := range d.named(p, asked.SQL) {
		lt, err := d.Site.Table(u.Table)
		if err != nil {
			return newest, err
		}
		days, err := lt.Days(ctx)
		if err != nil {
			return newest, err
		}
		if len(days) == 0 {
			continue
		}
		last, err := time.Parse("20060102", days[len(days)-1])
		if err != nil {
			return newest, err
		}
		if newest.IsZero() || last.Before(newest) {
			newest = last
		}
	}
	return newest, nil
}

// texts are the texts of values.
func texts(values map[string]any) string {
	var b strings.Builder
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b.WriteString(v + " ")
		case map[string]any:
			b.WriteString(texts(v) + " ")
		}
	}
	return b.String()
}

func declaredNewest(declared []params.Parameter) bool {
	for _, p := range declared {
		if words(texts(map[string]any{"": p.Default}))["newest"] {
			return true
		}
	}
	return false
}

// Wait gives a query when it has ended, but after a time as it is then.
func (d *Desk) Wait(ctx context.Context, p *access.Person, id string, most time.Duration) (Query, error) {
	q, err := d.Get(ctx, p, id)
	if err != nil || q.State.Ended() || most <= 0 {
		return q, err
	}
	d.mu.Lock()
	l := d.live[id]
	d.mu.Unlock()
	if l == nil {
		return d.Get(ctx, p, id)
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	select {
	case <-l.done:
	case <-ctx.Done():
	}
	return l.get(), nil
}

// Cancel ends a query of the person's own. One that has ended stays what it is.
func (d *Desk) Cancel(ctx context.Context, p *access.Person, id string) error {
	q, err := d.Get(ctx, p, id)
	if err != nil {
		return err
	}
	if q.Person != p.ID {
		return ErrNotFound
	}
	d.mu.Lock()
	l := d.live[id]
	d.mu.Unlock()
	if l != nil {
		l.cancel(errCancelled)
		<-l.done
	}
	return nil
}
