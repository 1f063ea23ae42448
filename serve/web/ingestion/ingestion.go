// Package ingestion shows what arrived: how much, its outcome, the decoding lag, and samples of rejected submissions,
// without data of clients. The counts are computed from the archive, which is durable: each file is read once, without
// the documents, and its counts by minute and hour are stored in a database of this package.
package ingestion

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/database"
)

// Options configures the operations.
type Options struct {
	Archive   store.Bucket
	Tables    []*schema.Table
	Forgotten *forget.Registry
	Dir       string                         // folder of the database
	Spool     string                         // folder of the spool; it may be missing
	Edge      func() edge.Stats              // stats of the edge in this process; nil: none
	Tagged    func(tag string) []edge.Tagged // tagged submissions of that edge; nil: none
	Address   string                         // URL of the edge as clients reach it; "": not known
	Data      string                         // folder of the installation, for commands
	Arrivals  *Arrivals                      // what this process decodes; nil: nothing
	Live      []*schema.Table                // whose rows are visible while their day lasts, besides the direct ones
	clock.Clock
	Log *slog.Logger
}

// Ingestion serves the operations. It holds their database and the recent state of the edge.
type Ingestion struct {
	Options
	db     *sql.DB
	recent recent
	left   left

	empty atomic.Bool // the loads were counted, and the archive never had a ping
}

// Open opens the database.
func Open(ctx context.Context, o Options) (*Ingestion, error) {
	db, err := database.Open(ctx, database.In(o.Dir), "ingestion", migrations...)
	if err != nil {
		return nil, fmt.Errorf("open counts of ingestion: %w", err)
	}
	return &Ingestion{Options: o, db: db}, nil
}

func (i *Ingestion) Close() error { return i.db.Close() }

// Register adds the operations.
func (i *Ingestion) Register(a huma.API) {
	api.Do(a, "GET /ingestion", "What arrived over time and what became of it", api.Member, i.series)
	api.Do(a, "GET /ingestion/lag", "How far decoding is behind, now and over time", api.Member, i.lag)
	api.Do(a, "GET /ingestion/live", "The last minutes of the edge that runs in this process", api.Member, i.liveNow)
	api.Do(a, "GET /ingestion/errors", "Samples of rejected submissions, newest first, without data of clients", access.Operate, i.errors)
	api.Do(a, "GET /ingestion/start", "Where to send pings, and what became of the newest ones", access.Operate, i.start)
	large := (&api.AtOnce{Max: maxLookups}).Limited(a)
	api.Do(a, "GET /ingestion/pings/{document}", "What became of a submission, by its document id and day", access.Operate, i.find, large)
	api.Do(a, "GET /ingestion/tagged", "The newest submissions with a debug tag (X-Debug-ID)", access.Operate, i.tagged)
}

const (
	countEach  = 30 * time.Second // interval of looking for new loads
	lagEach    = time.Minute
	sampleEach = 5 * time.Second
)

// Run counts new loads and records the lag and the edge's stats, until ctx ends.
func (i *Ingestion) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return i.repeat(ctx, countEach, "counting what arrived", i.Count) })
	g.Go(func() error { return i.repeat(ctx, lagEach, "watching the lag", i.watch) })
	if i.Edge != nil {
		g.Go(func() error {
			return i.repeat(ctx, sampleEach, "watching the edge", func(context.Context) error {
				i.recent.add(i.Now(), i.Edge())
				return nil
			})
		})
	}
	return g.Wait()
}

// repeat calls do at an interval until ctx ends. It logs an error only if it differs from the last one.
func (i *Ingestion) repeat(ctx context.Context, every time.Duration, what string, do func(context.Context) error) error {
	last := ""
	for {
		err := do(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			last = ""
		case err.Error() != last:
			last = err.Error()
			i.Log.Warn(what+" fails: it is tried again", "error", err)
		}
		if i.Wait(ctx, every) != nil {
			return nil
		}
	}
}
