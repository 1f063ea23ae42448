package retain

import (
	"context"
	"errors"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// retainPause is the pause after a failed removal.
const retainPause = 10 * time.Minute

// Daily removes data past its retention, once a day.
type Daily struct {
	Site    *site.Site
	Options Options
	// Done, if not nil, is called once a day with what was removed.
	Done func(Result)

	expired string    // the day of the last removal
	again   time.Time // when one that failed is tried again
}

// Round removes it if that is due. While another process works here it waits for the
// next round. A failure is logged and tried again: it never delays the caller.
func (d *Daily) Round(ctx context.Context) {
	if err := panics.Try(func() error { d.retain(ctx); return nil }); err != nil {
		d.Options.Log.Error("retention: it is tried again", "error", panics.Report(err))
	}
}

func (d *Daily) retain(ctx context.Context) {
	now, log := d.Options.Now(), d.Options.Log
	today := job.FormatDay(now.UTC())
	if !removes(d.Site) || d.expired == today || now.Before(d.again) || ctx.Err() != nil {
		return
	}
	r, err := Apply(ctx, d.Site, d.Options)
	switch {
	case ctx.Err() != nil, errors.Is(err, job.ErrInUse), errors.Is(err, store.ErrHeld):
		return
	case err != nil:
		d.again = now.Add(retainPause)
		log.Error("removing what is past its time: it is tried again", "error", err, "again", d.again.UTC().Format(time.RFC3339))
		return
	}
	d.expired = today
	if !d.Site.Keep.Any() && len(r.Removed)+len(r.Waiting) == 0 {
		return
	}
	log.Info("removed what is past its time", "items", len(r.Removed), "waiting", len(r.Waiting), "records", r.Records, "ledgerRows", r.Ledger)
	if d.Done != nil {
		d.Done(r)
	}
}
