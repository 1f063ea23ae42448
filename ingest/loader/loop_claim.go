package loader

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/spool"
)

// takeOver takes the claim of a spool that several processes may decode, and finishes what previous owners
// left. Such spools have no document in common, so their loads need no order; the loads of edges do.
func (d *decodeLoop) takeOver(ctx context.Context) (err error) {
	if _, shared := d.o.Spool.(Shared); !shared {
		d.others, err = newOthers(ctx, d.site, "for edge "+d.o.Edge, d.o.turnPause)
		return err
	}
	if d.claim, err = claim.Take(ctx, d.archive, d.o.Edge, d.o.Owner); err != nil {
		return err
	}
	if r := d.claim.Record(); r.Load != "" {
		done, err := archive.Settle(ctx, d.archive, r.Load, r.Stage)
		if err == nil && !done {
			err = fmt.Errorf("load %s was decided and is neither in the archive nor in %s: its submissions are lost, unless these files are restored; to go on without them, take load and stage out of %s",
				r.Load, r.Stage, claim.Object(r.Edge))
		}
		if err == nil {
			err = d.claim.Move(ctx, r.Position, r.Watermark)
		}
		if err != nil {
			return err
		}
	}
	return archive.RemoveStages(ctx, d.archive, d.claim.Former)
}

// committing sets how the loads of the spool are committed: in the order of all servers, by the spool's claim,
// or directly.
func (d *decodeLoop) committing(o *archive.Options) {
	if d.claim == nil {
		o.Order = d.others.order()
		return
	}
	o.Owner, o.Order = d.claim.Owner(), d.claim.Commits(func() spool.Position { return d.at })
}

// resumeClaim goes on where the claim says.
func (d *decodeLoop) resumeClaim(ctx context.Context) error {
	r := d.claim.Record()
	d.at, d.last, d.watermark = r.Position, r.Number(), r.Watermark
	d.open.began = d.last
	return d.o.Spool.(Shared).ResumeAt(ctx, r.Position, r.Watermark)
}

// progress publishes a watermark, unless there is none. First the claim has it, so
// that who takes it over gives no submission an earlier time.
func (d *decodeLoop) progress(ctx context.Context, watermark int64) error {
	if d.claim != nil {
		if err := d.claim.Move(ctx, d.at, watermark); err != nil {
			return err
		}
	}
	if watermark <= 0 {
		return nil
	}
	return edgestate.SetProgress(ctx, d.archive, d.o.Edge, watermark, d.o.Now())
}

// from is the number with which the name of the load begins.
func (l *openLoad) from() uint64 {
	if g := l.segments[0]; g.After == nil {
		return g.Number
	}
	return l.began
}

// resume finds out which segments are in the archive, and tells the spool.
func (d *decodeLoop) resume(ctx context.Context, loads []string) (err error) {
	if d.claim != nil {
		return d.resumeClaim(ctx)
	}
	if d.last, err = lastSegment(loads); err != nil {
		return err
	}
	if d.last == 0 {
		if d.expired, err = anyExpired(ctx, d.archive); err != nil {
			return err
		}
	}
	sealed, err := d.o.Spool.Sealed()
	if err != nil {
		return err
	}
	if err := d.claimSpool(ctx, sealed); err != nil {
		return err
	}
	return d.o.Spool.Resume(d.last)
}
