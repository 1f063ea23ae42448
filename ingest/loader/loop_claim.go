package loader

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
)

// takeOver takes the claim of a spool that several processes may decode, and finishes what previous owners
// left. Such spools have no document in common, so their loads need no order; the loads of edges do.
func (d *decodeLoop) takeOver(ctx context.Context) (err error) {
	if _, shared := d.o.Spool.(Shared); !shared {
		d.others, err = newOthers(ctx, d.site, "for edge "+d.o.Edge, d.o.turnPause)
		return err
	}
	return d.takeClaim(ctx)
}

// settleClaimed publishes the load that the previous owner of a claim decided, if it is not in the archive.
func settleClaimed(ctx context.Context, b store.Bucket, r *claim.Record) error {
	done, err := archive.Settle(ctx, b, r.Load, r.Stage)
	if err == nil && !done {
		err = fmt.Errorf("load %s was decided and is neither in the archive nor in %s: its submissions are lost, unless these files are "+
			"restored; to go on without them, take load and stage out of %s",
			r.Load, r.Stage, claim.Object(r.Edge))
	}
	return err
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

// progress publishes a watermark, unless there is none. First the claim has it, so
// that who takes it over gives no submission an earlier time.
func (c *cursor) progress(ctx context.Context, watermark int64) error {
	if c.claim != nil {
		if err := c.claim.Move(ctx, c.at, watermark); err != nil {
			return err
		}
	}
	if watermark <= 0 {
		return nil
	}
	return edgestate.SetProgress(ctx, c.archive, c.o.Edge, watermark, c.o.Now())
}

// from returns the number with which the name of the load begins.
func (l *openLoad) from() uint64 {
	if g := l.segments[0]; g.After == nil {
		return g.Number
	}
	return l.began
}
