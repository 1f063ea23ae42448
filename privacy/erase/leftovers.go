package erase

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// ownLeftovers removes what may still name forgotten clients on this machine: the ledger's errors, and what killed queries have
// put on the disk.
func (c *removal) ownLeftovers(ctx context.Context) error {
	if err := c.ledger.Redact(ctx, c.set.Redacted); err != nil {
		return err
	}
	return c.tidyTemp(c.o.Now().Add(-leftAge))
}

// leftovers removes what may still name forgotten clients beside archive and
// tables: what killed loads have staged, and files that killed processes have begun.
func (c *removal) leftovers(ctx context.Context) error {
	if err := c.staged(ctx, site.LoadLock, ""); err != nil {
		return err
	}
	edges, err := edgestate.ReadProgress(ctx, c.data.Archive)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if err := c.staged(ctx, "drain-"+e.Edge, "spool-"+e.Edge); err != nil {
			return err
		}
	}
	for _, b := range append(slices.Collect(maps.Values(c.data.Roots)), c.data.Archive) {
		if err := store.Tidy(ctx, b, "", c.o.Now().Add(-leftAge)); err != nil {
			return err
		}
	}
	return nil
}

// staged removes what dead writers of an owner have left, unless one is at work:
// it has done so.
func (c *removal) staged(ctx context.Context, lock, owner string) error {
	if c.data.Sharing != nil {
		return nil // it may be at work on another machine
	}
	held, err := c.lockFiles.TryLock(lock)
	if errors.Is(err, site.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer held.Close()
	w, err := archive.NewWriter(ctx, c.data.Archive, archive.Options{Owner: owner})
	if err != nil {
		return err
	}
	return w.Abort()
}

// leftAge is the age from which unfinished files are taken for left behind.
const leftAge = 24 * time.Hour
