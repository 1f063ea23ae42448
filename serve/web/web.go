// Package web serves the query tool over HTTP: the pages, which are embedded in the program, and the API.
package web

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/serve/web/ingestion"
	"github.com/pingmill/pingmill/serve/web/jobs"
	"github.com/pingmill/pingmill/serve/web/people"
	"github.com/pingmill/pingmill/serve/web/quality"
	"github.com/pingmill/pingmill/serve/web/queries"
	"github.com/pingmill/pingmill/serve/web/session"
	"github.com/pingmill/pingmill/serve/web/tables"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/sql/saved/examples"
)

// assets holds the pages, built by serve/web/app.
//
//go:embed all:dist
var assets embed.FS

// Config holds the dependencies and settings of the query tool.
type Config struct {
	Site     *site.Site
	Dir      string // folder of databases and results, created if it is missing
	URL      string // public URL
	Settings Settings
	Tried    func(how access.How, in bool) // called after attempts to sign in; may be nil
	Version  string
	clock.Clock
	Log        *slog.Logger
	Alerts     alert.Config                                    // targets of alerts
	Count      saved.Counter                                   // counts runs of schedules; may be nil
	Jobs       jobs.Options                                    // settings of runs started here; open fills in the rest
	Ingestion  ingestion.Options                               // settings of ingestion; open fills in the rest
	QueryEnded func(protocol string, state queryservice.State) // called when a query over another protocol ends; may be nil
	Queries    queryservice.Options                            // limits for the queries of everybody
}

// Server is the query tool.
type Server struct {
	Config

	Access       *access.Store
	Saved        *saved.Store
	QueryService *queryservice.Service

	Schedules *saved.Scheduler

	handler http.Handler
	empty   func() bool                   // no ping has arrived yet
	parts   []func(context.Context) error // they run while it serves
	closers []func() error
}

// New opens the databases and assembles the API.
func New(ctx context.Context, c Config) (*Server, error) {
	s := &Server{Config: c}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) open(ctx context.Context) (err error) {
	base, grants, provider, err := s.settings()
	if err != nil {
		return &SettingError{err}
	}
	if s.Access, err = access.Open(ctx, s.place(), s.Now); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Access.Close)
	s.Access.SignsInBy(s.Settings.OIDC.Issuer)
	if s.Saved, err = saved.Open(ctx, s.place(), s.Now, s.Site.Tables, examples.Saved(s.Site.Tables)); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Saved.Close)
	s.QueryService, err = queryservice.Open(ctx, queryservice.Config{
		Options: s.Queries, Site: s.Site, Place: s.place(), Temp: s.Site.ReadTemp(), Audit: s.Access, People: s.Access, Now: s.Now, Log: s.Log,
		SavedQuery: s.queryTable,
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.QueryService.Close)
	auth, err := s.authenticator(ctx, base, grants, provider)
	if err != nil {
		return err
	}
	dist, err := fs.Sub(assets, "dist")
	if err != nil {
		return err
	}
	pages, err := newPages(dist)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	a := api.New(mux, s.Version)
	auth.Routes(a)
	auth.Pages(mux)
	root, err := filepath.Abs(filepath.Dir(s.Dir)) // other engines have another working directory
	if err != nil {
		return err
	}
	tables.Register(a, tables.Options{Site: s.Site, QueryService: s.QueryService, Root: root, Now: s.Now})
	o := s.Jobs
	o.Site, o.Code, o.Now, o.Wait, o.Log = s.Site, s.Version, s.Now, s.Wait, s.Log
	runs := jobs.New(o)
	runs.Register(a)
	s.parts = append(s.parts, runs.Run)
	quality.Register(a, quality.Options{Site: s.Site, Now: s.Now})
	people.Config{Store: s.Access, Tables: s.Site.Tables, URL: s.URL, Grants: grants, Now: s.Now}.Routes(a)
	if err := s.openIngestion(ctx, a); err != nil {
		return err
	}
	if err := s.openLibrary(ctx, a); err != nil {
		return err
	}
	queries.Config{QueryService: s.QueryService, Tables: s.Site.Tables, Saved: s.savedQuery}.Routes(a)
	if err := s.openPrograms(ctx); err != nil {
		return err
	}
	mux.Handle("GET /", pages)
	s.handler = listening.GuardHosts([]string{base.Host, s.Settings.Listen}, "web.url", auth.Middleware(mux))
	return s.first(ctx)
}

