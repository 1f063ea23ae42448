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

// identified is a Spool that can be told from another one of the same edge.
type identified interface{ Identity() (string, error) }

// otherSpoolError says that another spool under the name of the edge has used numbers
// of segments that this one has: they are not those in the archive.
type otherSpoolError struct{ edge, name string }

func (e *otherSpoolError) Error() string {
	return fmt.Sprintf("edge %s has had another spool, with the same numbers of segments: this one is decoded as edge %s. "+
		"Two edges need two names (edge.name)", e.edge, e.name)
}

// claimSpool makes sure that segments with numbers of before are those that are in the
// archive. The name of an edge is a spool's from its first segment on; a spool that
// would be taken for another one gets a name of its own.
func (d *decodeLoop) claimSpool(ctx context.Context, sealed []spool.Segment) error {
	s, ok := d.o.Spool.(identified)
	if !ok || d.claimed {
		return nil
	}
	id, err := s.Identity()
	if err != nil {
		return err
	}
	was, err := edgestate.SpoolOf(ctx, d.archive, d.o.Edge)
	if damaged := (*store.StateError)(nil); errors.As(err, &damaged) && (len(sealed) == 0 || sealed[0].Number > d.last) {
		if len(sealed) == 0 {
			return nil
		}
		d.o.Log.Error("which spool the edge had is not known any more; no segment of this one can be one of another", "error", err)
		was, err = "", nil
	}
	if err != nil {
		return err
	}
	if was != id && was != "" {
		other := &otherSpoolError{d.o.Edge, d.o.Edge + "_" + strings.ToLower(id[:8])}
		had, err := edgestate.SpoolOf(ctx, d.archive, other.name)
		if err == nil && had != id && len(sealed) > 0 && sealed[0].Number <= d.last {
			had, err = id, edgestate.SetSpool(ctx, d.archive, other.name, id)
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
	d.claimed = true
	if was == id {
		return nil
	}
	return edgestate.SetSpool(ctx, d.archive, d.o.Edge, id)
}
