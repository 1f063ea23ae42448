package loader

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
)

// identified is a Spool with an identity that no other spool of the edge has.
type identified interface{ Identity() (string, error) }

// otherSpoolError means that another spool under the name of the edge has used numbers of segments that this one has:
// they are not those in the archive.
type otherSpoolError struct{ edge, name string }

func (e *otherSpoolError) Error() string {
	return fmt.Sprintf("edge %s has had another spool, with the same numbers of segments: this one is decoded as edge %s. "+
		"Two edges need two names (edge.name)", e.edge, e.name)
}

// claimSpool makes sure that segments with numbers of before are those that are in the
// archive. The name of an edge is a spool's from its first segment on; a spool that
// would be taken for another one gets a name of its own.
func (c *cursor) claimSpool(ctx context.Context, sealed []spool.Segment) error {
	s, ok := c.o.Spool.(identified)
	if !ok || c.claimed {
		return nil
	}
	id, err := s.Identity()
	if err != nil {
		return err
	}
	was, err := edgestate.SpoolOf(ctx, c.archive, c.o.Edge)
	if damaged := (*store.StateError)(nil); errors.As(err, &damaged) && (len(sealed) == 0 || sealed[0].Number > c.last) {
		if len(sealed) == 0 {
			return nil
		}
		c.o.Log.Error("which spool the edge had is not known any more; no segment of this one can be one of another", "error", err)
		was, err = "", nil
	}
	if err != nil {
		return err
	}
	if was != id && was != "" {
		other := &otherSpoolError{c.o.Edge, c.o.Edge + "_" + strings.ToLower(id[:8])}
		had, err := edgestate.SpoolOf(ctx, c.archive, other.name)
		if err == nil && had != id && len(sealed) > 0 && sealed[0].Number <= c.last {
			had, err = id, edgestate.SetSpool(ctx, c.archive, other.name, id)
		}
		switch {
		case err != nil:
			return err
		case had == id:
			return other
		case len(sealed) == 0:
			return nil
		}
	}
	c.claimed = true
	if was == id {
		return nil
	}
	return edgestate.SetSpool(ctx, c.archive, c.o.Edge, id)
}