// place returns the place of the databases that several servers can share.
func (s *Server) place() access.Place { return access.Place{Dir: s.Dir, URL: s.Settings.Database} }

// authenticator creates the middleware that signs people in, also by the provider of accounts if one is
// configured.
func (s *Server) authenticator(ctx context.Context, base *url.URL, grants []access.Grant, provider *oidc.Config) (*session.Authenticator,
	error) {
	c := session.Config{Store: s.Access, URL: base, Proxies: s.Settings.Proxies, OnAttempt: s.Tried,
		Version: s.Version, Docs: s.Settings.docs(), Now: s.Now, Log: s.Log,
		Empty: func() bool { return s.empty() }}
	if provider != nil {
		provider.Grants, provider.Now, provider.Log = grants, s.Now, s.Log
		c.OIDC = oidc.New(ctx, *provider)
	}
	return session.New(c)
}

// first logs a one-time link if no administrator can sign in.
func (s *Server) first(ctx context.Context) error {
	token, err := s.Access.First(ctx)
	if err != nil {
		return err
	}
	if token != "" {
		s.Log.Info("nobody administers the query tool yet: open this address once to sign in as its administrator", "link",
			s.URL+access.LinkPath(token), "valid", access.LinkTime)
		return nil
	}
	unused, err := s.Access.Unused(ctx)
	if unused {
		s.Log.Info("nobody has signed in to the query tool yet: open the link of an earlier start, or make another", "web", s.URL,
			"command", "pingmill user link "+access.FirstName+" --data "+filepath.Dir(s.Dir))
	}
	return err
}

// adopt makes a person's query one of a saved query.
func (s *Server) adopt(ctx context.Context, p *access.Person, id, saved, sql string) error {
	return queryservice.Adopt(ctx, s.QueryService, p, id, saved, sql)
}

// share returns the newest run of a saved query that people with the same rights share.
func (s *Server) share(ctx context.Context, p *access.Person, q queryservice.Request, age time.Duration) (queryservice.Shared, error) {
	return queryservice.Share(ctx, s.QueryService, p, q, age)
}

// savedQuery returns a saved query that a person may see.
func (s *Server) savedQuery(ctx context.Context, p *access.Person, id string) (*saved.Query, error) {
	q, err := s.Saved.Get(ctx, p, id)
	if errors.Is(err, saved.ErrNotFound) {
		return nil, huma.Error404NotFound(err.Error())
	}
	return q, err
}

// nameOf returns the name of an account, "" if it does not exist any more.
func (s *Server) nameOf(ctx context.Context, id string) (string, error) {
	a, err := s.Access.Account(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return a.Name, nil
}

// Handler returns the handler of pages and API.
func (s *Server) Handler() http.Handler { return s.handler }

// Close closes the databases.
func (s *Server) Close() error {
	var all []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		all = append(all, s.closers[i]())
	}
	return errors.Join(all...)
}

// Serve serves until ctx ends or a part fails. Then it finishes the running requests for at most five seconds.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.Access.SetAddress(s.URL); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, part := range s.parts {
		g.Go(func() error { return panics.Try(func() error { return part(ctx) }) })
	}
	g.Go(func() error { return s.serve(ctx, l) })
	return g.Wait()
}

// maxBody is the maximum size of a request body in bytes.
const maxBody = 4 << 20

func (s *Server) serve(ctx context.Context, l net.Listener) error {
	server := listening.NewServer(s.handler, maxBody)
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if server.Shutdown(grace) != nil {
			_ = server.Close() // aborts the requests that are still running
		}
	})
	err := s.accept(server, listening.Bound(l, listening.MaxConnections, listening.WriteTime))
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) accept(server *http.Server, l net.Listener) error {
	if s.Settings.CertFile == "" {
		return server.Serve(l)
	}
	cert, err := listening.NewCertificate(s.Settings.CertFile, s.Settings.KeyFile, s.Now, s.Log)
	if err != nil {
		return err
	}
	server.TLSConfig = cert.TLS()
	return server.ServeTLS(l, "", "")
}
