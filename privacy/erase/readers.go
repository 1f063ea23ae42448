package erase

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
)

// awaitReaders removes the replaced files with rows of the clients that others, such as snapshots of Iceberg, may name, once these
// no longer do. While they do, the cycle waits and its requests are not finished; but when the deadline is near, the files go, and
// readers of old snapshots fail.
func (c *removal) awaitReaders(ctx context.Context, pending []*forget.Request) (waits bool, err error) {
	if c.readers == nil {
		return false, nil
	}
	held, err := c.held(ctx)
	if err != nil || len(held) == 0 {
		return false, err
	}
	var tables []string
	for _, h := range held {
		tables = append(tables, h.table.Schema.Name)
	}
	slices.Sort(tables)
	tables = slices.Compact(tables)
	c.readers.Release(ctx, tables)
	sweep := (*lake.Table).Sweep
	if c.o.Timing.Deadline.Used(forget.Oldest(pending), c.o.Now()) >= forget.Urgent {
		sweep = (*lake.Table).SweepHeld
		c.o.Log.Warn("the deadline of a deletion request is near: replaced files go that Iceberg snapshots may name", "tables", tables)
	}
	if err := c.sweep(ctx, held, sweep); err != nil {
		return false, err
	}
	if held, err = c.held(ctx); err != nil {
		return false, err
	}
	c.cycle.Held = nil
	for _, h := range held {
		c.cycle.Held = append(c.cycle.Held, h.String())
	}
	if len(held) == 0 {
		return false, nil
	}
	c.o.Log.Warn("rows of forgotten clients are left in replaced files, which Iceberg snapshots may name: the removal waits",
		"tables", c.cycle.Held)
	return true, c.forgotten.Hold(ctx, c.cycle, c.cycle.Held)
}

// held is a table with replaced files that have to go and that others may read.
type held struct {
	table *lake.Table
	days  []string
}

func (h held) String() string {
	return fmt.Sprintf("Iceberg snapshots may name replaced files of %s (%s, such as %s)", h.table.Schema.Name,
		text.Plural(int64(len(h.days)), "day"), h.days[0])
}

func (c *removal) held(ctx context.Context) (all []held, err error) {
	tables, err := c.data.Versions(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		days, err := t.Held(ctx)
		if err != nil {
			return nil, err
		}
		if len(days) > 0 {
			all = append(all, held{t, days})
		}
	}
	return all, nil
}

// sweep removes replaced files while no run publishes.
func (c *removal) sweep(ctx context.Context, all []held, sweep func(*lake.Table, context.Context, string) error) error {
	release, err := c.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, h := range all {
		for _, day := range h.days {
			if err := c.locked(ctx, h.table, day, func(ctx context.Context) error { return sweep(h.table, ctx, day) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// locked calls f while a day of a table is locked.
func (c *removal) locked(ctx context.Context, lt *lake.Table, day string, f func(context.Context) error) error {
	u := job.Unit{Table: lt.Schema.Name, Day: day}
	if err := c.locks.Lock(ctx, u); err != nil {
		return err
	}
	defer c.locks.UnlockAll()
	c.confirming(lt)
	ctx, explain, stop := c.locks.While(ctx, u)
	defer stop()
	return explain(f(ctx))
}

// overtaken reports whether a cycle that has only waited for readers leaves its place to one that also has newer requests.
func (c *removal) overtaken(pending []*forget.Request) bool {
	return len(c.cycle.Held) > 0 && c.o.Now().Sub(c.cycle.Began) >= c.o.Timing.Every &&
		slices.ContainsFunc(pending, func(q *forget.Request) bool { return !slices.Contains(c.cycle.Requests, q.Name) })
}

// postpone ends a cycle whose requests all wait for the next one.
func (c *removal) postpone(ctx context.Context, pending []*forget.Request) error {
	lease, err := c.lease(ctx, endLease)
	if err != nil {
		return err
	}
	defer lease.Release()
	done := c.forgotten.Progress(c.cycle)
	if err := done.Read(ctx); err != nil {
		return err
	}
	c.cycle = c.cycle.With(done.Pieces)
	if err := c.record(ctx, lease, nil, pending); err != nil {
		return err
	}
	c.cycle = nil
	return nil
}
