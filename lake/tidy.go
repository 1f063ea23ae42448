package lake

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/store"
)

// Unfinished reports whether a day has more than its published partition: an
// unfinished generation, or leftovers of a killed process. It changes
// nothing.
func (t *Table) Unfinished(ctx context.Context, day string) (bool, error) {
	others, err := t.unfinished(ctx, day)
	if err != nil {
		return false, fmt.Errorf("look for what is unfinished of %s %s: %w", t.Schema.Name, day, err)
	}
	return others, nil
}

func (t *Table) unfinished(ctx context.Context, day string) (bool, error) {
	for _, err := range store.Children(ctx, t.bucket, t.stagingDir(day)) {
		return err == nil, err
	}
	return false, nil
}

// Tidy leaves nothing of a day but its partition. What a killed process was
// publishing or expiring is finished or undone; a generation in the making is
// removed. What was replaced stays for the time of grace, but not without a
// partition. Nobody else may be making the day.
func (t *Table) Tidy(ctx context.Context, day string) error {
	if err := t.tidy(ctx, day); err != nil {
		return fmt.Errorf("tidy %s %s: %w", t.Schema.Name, day, err)
	}
	return nil
}

func (t *Table) tidy(ctx context.Context, day string) error {
	if !t.rename {
		if err := t.tidyInBucket(ctx, day); err != nil {
			return err
		}
		return store.DeleteTree(ctx, t.bucket, t.stagingDir(day))
	}
	if err := t.recover(ctx, day); err != nil {
		return err
	}
	if err := store.DeleteTree(ctx, t.bucket, t.stagingDir(day)); err != nil {
		return err
	}
	_, err := t.Partition(ctx, day)
	if missing(err) {
		return t.dropKept(ctx, day)
	}
	return nil
}
