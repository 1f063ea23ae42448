package bi

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
)

// Sessions authenticates the clients of a protocol: when a session begins, at each statement, and once a second, so
// that a session ends soon after its token becomes invalid. It limits the sessions of a person and the memory of all
// of them. It is safe for concurrent use.
type Sessions struct {
	Access *access.Store
	Max    int // sessions of a person at once

	mu    sync.Mutex
	open  map[*Session]struct{}
	count map[string]int   // sessions by person
	held  map[string]int64 // bytes by person
}

// Session is a session that a token opened.
type Session struct {
	sessions *Sessions
	token    string
	person   string
	end      context.CancelCauseFunc
	held     int64
}

// Errors of sessions.
var (
	// ErrEnded means that the token is not valid any more: it was deleted or has expired, or its account is disabled.
	ErrEnded = errors.New("the token is not valid any more")
	// ErrScope means that the token lacks the scope for queries.
	ErrScope = errors.New("the token is not one to ask with: it lacks the scope " + string(access.QueryScope))
	// ErrSessions means that a person has the maximum number of sessions.
	ErrSessions = errors.New("too many sessions of one person: close some")
	// ErrMemory means that a person's open results and prepared statements take the maximum of memory.
	ErrMemory = errors.New("too much memory for open results and prepared statements of one person: close some")
)

const (
	checkInterval = time.Second
	maxHeld       = 256 << 20 // bytes of all sessions of a person
)

// Open opens a session. Its context ends with the cause ErrEnded when the token becomes invalid. Open returns
// access.ErrUnknown if the token is invalid now, ErrScope or ErrSessions.
func (s *Sessions) Open(ctx context.Context, token string) (context.Context, *Session, *access.Person, error) {
	p, err := s.authenticate(ctx, token, s.Access.Authenticate)
	if err != nil {
		return nil, nil, nil, err
	}
	c := &Session{sessions: s, token: token, person: p.ID}
	ctx, c.end = context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open, s.count, s.held = map[*Session]struct{}{}, map[string]int{}, map[string]int64{}
	}
	if s.count[p.ID] >= s.Max {
		c.end(ErrSessions)
		return nil, nil, nil, ErrSessions
	}
	s.open[c] = struct{}{}
	s.count[p.ID]++
	return ctx, c, p, nil
}

func (s *Sessions) authenticate(ctx context.Context, token string,
	by func(context.Context, string) (*access.Person, error)) (*access.Person, error) {
	p, err := by(ctx, token)
	if err == nil && !p.Allows(access.QueryScope) {
		return nil, ErrScope
	}
	return p, err
}

// Authenticate returns the person of a token for one request. It returns access.ErrUnknown or ErrScope, as Open does.
func (s *Sessions) Authenticate(ctx context.Context, token string) (*access.Person, error) {
	return s.authenticate(ctx, token, s.Access.Authenticate)
}

// Person returns the session's person with current rights, or ErrEnded if the token is not valid any more.
func (c *Session) Person(ctx context.Context) (*access.Person, error) {
	p, err := c.sessions.authenticate(ctx, c.token, c.sessions.Access.Authenticate)
	if errors.Is(err, access.ErrUnknown) || errors.Is(err, ErrScope) {
		c.end(ErrEnded)
		return nil, ErrEnded
	}
	return p, err
}

// Hold reserves memory in bytes for the session; a negative number releases it. It returns ErrMemory above the limit. After
// Close, which releases all, it reserves nothing and returns ErrEnded.
func (c *Session) Hold(bytes int64) error {
	s := c.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.open[c]; !open {
		return ErrEnded
	}
	if bytes > 0 && s.held[c.person]+bytes > maxHeld {
		return ErrMemory
	}
	c.held += bytes
	s.held[c.person] += bytes
	return nil
}

// Close ends the session and releases its memory.
func (c *Session) Close() {
	s := c.sessions
	c.end(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[c.person] -= c.held; s.held[c.person] <= 0 {
		delete(s.held, c.person)
	}
	c.held = 0
	if _, open := s.open[c]; !open {
		return
	}
	delete(s.open, c)
	if s.count[c.person]--; s.count[c.person] == 0 {
		delete(s.count, c.person)
	}
}

// Watch ends sessions whose tokens became invalid, until ctx ends. It polls, because other processes may change
// accounts without a notification.
func (s *Sessions) Watch(ctx context.Context) {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for token := range s.tokens() {
			_, err := s.authenticate(ctx, token, s.Access.Check)
			if errors.Is(err, access.ErrUnknown) || errors.Is(err, ErrScope) {
				s.endAll(token)
			}
		}
	}
}

// tokens returns the tokens of the open sessions without duplicates.
func (s *Sessions) tokens() map[string]struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]struct{}{}
	for c := range s.open {
		all[c.token] = struct{}{}
	}
	return all
}

func (s *Sessions) endAll(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		if c.token == token {
			c.end(ErrEnded)
		}
	}
}
