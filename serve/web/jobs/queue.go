package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/panics"
)

const (
	maxWaiting = 20  // requests
	maxEnded   = 50  // ended requests that are remembered
	maxDays    = 800 // days of a request
	// retryEach is the interval of retries while a run of another process holds the ledger.
	retryEach = 2 * time.Second
)

// queue holds the requests, oldest first, in memory. If the process stops during a run, the ledger records it as
// interrupted; the same request then continues from its checkpoints.
type queue struct {
	mu   sync.Mutex
	all  []*request
	wake chan struct{}
}

func newQueue() queue { return queue{wake: make(chan struct{}, 1)} }

func (q *queue) requests() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.all)
}

func (q *queue) byID(id string) *request {
	return q.first(func(r *request) bool { return r.id == id })
}

func (q *queue) byNumber(run int64) *request {
	return q.first(func(r *request) bool { return r.number() == run })
}

// first returns the first request that matches, or nil.
func (q *queue) first(wanted func(*request) bool) *request {
	all := q.requests()
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i]
	}
	return nil
}

// add adds a request and removes old ones that have ended. It returns false if too many wait.
func (q *queue) add(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting, ended := 0, 0
	for _, o := range slices.Backward(q.all) {
		if o.is(stateQueued) {
			waiting++
		} else if !o.is(stateRunning) {
			if ended++; ended > maxEnded {
				q.all = slices.DeleteFunc(q.all, func(x *request) bool { return x == o })
			}
		}
	}
	if waiting >= maxWaiting {
		return false
	}
	r.id = fmt.Sprintf("q%08x", rand.Uint32()) // a sequence number would reveal the requests of others
	q.all = append(q.all, r)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

// Run executes the requests one at a time until ctx ends.
func (j *Jobs) Run(ctx context.Context) error {
	for {
		r := j.queue.first(func(r *request) bool { return r.is(stateQueued) })
		if r == nil {
			select {
			case <-ctx.Done():
				return nil
			case <-j.queue.wake:
			}
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		j.execute(ctx, r)
	}
}

// execute executes a request. It waits for runs of other processes to end.
func (j *Jobs) execute(ctx context.Context, r *request) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.set(func() { r.cancel = cancel })
	if !r.is(stateQueued) { // it was cancelled meanwhile
		return
	}
	for {
		err := panics.Try(func() error { return r.do(ctx, j) })
		if !errors.Is(err, job.ErrInUse) {
			if err != nil && ctx.Err() == nil {
				j.Log.Error("a run that was begun in the query tool failed", "by", r.by, "error", panics.Report(err))
			}
			r.end(ctx, j.Now(), err)
			return
		}
		waits := j.waitsFor(ctx)
		r.set(func() { r.waits = waits })
		if j.Wait(ctx, retryEach) != nil {
			r.end(ctx, j.Now(), nil)
			return
		}
	}
}

// RunRequest is the input of a new run.
type RunRequest struct {
	Tables     []string `json:"tables" minItems:"1" maxItems:"100" doc:"names of tables; their inputs are made as well where they are not current"`
	From       string   `json:"from" pattern:"^[0-9]{8}$"`
	To         string   `json:"to" pattern:"^[0-9]{8}$"`
	Force      bool     `json:"force,omitempty" doc:"also what is current"`
	Downstream bool     `json:"downstream,omitempty" doc:"also the tables that are made from these, as far as you may know of them"`
}

type beginInput struct{ Body RunRequest }

type runOutput struct{ Body Run }

func (j *Jobs) begin(ctx context.Context, in *beginInput) (*runOutput, error) {
	s := j.sightOf(ctx)
	tables, units, days, err := j.wanted(s, &in.Body)
	if err != nil {
		return nil, err
	}
	p := access.From(ctx)
	r := &request{
		by: p.Name, submitted: j.Now(), state: stateQueued, units: units, done: map[job.Unit]bool{},
		o: etl.RunOptions{Tables: tables, Days: days, Force: in.Body.Force},
	}
	if !j.queue.add(r) {
		return nil, huma.Error409Conflict(fmt.Sprintf("%d runs wait already: end some of them, or wait", maxWaiting))
	}
	j.Log.Info("a run was asked for in the query tool", "by", p.Name, "tables", tables, "from", in.Body.From, "to", in.Body.To, "force",
		in.Body.Force)
	return &runOutput{r.run(s)}, nil
}

// wanted returns the tables of a request that the person may know of, and the partitions that its run examines.
func (j *Jobs) wanted(s sight, in *RunRequest) (tables []string, units []job.Unit, days []string, err error) {
	g, err := j.Site.Graph()
	if err != nil {
		return nil, nil, nil, err
	}
	order := s.known(g.Order())
	wanted := map[string]bool{}
	for _, t := range in.Tables {
		if !slices.Contains(order, t) {
			return nil, nil, nil, huma.Error422UnprocessableEntity("there is no table " + t)
		}
		wanted[t] = true
	}
	for _, t := range order {
		if in.Downstream && slices.ContainsFunc(g.Needs(t), func(n string) bool { return wanted[n] }) {
			wanted[t] = true
		}
		if wanted[t] {
			tables = append(tables, t)
		}
	}
	if days, err = job.DayRange(in.From, in.To); err != nil {
		return nil, nil, nil, huma.Error422UnprocessableEntity(err.Error())
	}
	if len(days) > maxDays {
		return nil, nil, nil, huma.Error422UnprocessableEntity(fmt.Sprintf("these are %d days: a run may have %d", len(days), maxDays))
	}
	all, err := g.Closure(tables...)
	if err == nil {
		units, err = g.Units(all, days)
	}
	return tables, units, days, err
}

func (j *Jobs) end(ctx context.Context, in *ID) (*runOutput, error) {
	s := j.sightOf(ctx)
	q, r, err := j.find(ctx, s, in.ID)
	if err != nil {
		return nil, err
	}
	if r != nil && r.Outcome != job.Running { // its request may not know yet
		return nil, huma.Error409Conflict("it has ended")
	}
	if q == nil {
		return nil, huma.NewError(http.StatusConflict, fmt.Sprintf("it was not begun here: end process %d on %s", r.PID, r.Host))
	}
	ended := false
	q.set(func() {
		switch {
		case q.cancel != nil:
			q.cancel(errCancelled)
		case q.state == stateQueued:
			q.state, q.ended = stateCancelled, j.Now()
		default:
			ended = true
		}
	})
	if ended {
		return nil, huma.Error409Conflict("it has ended")
	}
	j.Log.Info("a run was ended in the query tool", "by", s.person.Name, "run", q.number())
	return &runOutput{q.run(s)}, nil
}
