// Package programs starts the listeners of the protocols by which programs ask: Arrow Flight SQL, PostgreSQL's protocol
// and Trino's.
package programs

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/flight"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/serve/pgwire"
	"github.com/pingmill/pingmill/serve/trino"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// Protocols lists the protocols in metrics.
var Protocols = []string{flightProtocol, postgresProtocol, trinoProtocol}

const (
	flightProtocol   = "flight"
	postgresProtocol = "postgres"
	trinoProtocol    = "trino"
)

// Settings holds the addresses of the listeners, "" for those that are off, and how long their clients may be silent.
type Settings struct {
	Flight, Postgres, Trino string
	PostgresIdle, TrinoIdle time.Duration // 0: for ever
}

// Config holds what the listeners have in common.
type Config struct {
	Settings
	QueryService      *queryservice.Service
	Access            *access.Store
	Tables            []*schema.Table
	Version           string
	CertFile, KeyFile string                                          // PEM files; "": no TLS
	QueryEnded        func(protocol string, state queryservice.State) // called when a query has ended; may be nil
	Now               func() time.Time
	Log               *slog.Logger
	// Listen opens a listener, and has it served while the process serves.
	Listen func(ctx context.Context, what, address string, serve func(context.Context, net.Listener) error) error
}

// executorOf returns the executor for a protocol.
func (c *Config) executorOf(protocol string) bi.Executor {
	d := bi.Executor{Service: c.QueryService}
	if c.QueryEnded != nil {
		d.OnEnd = func(state queryservice.State) { c.QueryEnded(protocol, state) }
	}
	return d
}

// Open opens the listeners that have an address.
func (c *Config) Open(ctx context.Context) error {
	var config *tls.Config
	if c.CertFile != "" {
		cert, err := listening.NewCertificate(c.CertFile, c.KeyFile, c.Now, c.Log)
		if err != nil {
			return err
		}
		config = cert.TLS()
	}
	if c.Flight != "" {
		server, err := flight.New(flight.Config{
			Executor: c.executorOf(flightProtocol), Access: c.Access, Tables: c.Tables, Version: c.Version, TLS: config, Log: c.Log,
		})
		if err != nil {
			return err
		}
		if err := c.Listen(ctx, "Arrow Flight SQL", c.Flight, server.Serve); err != nil {
			return err
		}
	}
	if c.Postgres != "" {
		server := pgwire.New(pgwire.Config{Executor: c.executorOf(postgresProtocol), Access: c.Access, Tables: c.Tables, TLS: config,
			Idle: c.PostgresIdle, Log: c.Log})
		if err := c.Listen(ctx, "PostgreSQL's protocol", c.Postgres, server.Serve); err != nil {
			return err
		}
	}
	if c.Trino == "" {
		return nil
	}
	server := trino.New(trino.Config{
		Executor: c.executorOf(trinoProtocol), Access: c.Access, Tables: c.Tables, Version: c.Version, TLS: config, Idle: c.TrinoIdle, Log: c.Log,
	})
	return c.Listen(ctx, "Trino's protocol", c.Trino, server.Serve)
}
