package web

import (
	"context"
	"fmt"
	"net"

	"github.com/pingmill/pingmill/serve/programs"
)

// Protocols lists the protocols other than HTTP.
var Protocols = programs.Protocols

// openPrograms starts the configured listeners of other protocols.
func (s *Server) openPrograms(ctx context.Context) error {
	c := programs.Config{
		Settings: s.Settings.Settings, QueryService: s.QueryService, Access: s.Access, Tables: s.Site.Tables, Version: s.Version,
		CertFile: s.Settings.CertFile, KeyFile: s.Settings.KeyFile, QueryEnded: s.QueryEnded, Now: s.Now, Log: s.Log, Listen: s.listen,
	}
	return c.Open(ctx)
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
