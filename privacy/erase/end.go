package erase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

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
func unfinished(c *forget.Cycle, unknown []string) error {
	var all []error
	if len(c.Damaged) > 0 {
		all = append(all, fmt.Errorf("the archive is damaged: the other days are done, and the requests wait until these are mended: %s",
			strings.Join(c.Damaged, "; ")))
	}
	if unknown = append(unknown, c.Unknown...); len(unknown) > 0 {
		slices.Sort(unknown)
		all = append(all, fmt.Errorf("%w: %s: give their definitions (--definitions) and restart serve, or remove the folders; "+
			"the other tables are done, and the requests wait", errUnknown, strings.Join(slices.Compact(unknown), ", ")))
	}
	if newer := c.Newer; len(newer) > 0 {
		all = append(all, fmt.Errorf("%w: %s: remove the rows with that version; the others are done, and the requests wait", lake.ErrNewer,
			strings.Join(newer, "; ")))
	}
	return errors.Join(all...)
}

// errGivenUp means that the cycle is gone without a record.
var errGivenUp = errors.New("another server has given this removal up, and its log says why; the requests wait")

// end finishes the cycle once all of its pieces are done. Of servers that share it one does, and the others wait.
func (c *removal) end(ctx context.Context) (f Result, err error) {
	if err := c.ownLeftovers(ctx); err != nil {
		return f, err
	}
	c.cycle = c.cycle.With(c.done.Pieces)
	for running := true; running; {
		lease, err := c.lease(ctx, endLease)
		switch {
		case err == nil:
			if running, err = c.done.IsRunning(ctx); running && err == nil {
				defer lease.Release()
				return c.endAlone(ctx, lease)
			}
			lease.Release()
		case errors.Is(err, store.ErrHeld):
			if running, err = c.done.IsRunning(ctx); running && err == nil {
				err = c.o.Wait(ctx, sharePause)
			}
		}
		if err != nil {
			return f, err
		}
	}
	return c.ended(ctx)
}

func (c *removal) endAlone(ctx context.Context, lease *site.Lock) (f Result, err error) {
	ctx, explain, stop := lease.While(ctx)
	defer stop()
	if err := c.leftovers(ctx); err != nil {
		return f, explain(err)
	}
	unknown, err := c.data.Unknown(ctx)
	if err != nil {
		return f, explain(err)
	}
	if err := unfinished(c.cycle, unknown); err != nil {
		return f, errors.Join(err, c.forgotten.Drop(ctx, c.cycle))
	}
	pending, err := c.forgotten.Pending(ctx)
	if err != nil {
		return f, explain(err)
	}
	c.own = lease
	if waits, err := c.awaitReaders(ctx, pending); err != nil || waits {
		return Result{Cycle: c.cycle, Waiting: c.cycle.Held}, explain(err)
	}
	f, err = c.finish(ctx, lease)
	return f, explain(err)
}

// ended returns the result of a cycle that another server has ended.
func (c *removal) ended(ctx context.Context) (f Result, err error) {
	if err := unfinished(c.cycle, nil); err != nil {
		return f, err
	}
	all, err := c.forgotten.Cycles(ctx)
	if err != nil {
		return f, err
	}
	i := slices.IndexFunc(all, func(r *forget.Cycle) bool { return r.Occasion() == c.cycle.Occasion() })
	if i < 0 {
		return f, errGivenUp
	}
	f.Cycle = all[i]
	_, _, f.Waiting, err = c.outcome(ctx)
	return f, err
}

// outcome divides the pending requests into those that the cycle has finished and those that wait, and says why these of the cycle wait.
func (c *removal) outcome(ctx context.Context) (finished, waiting []*forget.Request, why []string, err error) {
	pending, err := c.forgotten.Pending(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	edges, err := c.running(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	missed, err := c.missed(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, q := range pending {
		if !slices.Contains(c.cycle.Requests, q.Name) {
			waiting = append(waiting, q)
			continue
		}
		unaware := append(edges.unaware(q.Time), missed...)
		why = append(why, unaware...)
		if len(unaware) == 0 {
			finished = append(finished, q)
		} else {
			waiting = append(waiting, q)
		}
	}
	return finished, waiting, slices.Compact(slices.Sorted(slices.Values(why))), nil
}

// finish ends the requests of the cycle that no edge can have missed, and keeps the report and the record.
func (c *removal) finish(ctx context.Context, lease *site.Lock) (f Result, err error) {
	f.Cycle = c.cycle
	finished, waiting, why, err := c.outcome(ctx)
	if err != nil {
		return f, err
	}
	f.Waiting = why
	if err := c.record(ctx, lease, finished, waiting); err != nil {
		return f, err
	}
	c.o.Log.Info("removed the rows of forgotten clients", "requests", len(finished), "rows", c.cycle.Rows(),
		"days", len(c.cycle.Days), "waiting", f.Waiting)
	return f, nil
}

// record ends some requests and the cycle, and keeps the report and the record.
func (c *removal) record(ctx context.Context, lease *site.Lock, finished, waiting []*forget.Request) error {
	c.cycle.Ended = c.o.Now().UTC()
	slices.Sort(c.cycle.Loads)
	if err := c.confirm(ctx, lease); err != nil {
		return err
	}
	if err := c.forgotten.Reports().Save(ctx, c.cycle, finished, waiting, c.o.Program); err != nil {
		return err
	}
	if len(finished) > 0 {
		if err := c.forgotten.Finish(ctx, finished, c.cycle.Ended); err != nil {
			return err
		}
	}
	if err := c.confirm(ctx, lease); err != nil {
		return err
	}
	return c.forgotten.End(ctx, c.cycle, waiting)
}
