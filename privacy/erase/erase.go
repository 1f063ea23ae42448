package erase

import (
	"context"
	"errors"
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
// The requests are finished with it, except those that a running edge has not
// read: they stay pending for the next cycle.
func Run(ctx context.Context, s *site.Site, o Options) (f Result, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Buffer <= 0 {
		o.Buffer = 64 << 20
	}
	lock, err := s.LockRewriting(ctx)
	if err != nil {
		return f, fmt.Errorf("remove the rows of forgotten clients: %w", err)
	}
	defer lock.Release()
	ctx, explain, stop := lock.While(ctx)
	defer stop()
	c := &removal{
		data: &s.Data, readers: s.Holder, ledger: s.Ledger, forgotten: s.Forgotten, lock: lock, locks: s.Locks(), lockFiles: s.LockFiles, tidyTemp: s.TidyTemp, o: o,
	}
	if f, err = c.run(ctx); err != nil {
		err = explain(err)
		return f, fmt.Errorf("remove the rows of forgotten clients: %w", err)
	}
	return f, nil
}

// removal is a cycle.
type removal struct {
	data      *site.Data
	readers   lake.Retainer // nil: nobody reads replaced files
	ledger    *job.Ledger
	forgotten *forget.Registry
	lock      *site.Lock // of all rewriting
	locks     *site.Locks
	lockFiles site.LockFiles
	tidyTemp  func(before time.Time) error
	o         Options
	set       *forget.Set
	cycle     *forget.Cycle
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
		if err := c.forgotten.Recheck(ctx); err != nil {
			return f, err
		}
		c.cycle = nil
	}
	if c.cycle != nil && c.overtaken(pending) {
		if err := c.postpone(ctx, pending); err != nil {
			return f, err
		}
	}
	if c.cycle == nil {
		if err := c.awaitEdges(ctx, pending); err != nil {
			return f, err
		}
		if err := c.begin(ctx, pending); err != nil || c.cycle == nil {
			return f, err
		}
	}
	for c.cycle.Done < len(c.cycle.Days) {
		if err := c.day(ctx, c.cycle.Days[c.cycle.Done]); err != nil {
			return f, err
		}
	}
	if err := c.leftovers(ctx); err != nil {
		return f, err
	}
	unknown, err := c.data.Unknown(ctx)
	if err != nil {
		return f, err
	}
	if err := c.unfinished(unknown); err != nil {
		return f, errors.Join(err, c.forgotten.Drop(ctx))
	}
	if waits, err := c.awaitReaders(ctx, pending); err != nil || waits {
		return Result{Cycle: c.cycle, Waiting: c.cycle.Held}, err
	}
	return c.end(ctx, pending)
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
	c.cycle = cycle
	c.o.Log.Info("removing the rows of forgotten clients", "requests", len(pending), "clients", clients, "days", len(cycle.Days))
	return c.forgotten.SaveRunning(ctx, cycle)
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

// missed names the loads that were committed during the cycle and had begun without its requests: the next cycle looks at them.
func (c *removal) missed(ctx context.Context) (why []string, err error) {
	loads, err := archive.LoadInfos(ctx, c.data.Archive)
	if err != nil {
		return nil, err
	}
	for _, l := range loads {
		if _, looked := slices.BinarySearch(c.cycle.Loads, l.ID); !looked && l.Requests < c.cycle.Made && len(l.Counted) > 0 {
			why = append(why, fmt.Sprintf("load %s was committed meanwhile", l.ID))
		}
	}
	return why, nil
}

// unfinished returns an error if the cycle could not remove all rows, because days of the archive are damaged or because
// tables are not known. Its requests stay for the next one.
func (c *removal) unfinished(unknown []string) error {
	var all []error
	if len(c.cycle.Damaged) > 0 {
		all = append(all, fmt.Errorf("the archive is damaged: the other days are done, and the requests wait until these are mended: %s",
			strings.Join(c.cycle.Damaged, "; ")))
	}
	if unknown = append(unknown, c.cycle.Unknown...); len(unknown) > 0 {
		slices.Sort(unknown)
		all = append(all, fmt.Errorf("%w: %s: give their definitions (--definitions) and restart serve, or remove the folders; "+
			"the other tables are done, and the requests wait", errUnknown, strings.Join(slices.Compact(unknown), ", ")))
	}
	if newer := c.cycle.Newer; len(newer) > 0 {
		all = append(all, fmt.Errorf("%w: %s: remove the rows with that version; the others are done, and the requests wait", lake.ErrNewer,
			strings.Join(newer, "; ")))
	}
	return errors.Join(all...)
}

// end finishes the requests of the cycle that no edge can have missed.
func (c *removal) end(ctx context.Context, pending []*forget.Request) (f Result, err error) {
	f.Cycle = c.cycle
	edges, err := c.running(ctx)
	if err != nil {
		return f, err
	}
	if err := c.lock.Confirm(ctx); err != nil {
		return f, err
	}
	missed, err := c.missed(ctx)
	if err != nil {
		return f, err
	}
	var finished, waiting []*forget.Request
	for _, q := range pending {
		if !slices.Contains(c.cycle.Requests, q.Name) {
			waiting = append(waiting, q)
			continue
		}
		unaware := append(edges.unaware(q.Time), missed...)
		f.Waiting = append(f.Waiting, unaware...)
		if len(unaware) == 0 {
			finished = append(finished, q)
		} else {
			waiting = append(waiting, q)
		}
	}
	f.Waiting = slices.Compact(slices.Sorted(slices.Values(f.Waiting)))
	c.cycle.Ended = c.o.Now().UTC()
	slices.Sort(c.cycle.Loads)
	if err := c.forgotten.Reports().Save(ctx, c.cycle, finished, waiting, c.o.Program); err != nil {
		return f, err
	}
	if len(finished) > 0 {
		if err := c.forgotten.Finish(ctx, finished, c.cycle.Ended); err != nil {
			return f, err
		}
	}
	if err := c.forgotten.End(ctx, c.cycle, waiting); err != nil {
		return f, err
	}
	c.o.Log.Info("removed the rows of forgotten clients", "requests", len(finished), "rows", c.cycle.Rows(),
		"days", len(c.cycle.Days), "waiting", f.Waiting)
	return f, nil
}

// hold takes the right to publish of all runs, and waits as long as one is at
// work.
func (c *removal) hold(ctx context.Context) (release func(), err error) {
	for {
		release, err = c.ledger.Hold(ctx)
		if !errors.Is(err, job.ErrInUse) {
			return release, err
		}
		if err := c.o.Wait(ctx, time.Second); err != nil {
			return nil, err
		}
	}
}
