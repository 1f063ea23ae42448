package etl

import (
	"context"
	"errors"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// ReplacedFiles counts the replaced files of the lake that remain for queries that began earlier.
type ReplacedFiles struct {
	Files int
	Bytes int64
}

// Replaced counts the replaced files of all tables. It reads a small object for each day.
func Replaced(ctx context.Context, d *site.Data) (sum ReplacedFiles, err error) {
	err = eachReplaced(ctx, d, func(_ *lake.Table, r lake.Replaced) error {
		sum.Files, sum.Bytes = sum.Files+r.Files, sum.Bytes+r.Bytes
		return nil
	})
	return sum, err
}

func eachReplaced(ctx context.Context, d *site.Data, do func(*lake.Table, lake.Replaced) error) error {
	tables, err := d.Versions(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		all, err := t.Replaced(ctx)
		if err != nil {
			return err
		}
		for _, r := range all {
			if err := do(t, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sweep removes replaced files whose grace period is over, see site.Data.Grace; each publication does so for
// its day. It skips days that another process is making.
func Sweep(ctx context.Context, s *site.Site) error {
	var release func()
	err := eachReplaced(store.Polling(ctx), &s.Data, func(t *lake.Table, r lake.Replaced) (err error) {
		if !t.Over(r) {
			return nil
		}
		if release == nil {
			if release, err = s.Ledger.Hold(ctx); err != nil {
				return err
			}
		}
		return sweep(ctx, s.Locks(), t, r.Day)
	})
	if release != nil {
		release()
	}
	if errors.Is(err, job.ErrInUse) {
		return nil
	}
	return err
}

func sweep(ctx context.Context, locks *site.Locks, t *lake.Table, day string) error {
	defer locks.UnlockAll()
	locks.NoWait = true
	locks.Confirming(t)
	err := locks.Lock(ctx, job.Unit{Table: t.Schema.Name, Day: day})
	if errors.Is(err, store.ErrHeld) || errors.Is(err, site.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.Sweep(ctx, day)
}
