package web

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/flight"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/serve/pgwire"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// Protocols lists the protocols other than HTTP.
var Protocols = []string{flightProtocol, postgresProtocol}

const (
	flightProtocol   = "flight"
	postgresProtocol = "postgres"
)

// executorOf returns the executor for a protocol.
func (s *Server) executorOf(protocol string) bi.Executor {
	d := bi.Executor{Service: s.QueryService}
	if s.QueryEnded != nil {
		d.OnEnd = func(state queryservice.State) { s.QueryEnded(protocol, state) }
	}
	return d
}

// openPrograms starts the configured listeners of other protocols.
func (s *Server) openPrograms(ctx context.Context) error {
	var config *tls.Config
	if s.Settings.CertFile != "" {
		cert, err := listening.NewCertificate(s.Settings.CertFile, s.Settings.KeyFile, s.Now, s.Log)
		if err != nil {
			return err
		}
		config = cert.TLS()
	}
	if s.Settings.Flight != "" {
		server, err := flight.New(flight.Config{
			Executor: s.executorOf(flightProtocol), Access: s.Access, Tables: s.Site.Tables, Version: s.Version, TLS: config, Log: s.Log,
		})
		if err != nil {
			return err
		}
		if err := s.listen(ctx, "Arrow Flight SQL", s.Settings.Flight, server.Serve); err != nil {
			return err
		}
	}
	if s.Settings.Postgres == "" {
		return nil
	}
	server := pgwire.New(pgwire.Config{Executor: s.executorOf(postgresProtocol), Access: s.Access, Tables: s.Site.Tables, TLS: config,
		Idle: s.Settings.PostgresIdle, Log: s.Log})
	return s.listen(ctx, "PostgreSQL's protocol", s.Settings.Postgres, server.Serve)
}

// listen opens a listener now and serves it from Serve on.
func (s *Server) listen(ctx context.Context, what, address string, serve func(context.Context, net.Listener) error) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return &SettingError{fmt.Errorf("listen for %s: %w", what, err)}
	}
	s.closers = append(s.closers, func() error {
		_ = l.Close() // serve closes it, too
		return nil
	})
	s.parts = append(s.parts, func(ctx context.Context) error {
		s.Log.Info("serving "+what, "address", l.Addr().String())
		return serve(ctx, l)
	})
	return nil
}
