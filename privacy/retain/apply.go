package retain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// Options define how data past its time is removed.
type Options struct {
	Now func() time.Time
	Log *slog.Logger // nil: nowhere
	// Removed, if not nil, is called for every removed item.
	Removed func(Item)
}

// Result is the result of Retain.
type Result struct {
	Removed []Item
	Waiting []Item // past their time, but still needed
	Records int    // of loads without remaining files
	Ledger  int64  // rows
}

// Apply removes data past its time, as PlanRetention lists it. Runs wait
// meanwhile, and while one is under way the error matches job.ErrInUse; where
// servers share a lake one of them removes at a time, and for the others the
// error matches store.ErrHeld. An item that cannot be removed does not keep the
// others. Killed at any moment, the next call finishes it.
func Apply(ctx context.Context, s *site.Site, o Options) (r Result, err error) {
	if !removes(s) {
		return r, nil
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	release, err := s.Ledger.Hold(ctx)
	if err != nil {
		return r, fmt.Errorf("expire: %w", err)
	}
	defer release()
	e := &removal{bucket: s.Archive, keep: s.Keep, locks: s.Locks(), o: o, archive: maintain.ExpireOptions{Now: o.Now()}}
	if s.Sharing != nil {
		e.archive.Owner = "expire-" + s.Sharing.Holder
	}
	if e.held, err = s.Lease(ctx, retentionLease); err != nil {
		return r, fmt.Errorf("expire: %w", err)
	}
	defer e.held.Release()
	if err := maintain.FinishExpiry(ctx, s.Archive, e.archive); err != nil {
		return r, fmt.Errorf("expire: %w", err)
	}
	items, err := Plan(ctx, s, e.archive.Now)
	if err != nil {
		return r, fmt.Errorf("expire: %w", err)
	}
	failed := e.items(ctx, items, &r)
	if ctx.Err() != nil {
		return r, errors.Join(failed, ctx.Err())
	}
	if s.Keep.Archive > 0 || s.Keep.Errors > 0 {
		if r.Records, err = maintain.Thin(ctx, s.Archive, e.archive.Now); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if s.Keep.Ledger > 0 {
		if r.Ledger, err = s.Ledger.Expire(ctx, e.archive.Now.AddDate(0, 0, -s.Keep.Ledger)); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return r, failed
}

// removal is one removal at work.
type removal struct {
	bucket  store.Bucket // of the archive
	keep    site.Retention
	locks   *site.Locks
	o       Options
	archive maintain.ExpireOptions
	held    *site.Lock
}

// retentionLease is the lease of the server that removes expired data, if servers share a lake.
const retentionLease = "_leases/retention"

// items removes what does not wait.
func (e *removal) items(ctx context.Context, items []Item, r *Result) error {
	var failed []error
	for _, i := range items {
		if i.Waits != "" {
			r.Waiting = append(r.Waiting, i)
			e.o.Log.Warn("past its time, but still needed", "what", i.Name(), "day", i.Day, "reason", i.Waits)
			continue
		}
		if err := e.held.Confirm(ctx); err != nil {
			return errors.Join(append(failed, fmt.Errorf("expire: %w", err))...)
		}
		err := e.remove(ctx, &i)
		if errors.Is(err, store.ErrHeld) || errors.Is(err, errChanged) {
			i.Waits = site.OneLine(err.Error())
			r.Waiting = append(r.Waiting, i)
			continue
		}
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		e.o.Log.Info("expired", "what", i.Name(), "day", i.Day, "files", i.Files, "rows", i.Rows, "bytes", i.Bytes)
		r.Removed = append(r.Removed, i)
		if e.o.Removed != nil {
			e.o.Removed(i)
		}
	}
	return errors.Join(failed...)
}

func (e *removal) remove(ctx context.Context, i *Item) error {
	if i.table == nil {
		o := e.archive
		if o.RetentionDays = e.keep.Archive; i.What == whatErrors {
			o.RetentionDays = e.keep.Errors
		}
		return maintain.Expire(ctx, e.bucket, i.day, o)
	}
	u := job.Unit{Table: i.What, Day: i.Day}
	defer e.locks.UnlockAll()
	err := e.locks.Lock(ctx, u)
	if err == nil && !i.partition.Cut {
		err = i.recheck(ctx)
	}
	if err == nil {
		err = e.locks.Confirm(ctx, u)
	}
	if err != nil {
		return fmt.Errorf("expire %s %s: %w", i.Name(), i.Day, err)
	}
	if err := i.table.Expire(ctx, i.Day); err != nil {
		return err
	}
	return quality.Delete(ctx, i.table, i.Day)
}
