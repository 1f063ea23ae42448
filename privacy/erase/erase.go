package erase

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// Options define how the rows of forgotten clients are removed.
type Options struct {
	// Buffer bounds the memory of pings that wait for their files, in bytes; 0: 64
	// MiB, since the service has other work beside.
	Buffer int64
	// Recheck looks at everything again, whatever earlier cycles have looked at: an
	// older state may have been restored.
	Recheck bool
	// Decode has the bounds of bodies: rejected ones are searched as far as they
	// would be unpacked.
	Decode ingest.Config
	// Program is the version of the program, for the reports of requests.
	Program string
	// Timing says when a cycle no longer waits for replaced files that others read.
	Timing Timing
	// Progress, if not nil, is called with the cycle after each day.
	Progress func(*forget.Cycle)

	clock.Clock
	Log *slog.Logger
}

// Result is the result of a cycle.
type Result struct {
	*forget.Cycle // nil: there was nothing to do
	// Waiting says for what requests wait that are not finished: for edges, with the time since when their decoding may hold
	// rows from before, or for tables with replaced files that others may read.
	Waiting []string
}

// Run removes the rows of all clients that have asked to be forgotten, from
// the archive and from every table: day by day, each file that has some is written
// again without them. A cycle that was cut short goes on where it was. All else
// stays as it is, and current partitions stay current.
//
// Servers that share a lake share the work: each does a day at a time, and what one that died has not finished another one does. One
// of them ends the cycle, and Run returns in all of them then.
//
// The requests are finished with it, except those that a running edge has not
// read: they stay pending for the next cycle.
func Run(ctx context.Context, s *site.Site, o Options) (f Result, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Buffer <= 0 {
		o.Buffer = 64 << 20
	}
	lock, err := s.JoinRewriting(ctx)
	if err != nil {
		return f, fmt.Errorf("remove the rows of forgotten clients: %w", err)
	}
	defer lock.Release()
	ctx, explain, stop := lock.While(ctx)
	defer stop()
	c := &removal{
		data: &s.Data, readers: s.Holder, ledger: s.Ledger, forgotten: s.Forgotten, lock: lock, lease: s.Lease, locks: s.Locks(),
		lockFiles: s.LockFiles, tidyTemp: s.TidyTemp, o: o,
	}
	if f, err = c.run(ctx); err != nil {
		err = explain(err)
		return f, fmt.Errorf("remove the rows of forgotten clients: %w", err)
	}
	return f, nil
}

// removal is what one server does of a cycle.
type removal struct {
	data      *site.Data
	readers   lake.Retainer // nil: nobody reads replaced files
	ledger    *job.Ledger
	forgotten *forget.Registry
	lock      *site.Lock // of all rewriting, together with other removers
	lease     func(ctx context.Context, name string) (*site.Lock, error)
	locks     *site.Locks
	lockFiles site.LockFiles
	tidyTemp  func(before time.Time) error
	o         Options
	set       *forget.Set
	cycle     *forget.Cycle    // as it is stored
	done      *forget.Progress // of it
	days      int              // that were done when Progress was called
	piece     *forget.Piece    // at work
	own       *site.Lock       // of it
}

func (c *removal) run(ctx context.Context) (f Result, err error) {
	if c.set, err = c.forgotten.Set(ctx); err != nil {
		return f, err
	}
	pending, err := c.forgotten.Pending(ctx)
	if err != nil {
		return f, err
	}
	if c.cycle, err = c.forgotten.Running(ctx); err != nil {
		return f, err
	}
	if c.o.Recheck {
		if err := c.forgotten.Recheck(ctx, c.cycle); err != nil {
			return f, err
		}
		c.cycle = nil
	}
	if c.cycle != nil && c.overtaken(pending) {
		if err := c.postpone(ctx, pending); err != nil {
			return f, err
		}
	}
	if c.cycle != nil {
		err = c.join(ctx)
	} else if err = c.awaitEdges(ctx, pending); err == nil {
		err = c.begin(ctx, pending)
	}
	if err != nil || c.cycle == nil {
		return f, err
	}
	if err := c.share(ctx); err != nil {
		return f, err
	}
	return c.end(ctx)
}

// join goes on with a cycle that this or another server has begun.
func (c *removal) join(ctx context.Context) (err error) {
	if c.cycle.Format == 1 { // an earlier version of the program has begun it
		if c.cycle, err = c.forgotten.Begin(ctx, c.cycle); err != nil {
			return err
		}
	}
	if c.data.Sharing == nil {
		return nil
	}
	// The server that began it may know more tables. This one must not call a day done that is not.
	unknown, err := c.data.Unknown(ctx)
	if err != nil {
		return err
	}
	unknown = slices.DeleteFunc(unknown, func(name string) bool { return slices.Contains(c.cycle.Unknown, name) })
	if len(unknown) > 0 {
		return fmt.Errorf("join the removal of another server: %w: %s: give their definitions (--definitions) and restart serve", errUnknown,
			strings.Join(unknown, ", "))
	}
	return nil
}

// begin plans a new cycle; it stays nil when there is nothing to do.
func (c *removal) begin(ctx context.Context, pending []*forget.Request) error {
	late, looked, err := lateLoads(ctx, c.data.Archive, c.forgotten)
	if err != nil || len(pending) == 0 && len(late) == 0 && !c.o.Recheck {
		return err
	}
	all, clients := c.set.Len()
	if c.o.Recheck {
		clients = all
	}
	cycle := &forget.Cycle{Began: c.o.Now().UTC(), Made: c.set.Requests(), Clients: clients, Sources: map[string]int{},
		Oldest: forget.Oldest(pending)}
	for _, q := range pending {
		cycle.Requests = append(cycle.Requests, q.Name)
		cycle.Sources[q.Source]++
	}
	if cycle.Unknown, err = c.data.Unknown(ctx); err != nil {
		return err
	}
	cycle.Loads = looked // the list of the last cycle goes
	for _, l := range late {
		cycle.Loads = append(cycle.Loads, l.ID)
		for _, d := range l.Counted {
			cycle.Days = append(cycle.Days, string(d))
		}
	}
	slices.Sort(cycle.Loads)
	if len(pending) > 0 || c.o.Recheck {
		if cycle.Days, err = allDays(ctx, c.data); err != nil {
			return err
		}
	}
	cycle.Days = slices.Compact(slices.Sorted(slices.Values(cycle.Days)))
	if c.cycle, err = c.forgotten.Begin(ctx, cycle); err != nil {
		return err
	}
	c.o.Log.Info("removing the rows of forgotten clients", "requests", len(cycle.Requests), "clients", clients, "days", len(c.cycle.Days))
	return nil
}

// lateLoads returns the loads of the archive that did not know all requests when they began, and that no cycle has
// looked at since. The last round has read the loads in looked.
func lateLoads(ctx context.Context, b store.Bucket, r *forget.Registry) (late []archive.LoadInfo, looked []string, err error) {
	set, err := r.Set(ctx)
	if err != nil || set.Requests() == 0 {
		return nil, nil, err
	}
	checked, err := r.Checked(ctx)
	if err != nil {
		return nil, nil, err
	}
	loads, err := archive.LoadInfos(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range loads {
		_, seen := slices.BinarySearch(checked.Loads, l.ID)
		switch {
		case l.Requests >= set.Requests() || len(l.Counted) == 0:
		case seen && checked.Requests >= set.Requests():
			looked = append(looked, l.ID)
		default:
			late = append(late, l)
		}
	}
	return late, looked, nil
}
