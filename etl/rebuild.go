package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Rebuild makes a partition of a direct table from the archive, as a run does, but without checks: a failed
// check must not delay arriving pings. The run that closes the day checks it. The caller must have locked the
// partition. Pings without a row are logged.
func Rebuild(ctx context.Context, d *site.Data, locks *site.Locks, log *slog.Logger, u job.Unit) error {
	st := newSteps(d).working(locks.Lend(), log)
	p, err := st.Plan(ctx, u)
	if err != nil || p.Missing != "" || p.Current {
		return err
	}
	var results []job.Result
	for _, t := range p.Tasks {
		r, err := st.Do(ctx, u, p, t)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	_, err = st.commit(ctx, u, p, results, nil)
	return err
}

// Remake makes a published partition again if its inputs have changed since, or returns
// lake.ErrNewer if only a newer version can. It runs the tables' own checks. Those that
// fail are logged and recorded as skipped, because rows that were removed from the inputs must not stay. The caller
// must have locked the partition. made is false if the partition stays, also if its inputs were removed.
func Remake(ctx context.Context, d *site.Data, locks *site.Locks, log *slog.Logger, u job.Unit) (made bool, err error) {
	st := newSteps(d).working(locks.Lend(), log)
	a, err := st.assess(ctx, u)
	if err == nil && a.newer && a.plan.Missing != "" {
		return false, fmt.Errorf("%v: %w", u, a.base.Newer(a.table))
	}
	if err != nil || a.base == nil || a.plan.Missing != "" || len(changedInputs(a.base, a.source.inputs)) == 0 {
		return false, err
	}
	p, err := st.Plan(ctx, u)
	if err != nil || p.Missing != "" || p.Current {
		return false, err
	}
	var results []job.Result
	for _, t := range p.Tasks {
		r, err := st.Do(ctx, u, p, t)
		if err != nil {
			return false, err
		}
		results = append(results, r)
	}
	st.checks.Skip = a.base.SkippedChecks
	_, err = st.commit(ctx, u, p, results, st.check)
	var blocked *check.BlockedError
	if errors.As(err, &blocked) {
		st.log.Error("published although checks failed: rows were removed from what it is made from", "table", u.Table, "day", u.Day, "error",
			site.OneLine(err.Error()))
		for _, r := range blocked.Results {
			st.checks.Skip = append(slices.Clone(st.checks.Skip), r.Check.Name)
		}
		_, err = st.commit(ctx, u, p, results, st.check)
	}
	return err == nil, err
}

// Hold locks a growing partition and calls do with base, the result of [PublishedOf]. Its callers set NoWait in locks,
// so it fails instead of waiting for a run or another server: that could take long while pings arrive.
func Hold(ctx context.Context, d *site.Data, locks *site.Locks, t *schema.Table, u job.Unit,
	do func(ctx context.Context, base *lake.Manifest) error) error {
	if err := locks.Lock(ctx, u); err != nil {
		return err
	}
	defer locks.UnlockAll()
	ctx, explain, stop := locks.While(ctx, u)
	defer stop()
	base, err := PublishedOf(ctx, d, t, u)
	if err == nil && base.ByNewer(t) {
		err = fmt.Errorf("%v: %w", u, base.Newer(t))
	}
	if err == nil {
		err = do(ctx, base)
	}
	return explain(err)
}

// PublishedOf returns the published manifest of a partition, or nil if there is none or it is damaged; the
// caller then makes it again from the archive.
func PublishedOf(ctx context.Context, d *site.Data, t *schema.Table, u job.Unit) (*lake.Manifest, error) {
	m, damage, err := d.TableOf(t).Look(ctx, u.Day)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(damage) > 0 {
		return nil, nil
	}
	return m, err
}
