package queryservice

import (
	"context"

	"github.com/pingmill/pingmill/store/database"
)

// Copy copies the history of queries, without results, from one place to another one without any.
func Copy(ctx context.Context, from, to database.Place) error {
	return database.CopyPlace(ctx, from, to, "queries", migrations, "EXISTS (SELECT 1 FROM queries)", "queries", "servers")
}
