package pgwire

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/bi"
	"github.com/pingmill/pingmill/panics"
	"github.com/pingmill/pingmill/query/queue"
	"github.com/pingmill/pingmill/schema"
)

// Config says what the server works on.
type Config struct {
	Desk   bi.Desk
	Access *access.Store
	Tables []*schema.Table
	Temp   string      // of the processes of questions about the catalog
	TLS    *tls.Config // nil: none
	Log    *slog.Logger
}

// Server speaks PostgreSQL's protocol.
type Server struct {
	Config

	runner *ask.Runner // of questions about the catalog

	mu       sync.Mutex
	sessions map[uint32]*session // by what they are cancelled with
}

// New makes a server.
func New(c Config) *Server {
	return &Server{Config: c, sessions: map[uint32]*session{}, runner: &ask.Runner{
		Temp: c.Temp, Log: c.Log, Threads: systemThreads, Memory: systemMemory, Queue: queue.New(queue.Options{Slots: systemSlots, PerPerson: 1}),
	}}
}

const (
	mostMessage     = 4 << 20 // bytes of a message: the text of a query for the most part
	mostConnections = 500
	startTime       = 20 * time.Second // in which a client has to have signed in
)

// Serve serves until ctx ends; then connections are cut off, and their queries cancelled.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	var all sync.WaitGroup
	defer all.Wait()
	slots := make(chan struct{}, mostConnections)
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		select {
		case slots <- struct{}{}:
		default:
			_ = conn.Close()
			continue
		}
		all.Go(func() {
			defer func() { <-slots }()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			err := panics.Try(func() error { return s.converse(ctx, conn) })
			_ = conn.Close()
			if bad := (*panics.Error)(nil); errors.As(err, &bad) {
				s.Log.Error("a connection of PostgreSQL's protocol panicked", "error", bad, "stack", string(bad.Stack))
			}
		})
	}
}

// converse is the whole of a connection. Its errors are the client's.
func (s *Server) converse(ctx context.Context, conn net.Conn) error {
	_ = conn.SetDeadline(time.Now().Add(startTime))
	c, err := s.start(ctx, conn)
	if c == nil || err != nil {
		return err
	}
	_ = c.conn.SetDeadline(time.Time{})
	s.register(c)
	defer s.forget(c)
	return c.loop(ctx)
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
		s.runner.Close() // the process that waits for the next question
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
	if c != nil && string(key) == string(r.SecretKey) {
		c.cancel()
	}
}
