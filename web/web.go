// Package web is the query tool over HTTP: the pages, which are files of the program, and the API behind them.
package web

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/web/api"
)

// Assets are the pages as web/app builds them.
//
//go:embed all:dist
var assets embed.FS

// Config says what the query tool works on.
type Config struct {
	Site    *site.Site
	Dir     string // of the databases and results, made if it is missing
	Version string
	Now     func() time.Time
	Log     *slog.Logger
}

// Server is the query tool.
type Server struct {
	Config

	handler http.Handler
	closers []func() error
}

// New opens the databases and assembles the API.
func New(_ context.Context, c Config) (*Server, error) {
	s := &Server{Config: c}
	mux := http.NewServeMux()
	api.New(mux, c.Version)
	mux.Handle("GET /", pages())
	s.handler = mux
	return s, nil
}

// Handler serves pages and API.
func (s *Server) Handler() http.Handler { return s.handler }

// Close closes the databases.
func (s *Server) Close() error {
	var all []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		all = append(all, s.closers[i]())
	}
	return errors.Join(all...)
}

// Serve serves until ctx ends, then finishes the requests that were begun.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if server.Shutdown(grace) != nil {
			_ = server.Close() // who is slower than that is cut off
		}
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// pages serves the files of the pages, and the start page for the addresses that the pages give to what they show.
func pages() http.Handler {
	dist, err := fs.Sub(assets, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	files := http.FileServerFS(dist)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := fs.Stat(dist, strings.TrimPrefix(r.URL.Path, "/")); err != nil && !strings.HasPrefix(r.URL.Path, "/api/") {
			http.ServeFileFS(w, r, dist, "index.html")
			return
		}
		files.ServeHTTP(w, r)
	})
}
