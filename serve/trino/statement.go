package trino

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// statement is a statement between its POST and its last response.
type statement struct {
	id, slug string // who knows both, and is the same person, can poll it
	person   string
	client   client
	begun    time.Time

	ctx     context.Context // ends when it is cancelled or abandoned, or its token becomes invalid
	cancel  context.CancelCauseFunc
	session *bi.Session
	done    chan struct{} // closed when it has a result or an error

	turn chan struct{} // one poll at a time

	mu     sync.Mutex
	result *result
	err    error
	token  int64 // of the response that is next
	from   int64 // the row at which the last page began
	next   int64 // the row after it
	polls  int   // that wait or write now
	last   time.Time
	closed bool // the last response was made
}

var (
	errCanceled = errors.New("the query was cancelled")
	errTime     = errors.New("the query has run for longer than query_max_run_time of its session")
	errMany     = errors.New("too many open statements: read the results of some to their end, or cancel them")
)

func random() string { return strings.ToLower(rand.Text()[:16]) }

// newStatement opens a session for a statement and registers it. The id is the query's if it is one.
func (s *Server) newStatement(ctx context.Context, c caller, cl client, size int64) (*statement, *access.Person, error) {
	ctx, session, p, err := s.open(ctx, c.token)
	if err != nil {
		return nil, nil, err
	}
	if err := session.Hold(size); err != nil {
		session.Close()
		return nil, nil, err
	}
	st := &statement{
		slug: random(), person: p.ID, client: cl, begun: time.Now(), session: session, done: make(chan struct{}), turn: make(chan struct{}, 1),
		last: time.Now(), token: 1,
	}
	st.ctx, st.cancel = context.WithCancelCause(ctx)
	return st, p, nil
}

// register adds a statement under an id.
func (s *Server) register(st *statement, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := 0
	var oldest *statement // of those whose last response was made
	for _, other := range s.statements {
		closed, begun := other.answered()
		switch {
		case !closed:
			open++
		case oldest == nil || begun.Before(oldest.begun):
			oldest = other
		}
	}
	if open >= maxStatements {
		return errMany
	}
	if oldest != nil && len(s.statements)-open >= maxAnswered {
		delete(s.statements, oldest.id)
	}
	st.id = id
	s.statements[id] = st
	return nil
}

// find returns the statement of a person, nil if there is none: who does not own one cannot tell it from one that does
// not exist.
func (s *Server) find(person, id, slug string) *statement {
	s.mu.Lock()
	st := s.statements[id]
	s.mu.Unlock()
	if st == nil || st.person != person || subtle.ConstantTimeCompare([]byte(st.slug), []byte(slug)) != 1 {
		return nil
	}
	return st
}

// end stores what a statement ended with.
func (st *statement) end(r *result, err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.closed && err == nil {
		err = errCanceled
	}
	if r != nil && r.rows != nil && err == nil {
		err = st.session.Hold(r.rows.size())
	}
	st.result, st.err = r, err
	if err != nil {
		st.result = nil
	}
	close(st.done)
}

// ended reports whether it has a result or an error.
func (st *statement) ended() bool {
	select {
	case <-st.done:
		return true
	default:
		return false
	}
}

// answered reports whether the last response was made, and when the statement began.
func (st *statement) answered() (closed bool, begun time.Time) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.closed, st.begun
}

// close releases what a statement holds: nothing is left of it but its last response.
func (st *statement) close() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.closed = true
	st.session.Close()
}

// touch notes a poll.
func (st *statement) touch() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.polls++
}

// leave notes the end of a poll. a client that disconnected has less time to come back.
func (st *statement) leave(disconnected bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.polls--
	st.last = time.Now()
	if disconnected && !st.ended() {
		st.last = st.last.Add(returnTime - abandonedTime)
	}
}

// forgotten reports whether nobody has polled a statement for too long.
func (st *statement) forgotten(now time.Time, idle time.Duration) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	limit := idle
	switch {
	case st.closed:
		limit = answeredTime
	case !st.ended():
		limit = abandonedTime
		if idle > 0 {
			limit = min(limit, idle)
		}
	}
	return limit > 0 && st.polls == 0 && now.Sub(st.last) > limit
}

// abort cancels a statement. Its next response reports that.
func (st *statement) abort() {
	st.cancel(errCanceled)
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.ended() {
		st.result, st.err = nil, errCanceled
	}
	st.closed, st.last = true, time.Now()
	st.session.Close()
}

// drop cancels a statement and removes it.
func (s *Server) drop(st *statement) {
	s.mu.Lock()
	delete(s.statements, st.id)
	empty := len(s.statements) == 0
	s.mu.Unlock()
	st.cancel(errCanceled)
	st.close()
	if empty {
		s.Executor.ReleaseCatalog()
	}
}

// sweep drops forgotten statements until ctx ends.
func (s *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for _, st := range s.all() {
				if st.forgotten(now, s.Idle) {
					s.drop(st)
				}
			}
		}
	}
}

func (s *Server) all() (list []*statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.statements {
		list = append(list, st)
	}
	return list
}

func (s *Server) dropAll() {
	for _, st := range s.all() {
		s.drop(st)
	}
}

// state returns the present state of a query that has not ended.
func (s *Server) state(ctx context.Context, p *access.Person, st *statement) (queryservice.Query, string) {
	q, err := s.Executor.Get(ctx, p, st.id)
	if err == nil && q.State == queryservice.Queued {
		return q, stateQueued
	}
	return q, stateRunning
}
