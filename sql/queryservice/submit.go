package queryservice

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
)

// live is a query that has not ended.
type activeQuery struct {
	person *access.Person
	asked  *Request
	text   *params.Expanded // what runs
	named  []Use
	place  *queue.Place
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   func() bool // ends the wait for the end of the server
	done   chan struct{}

	mu   sync.Mutex
	q    Query
	uses []Use
}

func (l *activeQuery) get() Query {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.q
}

func (l *activeQuery) change(do func(*Query)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do(&l.q)
}

// Submit takes a question and returns at once. The error is a *Failure where the question is wrong before it is run, and ErrFull
// where too many wait. The query goes on when ctx ends.
func (d *Service) Submit(ctx context.Context, p *access.Person, asked Request) (Query, error) {
	if q, err := d.keyed(ctx, p, asked.Key); !errors.Is(err, errNoKey) {
		return q, err
	}
	text, err := d.expand(ctx, p, &asked)
	if err != nil {
		return Query{}, err
	}
	l := &activeQuery{person: p, asked: &asked, text: text, named: d.named(p, text.SQL), done: make(chan struct{})}
	l.uses = uses(l.named, nil, worker.Plan{})
	l.q = Query{
		ID: strings.ToLower(rand.Text()[:16]), State: Queued, SQL: asked.SQL, Dialect: asked.Dialect, Parameters: text.Values, Saved: asked.Saved,
		Person: p.ID, Name: p.Name, Whole: asked.Whole, Asked: d.Now().UTC(),
	}
	if err := d.register(ctx, l); err != nil {
		if q, e := d.keyed(ctx, p, asked.Key); e == nil {
			return q, nil
		}
		return Query{}, err
	}
	first, err := d.insert(ctx, &l.q, l.uses, asked.Key)
	if err != nil || !first {
		d.withdraw(l)
	}
	switch {
	case err != nil:
		return Query{}, err
	case !first: // another request with the key was faster
		return d.keyed(ctx, p, asked.Key)
	}
	q := l.get()
	go d.watchRights(l.ctx, l)
	go d.run(l)
	return q, nil
}

// errNoKey means no query has the key.
var errNoKey = errors.New("no query has the key")

// keyed returns the query that the person asked with the key, errNoKey if there is none.
func (d *Service) keyed(ctx context.Context, p *access.Person, key string) (Query, error) {
	if key == "" {
		return Query{}, errNoKey
	}
	s, err := d.find(ctx, "person = ? AND key = ?", p.ID, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return Query{}, errNoKey
	case err != nil:
		return Query{}, err
	case !d.visible(p, s.uses):
		return Query{}, ErrNotFound
	}
	return d.newest(s.q), nil
}

// register gives a query its place in the queue and among the live ones, where a request with the same key finds it from the
// moment on at which it is stored.
func (d *Service) register(ctx context.Context, l *activeQuery) (err error) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return errClosed
	}
	d.personLimits[l.person.ID] = l.person.Limits.Concurrent
	d.work.Add(1)
	d.mu.Unlock()
	if l.place, err = d.queue.Enter(l.person.ID); err != nil {
		d.work.Done()
		return err
	}
	l.ctx, l.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	l.stop = context.AfterFunc(d.starting, func() { l.cancel(context.Cause(d.starting)) })
	d.mu.Lock()
	d.active[l.q.ID] = l
	d.mu.Unlock()
	return nil
}

// withdraw takes back a query that was registered and is not going to run.
func (d *Service) withdraw(l *activeQuery) {
	l.place.Leave()
	d.finish(l)
	d.work.Done()
}

// finish ends the life of a query.
func (d *Service) finish(l *activeQuery) {
	d.mu.Lock()
	delete(d.active, l.q.ID)
	d.mu.Unlock()
	l.stop()
	l.cancel(nil)
	close(l.done)
}

// expand replaces the parameters of a question.
func (d *Service) expand(ctx context.Context, p *access.Person, asked *Request) (*params.Expanded, error) {
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
func (d *Service) newestDay(ctx context.Context, p *access.Person, asked *Request) (newest time.Time, err error) {
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
func (d *Service) Wait(ctx context.Context, p *access.Person, id string, most time.Duration) (Query, error) {
	q, err := d.Get(ctx, p, id)
	if err != nil || q.State.Ended() || most <= 0 {
		return q, err
	}
	d.mu.Lock()
	l := d.active[id]
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
func (d *Service) Cancel(ctx context.Context, p *access.Person, id string) error {
	q, err := d.Get(ctx, p, id)
	if err != nil {
		return err
	}
	if q.Person != p.ID {
		return ErrNotFound
	}
	d.mu.Lock()
	l := d.active[id]
	d.mu.Unlock()
	if l != nil {
		l.cancel(errCancelled)
		<-l.done
	}
	return nil
}
