package dashboard

import (
	"context"

	"github.com/pingmill/pingmill/store/database"
)

// Copy copies dashboards from one place to another one without any.
func Copy(ctx context.Context, from, to database.Place) error {
	return database.CopyPlace(ctx, from, to, "dashboards", migrations, "EXISTS (SELECT 1 FROM dashboards WHERE builtin = 0)",
		"dashboards", "revisions", "words", "favourites", "files")
}
