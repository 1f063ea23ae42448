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

// Executor is bi.Executor.
type Executor interface {
	Schema(ctx context.Context, p *access.Person, q bi.Request) (*arrow.Schema, error)
	Run(ctx context.Context, p *access.Person, q bi.Request) (*bi.Result, error)
}

// Config says what the server works on.
type Config struct {
	Executor Executor
	Access   *access.Store
	Tables   []*schema.Table
	Version  string
	TLS      *tls.Config // nil: none
	Log      *slog.Logger
}

// Server is a Flight SQL server.
type Server struct {
	Config
	grpc  *grpc.Server
	doors *doors
}

const (
	maxMessage     = 1 << 20 // bytes of a request: the text of a query for the most part
	maxStreams     = 50      // of one connection at once
	maxOfPerson    = 50      // calls of a person at once, and connections
	maxConnections = 500
	maxPending     = 200              // connections on which nobody has authenticated yet
	pendingTime    = 10 * time.Second // in which somebody has to
	idleTime       = 30 * time.Minute // after which a connection without calls is closed
)

// New makes a server.
func New(c Config) (*Server, error) {
	d := newDoors(c)
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxConcurrentStreams(maxStreams), grpc.ConnectionTimeout(10 * time.Second),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: idleTime, Time: time.Minute, Timeout: 20 * time.Second}), // finds readers that are gone
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
		grpc.MaxHeaderListSize(64 << 10), grpc.ChainUnaryInterceptor(d.unary), grpc.ChainStreamInterceptor(d.stream),
	}
	if c.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(c.TLS)))
	}
	s := &Server{Config: c, grpc: grpc.NewServer(options...), doors: d}
	service := &service{Config: c, running: map[runningKey]context.CancelFunc{}}
	service.Alloc = memory.DefaultAllocator
	if err := service.registerInfo(); err != nil {
		return nil, err
	}
	flight.RegisterFlightServiceServer(s.grpc, &handshaking{FlightServer: flightsql.NewFlightServer(service)})
	return s, nil
}

// Serve serves until ctx ends; then calls that run are cut off, and their queries cancelled.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, s.grpc.Stop)()
	watched, stop := context.WithCancel(ctx)
	defer stop()
	go s.doors.sessions.Watch(watched)
	if err := s.grpc.Serve(&listener{l, s.doors}); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// service answers the commands of Flight SQL.
type service struct {
	flightsql.BaseServer
	Config

	mu      sync.Mutex
	running map[runningKey]context.CancelFunc
}
