package etl

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// retainPause is how long to wait after a removal that failed.
const retainPause = 10 * time.Minute

// retain removes what is past its time, once a day. While somebody else works
// here it waits for the next round, and what fails never holds up daily jobs.
func (sc *scheduler) retain(ctx context.Context) {
	now := sc.o.Now()
	today := job.FormatDay(now.UTC())
	if !sc.site.Keep.Any() || sc.expired == today || now.Before(sc.again) || ctx.Err() != nil {
		return
	}
	r, err := Retain(ctx, sc.site, RetainOptions{Now: sc.o.Now, Log: sc.o.Log, Removed: sc.o.Removed})
	switch {
	case ctx.Err() != nil, errors.Is(err, job.ErrInUse), errors.Is(err, store.ErrHeld):
		return
	case err != nil:
		sc.again = now.Add(retainPause)
		sc.o.Log.Error("removing what is past its time: it is tried again", "error", err, "again", sc.again.UTC().Format(time.RFC3339))
		return
	}
	sc.expired = today
	sc.o.Log.Info("removed what is past its time", "items", len(r.Removed), "waiting", len(r.Waiting), "records", r.Records, "ledgerRows", r.Ledger)
	if sc.o.Retained != nil {
		sc.o.Retained(r)
	}
}

// sweepEvery is how often the service looks for replaced files whose time is over.
const sweepEvery = 5 * time.Minute

// sweep removes replaced files whose time is over.
func (sc *scheduler) sweep(ctx context.Context) error {
	if now := sc.o.Now(); now.Sub(sc.swept) >= sweepEvery {
		sc.swept = now
		return Sweep(ctx, sc.site)
	}
	return nil
}

// wanted lists the tables of a day without those that cannot be made because
// their time, or that of what they are made from, is over.
func (sc *scheduler) wanted(ctx context.Context, day ping.Day) (tables []string, err error) {
	st := newSteps(sc.site, nil)
	st.now = sc.o.Now()
	var gone []string // not published, so that nothing can be made from it
	for _, t := range sc.graph.Order() {
		needs := sc.graph.Needs(t)
		if slices.ContainsFunc(needs, func(n string) bool { return slices.Contains(gone, n) }) {
			gone = append(gone, t)
			continue
		}
		a, err := st.assess(ctx, job.Unit{Table: t, Day: string(day)})
		switch {
		case err != nil || !a.expired: // an error comes again, when it is planned
			tables = append(tables, t)
		case a.base == nil:
			gone = append(gone, t)
		}
	}
	return tables, ctx.Err()
}
