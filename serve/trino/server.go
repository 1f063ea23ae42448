package trino

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
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
	Version  string
	TLS      *tls.Config   // nil: none
	Idle     time.Duration // how long a statement waits for its client; 0: for ever
	Log      *slog.Logger
}

// Server speaks Trino's protocol.
type Server struct {
	Config

	auth    bi.Sessions
	handler http.Handler
	started time.Time

	mu         sync.Mutex
	statements map[string]*statement // by id
	running    sync.WaitGroup        // goroutines of statements
}

const (
	maxText        = 1 << 20 // bytes of a statement
	maxConnections = 500
	maxOfPerson    = 50  // statements of a person that are open
	maxStatements  = 500 // of all
	maxAnswered    = 500 // statements whose last response can be asked for again
	pollTime       = time.Second
	sweepTime      = time.Second
	// abandonedTime is how long a statement that runs may be without a poll: its client has gone.
	abandonedTime = time.Minute
	// returnTime is the same after a poll in which the client disconnected.
	returnTime = 10 * time.Second
	// answeredTime is how long the last response of a statement can be asked for again.
	answeredTime = 30 * time.Second
)

// New makes a server.
func New(c Config) *Server {
	if c.TLS != nil {
		c.TLS = c.TLS.Clone()
		c.TLS.NextProtos = []string{"http/1.1"}
	}
	s := &Server{
		Config: c, statements: map[string]*statement{}, started: time.Now(), auth: bi.Sessions{Access: c.Access, Max: maxOfPerson},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/info", s.info)
	mux.HandleFunc("GET /v1/info/state", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, "ACTIVE") })
	mux.HandleFunc("POST /v1/statement", s.authenticated(s.begin))
	for _, phase := range []string{phaseQueued, phaseExecuting} {
		path := " /v1/statement/" + phase + "/{id}/{slug}/{token}"
		mux.HandleFunc("GET"+path, s.authenticated(s.next))
		mux.HandleFunc("HEAD"+path, s.authenticated(s.alive))
		mux.HandleFunc("DELETE"+path, s.authenticated(s.cancel))
	}
	mux.HandleFunc("DELETE /v1/query/{id}", s.authenticated(s.kill))
	s.handler = mux
	return s
}

// Serve serves until ctx ends. Then connections are closed and queries cancelled.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	served, stop := context.WithCancel(ctx)
	server := listening.NewServer(s.recovered(s.handler), maxText)
	server.BaseContext = func(net.Listener) context.Context { return served }
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // errors of clients
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	var watchers sync.WaitGroup
	watchers.Go(func() { s.auth.Watch(served) })
	watchers.Go(func() { s.sweep(served) })
	bound := listening.Bound(l, maxConnections, listening.WriteTime)
	if s.TLS != nil {
		bound = tls.NewListener(bound, s.TLS)
	}
	err := server.Serve(bound)
	stop()
	watchers.Wait()
	s.dropAll()
	s.running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// recovered turns a panic of a request into a response.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := panics.Try(func() error {
			next.ServeHTTP(w, r)
			return nil
		})
		if bad := (*panics.Error)(nil); errors.As(err, &bad) {
			s.Log.Error("a request of Trino's protocol panicked", "error", bad, "stack", string(bad.Stack))
			http.Error(w, "the request could not be answered; the log of the server says why", http.StatusInternalServerError)
		}
	})
}

// version returns the version that clients see: the release of Trino whose answers the queries have, and the program's.
func (s *Server) version() string { return trinoRelease + "-pingmill-" + s.Version }

// trinoRelease is the release whose functions and types package presto has.
const trinoRelease = "435"

func (s *Server) info(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"nodeVersion": map[string]string{"version": s.version()}, "environment": "pingmill", "coordinator": true, "starting": false,
		"uptime": time.Since(s.started).Round(time.Second).String(),
	})
}
