package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/ingestion"
	"github.com/pingmill/pingmill/serve/web/library"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
)

// openIngestion opens the part that counts arrivals.
func (s *Server) openIngestion(ctx context.Context, a huma.API) error {
	o := s.Ingestion
	o.Archive, o.Tables, o.Forgotten, o.Dir = s.Site.Archive, s.Site.Tables, s.Site.Forgotten, s.Dir
	o.Now, o.Wait, o.Log = s.Now, s.Wait, s.Log
	counts, err := ingestion.Open(ctx, o)
	if err != nil {
		return err
	}
	counts.Register(a)
	s.empty = counts.Empty
	s.closers, s.parts = append(s.closers, counts.Close), append(s.parts, counts.Run)
	return nil
}

// openLibrary opens dashboards, and adds the operations of what people save.
func (s *Server) openLibrary(ctx context.Context, a huma.API) error {
	c := library.Config{Store: s.Saved, Name: s.nameOf, Sender: s.openSchedules(), Adopt: s.adopt, Share: s.share}
	if err := c.OpenDashboards(ctx, s.place(), s.Now, s.Site.Tables); err != nil {
		return err
	}
	s.closers = append(s.closers, c.Dashboards.Close)
	if s.Settings.Dashboards != "" {
		s.parts = append(s.parts, c.OpenFolder(s.Settings.Dashboards, s.Access, s.Log, s.Wait))
	}
	c.Routes(a)
	return nil
}

// queryTable returns a saved query that the person may see, for queries that read it as a table.
func (s *Server) queryTable(ctx context.Context, p *access.Person, id string) (*queryservice.SavedQuery, error) {
	q, err := s.Saved.Get(ctx, p, id)
	if errors.Is(err, saved.ErrNotFound) {
		return nil, queryservice.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &queryservice.SavedQuery{Title: q.Title, Owner: q.Owner, SQL: q.SQL, Dialect: q.Dialect, Parameters: q.Parameters}, nil
}
