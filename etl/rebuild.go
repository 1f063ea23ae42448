package etl

import (
	"context"
	"log/slog"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/site"
)

// Rebuild makes a partition of a direct table from the archive alone, as a run does, but without
// checks: a failed one must not delay arriving pings. The run that closes the day
// makes them. The caller has locked the partition. log gets the pings that have no row.
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
