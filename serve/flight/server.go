package flight

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/bi"
)

// Executor runs queries; bi.Executor implements it.
type Executor interface {
	Schema(ctx context.Context, p *access.Person, q bi.Request) (*arrow.Schema, error)
	Run(ctx context.Context, p *access.Person, q bi.Request) (*bi.Result, error)
}

// Config holds the dependencies of the server.
type Config struct {
	Executor Executor
	Access   *access.Store
	Tables   []*schema.Table
	Version  string
	TLS      *tls.Config // nil: no TLS
	Log      *slog.Logger
}

// Server is a Flight SQL server.
type Server struct {
	Config
	grpc        *grpc.Server
	connections *connections
}

const (
	maxMessage     = 1 << 20 // bytes of a request, mostly the query text
	maxStreams     = 50      // concurrent streams of a connection
	maxOfPerson    = 50      // concurrent calls of a person, and connections
	maxConnections = 500
	maxPending     = 200              // connections before authentication
	pendingTime    = 10 * time.Second // deadline for the first authentication
	idleTime       = 30 * time.Minute // a connection without calls is closed after it
)

// New returns a server that does not listen yet.
func New(c Config) (*Server, error) {
	d := newConnections(c)
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxConcurrentStreams(maxStreams), grpc.ConnectionTimeout(10 * time.Second),
		// finds readers that have disconnected
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: idleTime, Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
		grpc.MaxHeaderListSize(64 << 10), grpc.InTapHandle(d.admit), grpc.ChainUnaryInterceptor(d.unary), grpc.ChainStreamInterceptor(d.stream),
	}
	if c.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(c.TLS)))
	}
	s := &Server{Config: c, grpc: grpc.NewServer(options...), connections: d}
	service := &service{Config: c, running: map[runningKey]context.CancelFunc{}}
	service.Alloc = memory.DefaultAllocator
	if err := service.registerInfo(); err != nil {
		return nil, err
	}
	flight.RegisterFlightServiceServer(s.grpc, &handshaking{FlightServer: flightsql.NewFlightServer(service)})
	return s, nil
}

// Serve serves until ctx ends. Then it aborts the running calls and cancels their queries.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, s.grpc.Stop)()
	watched, stop := context.WithCancel(ctx)
	defer stop()
	go s.connections.sessions.Watch(watched)
	if err := s.grpc.Serve(&listener{l, s.connections}); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// service implements the commands of Flight SQL.
type service struct {
	flightsql.BaseServer
	Config

	mu      sync.Mutex
	running map[runningKey]context.CancelFunc
}
