package queryservice

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
)

// activeQuery is a query that waits or runs.
type activeQuery struct {
	person  *access.Person
	request *Request
	text    *params.Expanded // the SQL that runs
	named   []Use
	place   *queue.Place
	ctx     context.Context
	cancel  context.CancelCauseFunc
	stop    func() bool // stops waiting for the service's shutdown
	done    chan struct{}
	ready   chan struct{} // closed when first is set

	mu         sync.Mutex
	q          Query
	uses       []Use
	first      []byte // an Arrow stream of the first rows
	firstIndex *index
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

// Submit queues a request and returns at once. The error is a *Failure if the request is invalid, and ErrFull if the
// queue is full. The query continues after ctx ends.
func (d *Service) Submit(ctx context.Context, p *access.Person, request Request) (Query, error) {
	if q, err := d.keyed(ctx, p, request.Key); !errors.Is(err, errNoKey) {
		return q, err
	}
	text, err := d.expand(ctx, p, &request)
	if err != nil {
		return Query{}, err
	}
	l := &activeQuery{person: p, request: &request, text: text, named: d.named(p, text.SQL)}
	l.done, l.ready = make(chan struct{}), make(chan struct{})
	l.uses = uses(l.named, nil, worker.Plan{})
	l.q = Query{
		ID: strings.ToLower(rand.Text()[:16]), State: Queued, SQL: request.SQL, Dialect: request.Dialect, Parameters: text.Values,
		Saved:  request.Saved,
		Person: p.ID, Name: p.Name, Whole: request.Whole, Submitted: d.Now().UTC(),
	}
	share := ""
	if request.Saved != "" {
		if share, err = shareKey(d, p, &request, text); err != nil {
			return Query{}, err
		}
	}
	if err := d.register(ctx, l); err != nil {
		if q, e := d.keyed(ctx, p, request.Key); e == nil {
			return q, nil
		}
		return Query{}, err
	}
	first, err := d.insert(ctx, &l.q, l.uses, request.Key, share)
	if err != nil || !first {
		d.withdraw(l)
	}
	switch {
	case err != nil:
		return Query{}, err
	case !first: // another request with the key was faster
		return d.keyed(ctx, p, request.Key)
	}
	q := l.get()
	go d.watchRights(l.ctx, l)
	go d.run(l)
	return q, nil
}

// errNoKey means no query has the key.
var errNoKey = errors.New("no query has the key")

// keyed returns the query that the person submitted with the key, or errNoKey.
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

// register adds a query to the queue and to the active queries, so that a request with the same key finds it as soon as
// it is stored.
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

// withdraw removes a registered query that will not run.
func (d *Service) withdraw(l *activeQuery) {
	l.place.Leave()
	d.finish(l)
	d.work.Done()
}

// finish removes a query from the active ones, releases its context and notifies its waiters.
func (d *Service) finish(l *activeQuery) {
	d.mu.Lock()
	delete(d.active, l.q.ID)
	d.mu.Unlock()
	l.stop()
	l.cancel(nil)
	close(l.done)
}

// expand replaces the parameters of a request.
func (d *Service) expand(ctx context.Context, p *access.Person, request *Request) (*params.Expanded, error) {
	if request.Dialect == "" {
		request.Dialect = query.Presto
	}
	in := params.Input{SQL: request.SQL, Dialect: request.Dialect, Declared: request.Declared, Values: request.Parameters, Today: day(d.Now())}
	var err error
	if in.Newest, err = d.newestDay(ctx, p, request); err != nil {
		return nil, err
	}
	text, err := params.Expand(in)
	var wrong *params.Error
	if errors.As(err, &wrong) {
		return nil, &Failure{Kind: "Parameter", Message: wrong.Message, Line: wrong.Line, Column: wrong.Column, Text: wrong.Text}
	}
	if err == nil {
		err = insertSaved(ctx, d, p, request, text)
	}
	return text, err
}

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// newestDay returns the newest day that all tables named in the request have; it skips tables without data. It returns
// the zero time if no parameter needs it.
func (d *Service) newestDay(ctx context.Context, p *access.Person, request *Request) (newest time.Time, err error) {
	if !lexer.Words(texts(request.Parameters))["newest"] && !declaredNewest(request.Declared) {
		return newest, nil
	}
	for _, u := range d.named(p, request.SQL) {
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

// texts returns the texts in the parameters' values, joined.
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
		if lexer.Words(texts(map[string]any{"": p.Default}))["newest"] {
			return true
		}
	}
	return false
}

// Wait returns a query when it has ended, or its present state after the time most.
func (d *Service) Wait(ctx context.Context, p *access.Person, id string, most time.Duration) (Query, error) {
	return wait(ctx, d, p, id, most, false)
}

// Cancel cancels one of the person's own queries. It does nothing if the query has ended, and returns ErrNotFound for
// another person's query.
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
	switch {
	case l != nil:
		l.cancel(errCancelled)
		<-l.done
	case !q.State.Ended() && d.Place.Shared():
		return cancelElsewhere(ctx, d, p, id)
	}
	return nil
}
