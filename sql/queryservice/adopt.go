package queryservice

import (
	"context"
	"errors"

	"github.com/pingmill/pingmill/access"
)

// Adopt makes a person's query one of a saved query with the same text: it was run before it was saved. It does nothing if the
// person has no such query, or if it is one of a saved query already.
func Adopt(ctx context.Context, d *Service, p *access.Person, id, saved, sql string) error {
	s, err := d.find(ctx, "id = ? AND person = ? AND sql = ? AND saved = '' AND state = ?", id, p.ID, sql, Done)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s.q.Saved = saved
	return d.update(ctx, &s.q, s.uses)
}
