package pgwire

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/listening"
)

// Config holds the parts and settings of a server.
type Config struct {
	Executor bi.Executor
	Access   *access.Store
	Tables   []*schema.Table
	TLS      *tls.Config   // nil: none
	Idle     time.Duration // how long a session may be silent; 0: for ever
	Log      *slog.Logger
}

// Server speaks PostgreSQL's protocol.
type Server struct {
	Config

	auth    bi.Sessions
	pending listening.Pending
	slots   chan struct{} // of sessions

	mu       sync.Mutex
	sessions map[uint32]*session // by what they are cancelled with
}

// New makes a server.
func New(c Config) *Server {
	if c.TLS != nil {
		c.TLS = c.TLS.Clone()
		c.TLS.NextProtos = []string{"postgresql"} // what clients from version 17 on offer
	}
	return &Server{
		Config: c, sessions: map[uint32]*session{}, slots: make(chan struct{}, maxSessions),
		auth:    bi.Sessions{Access: c.Access, Max: maxOfPerson},
		pending: listening.Pending{Max: maxPending, PerAddress: maxPending / 2},
	}
}

const (
	maxMessage  = 1 << 20 // bytes of a message: the text of a query for the most part
	maxPassword = 4 << 10
	maxSessions = 500
	maxOfPerson = 50
	maxPending  = 200                    // connections whose clients have not signed in yet
	startTime   = 10 * time.Second       // in which a client has to have signed in
	acceptAgain = 100 * time.Millisecond // after which a connection is accepted that could not be
	endTime     = 2 * time.Second        // in which a client has to take the reason why its session ends
)

// Serve serves until ctx ends; then connections are cut off, and their queries cancelled.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	var all sync.WaitGroup
	defer all.Wait()
	watched, stop := context.WithCancel(ctx)
	defer stop()
	all.Go(func() { s.auth.Watch(watched) })
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			s.Log.Error("PostgreSQL's protocol cannot accept a connection", "error", err) // for example: too many open files
			if clock.Wait(ctx, acceptAgain) != nil {
				return nil
			}
			continue
		}
		signedIn := s.pending.Add(conn) // here, in the order of arrival: later the newest could be taken for the oldest
		all.Go(func() {
			defer signedIn()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			err := panics.Try(func() error { return s.converse(ctx, conn, signedIn) })
			_ = conn.Close()
			if bad := (*panics.Error)(nil); errors.As(err, &bad) {
				s.Log.Error("a connection of PostgreSQL's protocol panicked", "error", bad, "stack", string(bad.Stack))
			}
		})
	}
}

// converse serves a connection, and calls signedIn once its client has signed in. Its errors are the client's.
func (s *Server) converse(ctx context.Context, conn net.Conn, signedIn func()) error {
	_ = conn.SetDeadline(time.Now().Add(startTime))
	raw := &timed{Conn: conn}
	c, err := s.start(ctx, raw)
	if c == nil || err != nil {
		return err
	}
	defer c.auth.Close()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return c.refuse("53300", "too many sessions: try again later")
	}
	signedIn()
	_ = conn.SetDeadline(time.Time{})
	raw.most.Store(int64(s.Idle))
	defer context.AfterFunc(c.ctx, func() {
		raw.most.Store(int64(endTime))
		_ = conn.SetWriteDeadline(time.Now().Add(endTime))
	})()
	s.register(c)
	defer s.forget(c)
	return c.loop()
}

// timed is a connection whose client has to take each write within a time.
type timed struct {
	net.Conn
	most atomic.Int64 // a time.Duration; 0: any
}

func (t *timed) Write(p []byte) (int, error) {
	if most := time.Duration(t.most.Load()); most > 0 {
		_ = t.SetWriteDeadline(time.Now().Add(most))
	}
	return t.Conn.Write(p)
}

// register gives a session the numbers by which it is cancelled.
func (s *Server) register(c *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c.id == 0 || s.sessions[c.id] != nil {
		c.id = random() >> 1 // clients show it as a process
	}
	c.key = random()
	s.sessions[c.id] = c
}

func random() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // which does not fail
	return binary.BigEndian.Uint32(b[:])
}

func (s *Server) forget(c *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, c.id)
	if len(s.sessions) == 0 {
		s.Executor.ReleaseCatalog()
	}
}

// cancel cancels the query of the session whose numbers somebody knows.
func (s *Server) cancel(r *pgproto3.CancelRequest) {
	key := make([]byte, 4)
	s.mu.Lock()
	c := s.sessions[r.ProcessID]
	if c != nil {
		binary.BigEndian.PutUint32(key, c.key)
	}
	s.mu.Unlock()
	if c != nil && subtle.ConstantTimeCompare(key, r.SecretKey) == 1 {
		c.cancel()
	}
}
