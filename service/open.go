package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/serve/web/ingestion"
	"github.com/pingmill/pingmill/site"
)

// Service holds everything that the parts of this process work on.
type Service struct {
	Config

	opened   atomic.Pointer[site.Site] // see site
	checks   check.Options
	server   *edge.Server    // nil without the edge
	spool    appender        // nil without the edge
	local    *spool.Spool    // spool, where that is a folder
	follower *spool.Follower // nil unless another process is the edge of the folder
	producer *kafka.Producer // spool, where that is a topic
	consumer *kafka.Consumer // nil unless a topic is decoded here
	public   net.Listener    // nil without the edge
	private  net.Listener
	tool     *web.Server         // nil without the query tool, or while that does not work
	pages    net.Listener        // nil without the query tool
	trouble  trouble             // of the query tool
	away     trouble             // of opening the installation
	unready  trouble             // of the files of decoding
	counted  *Metrics            // since it runs
	seen     seen                // of the installation, for metrics
	arrivals *ingestion.Arrivals // what is decoded here; nil without decoding or the query tool
}

// diskThreads is the number of threads that may wait for the disk besides those that compute: one commits and one
// seals. A thread in a system call occupies its processor for a while, which matters with few cores.
const diskThreads = 2

// Open opens everything that the parts need. The edge does not wait for the archive, the tables and the files of decoding,
// which may be out of reach for a while. Any other part that cannot work is an error before the first submission is
// accepted. A SetupError comes before anything is created.
func Open(ctx context.Context, c Config) (*Service, error) {
	if c.Decode.Workers == 0 {
		c.Decode.Workers = runtime.GOMAXPROCS(0)
	}
	if c.has(PartEdge) && os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + diskThreads)
	}
	c.Decode.Edge, c.Decode.Now, c.Decode.Log = c.Spool.Edge, c.Clock.Now, c.Log
	s := &Service{Config: c}
	if c.has(PartDecode) && c.has(PartWeb) {
		s.arrivals = ingestion.NewArrivals(c.Clock.Now)
	}
	for _, open := range []func(context.Context) error{s.check, s.listen, s.openSite, s.openSpool, s.openEdge, s.openTool} {
		if err := open(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Close closes everything that is open.
func (s *Service) Close() error {
	var all []error
	for _, l := range []net.Listener{s.public, s.private, s.pages} {
		if l != nil {
			_ = l.Close() // who served it has closed it, too
		}
	}
	if s.tool != nil {
		all = append(all, s.tool.Close())
	}
	if s.spool != nil {
		all = append(all, s.spool.Close())
	}
	if s.follower != nil {
		all = append(all, s.follower.Close())
	}
	if in := s.site(); in != nil {
		all = append(all, in.Close())
	}
	return errors.Join(all...)
}

// check refuses a configuration that cannot work, before anything is created.
func (s *Service) check(ctx context.Context) error {
	if !s.has(PartEdge) {
		return s.Check(ctx)
	}
	if err := s.checkDecoding(); err != nil {
		if _, missing := os.Stat(s.Data); missing != nil {
			return setup(err, s.checkRest(ctx)) // it is the first start
		}
		s.unready.set(err)
		s.Log.Error("decoding cannot start: the edge starts without it and acknowledges", "err", err)
	}
	return s.checkRest(ctx)
}

// listen opens the listeners. Connections wait until everything is open.
func (s *Service) listen(ctx context.Context) (err error) {
	if s.has(PartEdge) {
		if s.public, err = listen(ctx, "edge.listen", s.Listen); err != nil {
			return err
		}
	}
	if s.has(PartWeb) {
		if s.pages, err = listen(ctx, "web.listen", s.Web.Listen); err != nil {
			return err
		}
	}
	s.private, err = listen(ctx, "private.listen", s.Private)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w: each process needs its own", err)
	}
	return err
}

func listen(ctx context.Context, key, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &SetupError{fmt.Errorf("%s: %w", config.Call(key), err)}
	}
	return l, nil
}

// openEdge creates the edge.
func (s *Service) openEdge(context.Context) (err error) {
	if !s.has(PartEdge) {
		return nil
	}
	o := s.Edge
	o.Applications, o.Requests = s.Decode.Decode.Glean.Applications, s.Decode.Decode.Requests
	o.Spool, o.Log, o.Version, o.Health = s.spool, s.Log, s.Version, s.checkSpool
	if s.server, err = edge.New(o); err == nil && s.Unread {
		s.server.AwaitApplications()
	}
	return err
}
