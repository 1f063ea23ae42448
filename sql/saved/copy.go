package saved

import (
	"context"

	"github.com/pingmill/pingmill/store/database"
)

// Copy copies saved queries, schedules and annotations from one place to another one without any.
func Copy(ctx context.Context, from, to database.Place) error {
	return database.CopyPlace(ctx, from, to, "saved", migrations, "EXISTS (SELECT 1 FROM queries WHERE builtin = 0)",
		"queries", "revisions", "words", "schedules", "runs", "annotations")
}
