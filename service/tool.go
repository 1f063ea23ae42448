package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/serve/web/ingestion"
	"github.com/pingmill/pingmill/serve/web/jobs"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// toolAgain is the delay before the query tool is opened again after a failure.
const toolAgain = time.Minute

// trouble holds the error that stopped the query tool, nil while it works. It is safe for concurrent use.
type trouble struct {
	mu  sync.Mutex
	err error
}

func (t *trouble) set(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
}

func (t *trouble) get() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// openTool opens the query tool. A problem with its files, such as a damaged account database, does not prevent the
// other parts from accepting submissions.
func (s *Service) openTool(ctx context.Context) error {
	if !s.has(PartWeb) {
		return nil
	}
	if s.site() == nil { // join opens it
		_ = s.pages.Close() // so that people are refused, and do not wait
		s.trouble.set(s.away.get())
		return nil
	}
	err := s.makeTool(ctx)
	var setting *web.SettingError
	switch {
	case errors.As(err, &setting):
		return &SetupError{err}
	case err != nil && s.goesOn():
		s.toolFailed(err)
		return nil
	}
	return err
}

// goesOn reports whether the process goes on without the query tool and opens it again later: it has other parts, or a server of
// databases that may come back.
func (s *Service) goesOn() bool { return len(s.Parts) > 1 || s.Web.Database != "" }

func (s *Service) makeTool(ctx context.Context) (err error) {
	arrivals := ingestion.Options{Spool: s.spoolDir(), Arrivals: s.arrivals, Address: s.Web.Edge("", false, s.pages.Addr().String()),
		Live: s.Decode.Live.Select(s.site().Tables)}
	if arrivals.Data, err = filepath.Abs(s.Data); err != nil { // of commands, which have another working directory
		return err
	}
	if s.server != nil {
		arrivals.Edge, arrivals.Tagged = s.server.Stats, s.server.Tagged
		arrivals.Address = s.Web.Edge(s.public.Addr().String(), s.Edge.CertFile != "", s.pages.Addr().String())
	}
	s.tool, err = web.New(ctx, web.Config{
		Site: s.site(), Dir: filepath.Join(s.Data, "web"), URL: s.Web.Base(s.pages.Addr().String()), Settings: s.Web, Alerts: s.Alerts,
		Count: scheduleCounts{s}, Queries: s.Queries, Version: s.Program, Clock: s.Clock, Log: s.Log,
		QueryEnded: func(protocol string, state queryservice.State) { s.counted.QueryEnded(protocol, state) },
		Tried:      func(how access.How, in bool) { s.counted.SignedIn(how, in) },
		Jobs: jobs.Options{Spool: s.spoolDir(), Workers: s.Decode.Workers, Checks: s.checks,
			Progress: func(e job.Event) { s.counted.Progress(e) }},
		Ingestion: arrivals,
	})
	return err
}

// toolFailed logs that the query tool stopped, and releases its resources.
func (s *Service) toolFailed(err error) {
	s.Log.Error("the query tool does not work, all else does; it is opened again in a minute", "err", err)
	_ = s.pages.Close() // serving may have done so
	if s.tool != nil {
		if err := s.tool.Close(); err != nil {
			s.Log.Error("close the query tool", "err", err)
		}
		s.tool = nil
	}
	s.trouble.set(err)
}

// serveTool serves the query tool until ctx ends. It opens the tool again after a failure, unless it is the process's
// only part. openNow opens it for the first time.
func (s *Service) serveTool(ctx context.Context, openNow bool) error {
	for ; ; openNow = false {
		if s.tool != nil {
			err := s.tool.Serve(ctx, s.pages)
			if ctx.Err() != nil || !s.goesOn() {
				return err
			}
			s.toolFailed(fmt.Errorf("it ended: %w", err))
		}
		if !openNow && s.Clock.Wait(ctx, toolAgain) != nil {
			return nil
		}
		if err := s.openToolAgain(ctx); err != nil {
			s.toolFailed(err)
			continue
		}
		s.Log.Info("the query tool works again", "web", s.pages.Addr().String())
		s.trouble.set(nil)
	}
}

func (s *Service) openToolAgain(ctx context.Context) error {
	l, err := listen(ctx, "web.listen", s.pages.Addr().String())
	if err != nil {
		return err
	}
	s.pages = l
	return s.makeTool(ctx)
}
