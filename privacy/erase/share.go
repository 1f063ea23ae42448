package erase

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// The leases of the pieces of a cycle, by their names, and of its end. Each is for one server.
const (
	pieceLeases = "_leases/removal/"
	endLease    = pieceLeases + "end"
)

// sharePause is the pause between two looks at the work of other servers.
const sharePause = 2 * time.Second

var (
	// errEnded means that another server has ended the cycle.
	errEnded = errors.New("another server has ended the removal")
	// errElsewhere means that other servers do all that is left.
	errElsewhere = errors.New("other servers remove the rows that are left")
)

// Removers lists the servers that remove rows now from a lake that servers share.
func Removers(ctx context.Context, s *site.Site, now time.Time) (all []forget.Remover, err error) {
	for e, err := range s.Archive.List(ctx, pieceLeases) {
		if err != nil {
			return nil, fmt.Errorf("list the servers that remove rows: %w", err)
		}
		holder, _, err := store.LeaseHolder(ctx, s.Archive, e.Name, now)
		if err != nil {
			return nil, err
		}
		if holder != "" {
			all = append(all, forget.Remover{Server: holder, Piece: strings.TrimPrefix(e.Name, pieceLeases)})
		}
	}
	return all, nil
}

// share does pieces of the cycle until all are done, also by others.
func (c *removal) share(ctx context.Context) error {
	c.done = c.forgotten.Progress(c.cycle)
	err := c.look(ctx)
	for err == nil && len(c.done.Open(c.cycle)) > 0 {
		if err = c.next(ctx); errors.Is(err, errElsewhere) {
			err = c.o.Wait(ctx, sharePause)
		}
		if err == nil {
			err = c.look(ctx)
		}
	}
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// look reads which pieces are done. The cycle is looked for afterwards, since with it they go.
func (c *removal) look(ctx context.Context) error {
	if err := c.done.Read(ctx); err != nil {
		return err
	}
	running, err := c.done.IsRunning(ctx)
	if err == nil && !running {
		err = errEnded
	}
	if now := c.cycle.With(c.done.Pieces); err == nil && now.Done != c.days && c.o.Progress != nil {
		c.days = now.Done
		c.o.Progress(now)
	}
	return err
}

// next does the first piece that nobody is at. If there is none, the error matches errElsewhere; if nobody else removes rows either,
// it says what is in the way.
func (c *removal) next(ctx context.Context) error {
	// No run of this server publishes meanwhile, so none can bring back what it has read before. No day waits for its end.
	release, err := c.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	others := false
	var failed error
	for _, p := range c.done.Open(c.cycle) {
		lease, err := c.lease(ctx, pieceLeases+p.Name())
		var bad *store.BadLeaseError
		switch {
		case errors.Is(err, store.ErrHeld):
			others = true
			continue
		case errors.As(err, &bad):
			failed = errors.Join(failed, err)
			continue
		case err != nil:
			return err
		}
		err = c.do(ctx, p, lease)
		lease.Release()
		if ctx.Err() == nil && (errors.Is(err, store.ErrHeld) || errors.Is(err, store.ErrLost)) {
			c.o.Log.Info("removing the rows of forgotten clients: another server is at it, so other days go first", "day", p.Day, "reason", err)
			failed = errors.Join(failed, err)
			continue
		}
		return err
	}
	if others {
		return errElsewhere
	}
	return failed
}

// do does a piece, unless that was done meanwhile.
func (c *removal) do(ctx context.Context, p *forget.Piece, lease *site.Lock) error {
	if c.data.Sharing != nil {
		if has, err := c.done.Has(ctx, p); has || err != nil {
			return err
		}
		p.Server = c.data.Sharing.Holder
	}
	ctx, explain, stop := lease.While(ctx)
	defer stop()
	c.piece, c.own = p, lease
	work := c.day
	if p.Late {
		work = c.lateDay
	}
	if err := work(ctx, p); err != nil {
		return fmt.Errorf("day %q: %w", p.Day, explain(err))
	}
	if err := c.confirm(ctx, lease); err != nil {
		return err
	}
	return c.done.Save(ctx, p)
}

// confirm checks that this server is still one of the removers and has the lease of its piece.
func (c *removal) confirm(ctx context.Context, lease *site.Lock) error {
	if err := c.lock.Confirm(ctx); err != nil {
		return err
	}
	return lease.Confirm(ctx)
}

// hold takes the right to publish of all runs, and waits as long as one is at
// work.
func (c *removal) hold(ctx context.Context) (release func(), err error) {
	for {
		release, err = c.ledger.Hold(ctx)
		if !errors.Is(err, job.ErrInUse) {
			return release, err
		}
		if err := c.o.Wait(ctx, time.Second); err != nil {
			return nil, err
		}
	}
}
