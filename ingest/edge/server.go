package edge

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/pingmill/pingmill/serve/listening"
)

// Server is the HTTP edge.
type Server struct {
	cfg      Config
	http     *http.Server
	tls      *tls.Config // nil: plain
	version  *response
	conns    conns
	receiver receiver
	pool     sync.Pool // *submission

	responses [600]atomic.Int64 // by status
	bytes     atomic.Int64
	active    atomic.Int64 // requests being handled
	draining  atomic.Bool
	drained   chan struct{} // receives when draining and no request is active
	failures  failures

	namespaces *namespaces
	recent     recent

	life context.Context // context of appends; it ends when connections are cut
	end  context.CancelFunc
	done chan struct{} // closed when Shutdown has finished
	once sync.Once
}

// New creates an edge. It returns an error for an invalid configuration or unusable certificate files.
func New(c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if limit, ok := fileLimit(); ok && limit-spareFiles < int64(c.MaxConnections) {
		if limit <= spareFiles {
			return nil, fmt.Errorf("configure edge: the process may open %d files, more than %d are needed", limit, spareFiles)
		}
		c.Log.Info("fewer connections: the limit of open files is lower", "wanted", c.MaxConnections, "connections", limit-spareFiles)
		c.MaxConnections = int(limit - spareFiles)
	}
	s := &Server{cfg: c, drained: make(chan struct{}, 1), done: make(chan struct{})}
	if c.CertFile != "" {
		cert, err := listening.NewCertificate(c.CertFile, c.KeyFile, c.Now, c.Log)
		if err != nil {
			return nil, fmt.Errorf("configure edge: %w", err)
		}
		s.tls = cert.TLS()
	}
	version, err := json.Marshal(c.Version)
	if err != nil {
		return nil, fmt.Errorf("configure edge: write the version: %w", err)
	}
	s.namespaces = newNamespaces(c.Namespaces, c.Log)
	s.version = newResponse(http.StatusOK, string(version)+"\n")
	s.conns.init(c.MaxConnections)
	s.receiver.maxBody, s.receiver.maxInFlight = c.MaxBody, c.MaxInFlight
	s.pool.New = func() any { return new(submission) }
	s.life, s.end = context.WithCancel(context.Background())
	s.http = s.newHTTP()
	return s, nil
}

// AwaitApplications means that more applications may be accepted which are not known yet: until Learn adds them, other
// namespaces get 503 and not 404, after which a client would delete its submission.
func (s *Server) AwaitApplications() { s.namespaces.learn(nil, true) }

// Learn adds the remaining accepted namespaces, see AwaitApplications.
func (s *Server) Learn(applications []string) { s.namespaces.learn(applications, false) }

func (s *Server) newHTTP() *http.Server {
	c := &s.cfg
	var p http.Protocols
	p.SetHTTP1(true)
	// Guarded connections are not TLS to net/http, whatever is below: HTTP/2 is
	// recognised by its preface on all of them.
	p.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:                      http.HandlerFunc(s.serve),
		Protocols:                    &p,
		HTTP2:                        &http.HTTP2Config{MaxConcurrentStreams: 100},
		ReadHeaderTimeout:            c.ReadHeaderTimeout,
		ReadTimeout:                  c.ReadTimeout,
		WriteTimeout:                 c.WriteTimeout,
		IdleTimeout:                  c.IdleTimeout,
		MaxHeaderBytes:               c.MaxHeaderBytes,
		ConnState:                    s.conns.follow,
		ErrorLog:                     slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		DisableGeneralOptionsHandler: true,
	}
}

// Handler returns a handler without the parts that Serve adds: the bound on connections, the framing checks,
// and TLS.
func (s *Server) Handler() http.Handler { return s.http.Handler }

// Serve accepts connections from l and closes l. It returns nil after Shutdown has finished. If ctx ends it
// cuts all connections and returns the cause of ctx.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, s.cut)
	defer stop()
	err := s.http.Serve(&listener{Listener: l, server: s})
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Shutdown stops the edge: new requests get 503 while accepted ones finish, then listeners and connections are
// closed. If ctx ends first the connections are cut; then submissions without a response may or may not be in
// the spool.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
	s.conns.closeIdle()
	var err error
	for s.active.Load() > 0 && err == nil {
		select {
		case <-s.drained:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err == nil {
		s.conns.closeIdle()
		err = s.http.Shutdown(ctx)
	}
	s.cut()
	s.once.Do(func() { close(s.done) })
	if err != nil {
		return fmt.Errorf("shut the edge down: %w", err)
	}
	return nil
}

// cut closes all connections at once.
func (s *Server) cut() {
	s.draining.Store(true)
	s.end()
	_ = s.http.Close()
}

func (s *Server) closed() bool { return s.life.Err() != nil }

// begin counts a new request, unless the edge is draining.
func (s *Server) begin() bool {
	s.active.Add(1)
	if s.draining.Load() {
		s.finish()
		return false
	}
	return true
}

func (s *Server) finish() {
	if s.active.Add(-1) == 0 && s.draining.Load() {
		select {
		case s.drained <- struct{}{}:
		default:
		}
	}
}
