package loader

import (
	"context"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
)

// cursor holds the position up to which a spool is decoded, and its claim if it is shared.
type cursor struct {
	o       *DecodeOptions
	archive store.Bucket

	claim *claim.Claim   // nil if the spool is not Shared
	at    spool.Position // behind last

	last    uint64 // segment that was decoded last
	claimed bool   // the name of the edge belongs to this spool
	expired bool   // loads may have been removed because their retention was over
}

// resume finds the segments that are in the archive, and removes them from the spool. loads are the edge's loads in the
// archive.
func (c *cursor) resume(ctx context.Context, loads []string) (err error) {
	if c.claim != nil {
		r := c.claim.Record()
		c.at, c.last = r.Position, r.Number()
		return c.o.Spool.(Shared).ResumeAt(ctx, r.Position, r.Watermark)
	}
	if c.last, err = lastSegment(loads); err != nil {
		return err
	}
	if c.last == 0 {
		if c.expired, err = anyExpired(ctx, c.archive); err != nil {
			return err
		}
	}
	sealed, err := c.o.Spool.Sealed()
	if err != nil {
		return err
	}
	if err := c.claimSpool(ctx, sealed); err != nil {
		return err
	}
	return c.o.Spool.Resume(c.last)
}

// passed records that a segment was decoded.
func (c *cursor) passed(g spool.Segment) {
	c.last = g.Number
	if g.After != nil {
		c.at = *g.After
	}
}

// takeClaim takes the claim of a Shared spool, and finishes the load that its previous owner decided.
func (c *cursor) takeClaim(ctx context.Context) (err error) {
	if c.claim, err = claim.Take(ctx, c.archive, c.o.Edge, c.o.Owner); err != nil {
		return err
	}
	if r := c.claim.Record(); r.Load != "" {
		if err := settleClaimed(ctx, c.archive, &r); err != nil {
			return err
		}
		if err := c.claim.Move(ctx, r.Position, r.Watermark); err != nil {
			return err
		}
	}
	return archive.RemoveStages(ctx, c.archive, c.claim.Former)
}
