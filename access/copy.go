package access

import (
	"context"

	"github.com/pingmill/pingmill/store/database"
)

// CopyTo copies everything to an empty database.
func (s *Store) CopyTo(ctx context.Context, to *Store) error {
	return database.Copy(ctx, s.db, to.db, "EXISTS (SELECT 1 FROM people)", "people", "sessions", "links", "tokens", "audit")
}
