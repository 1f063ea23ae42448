package lake

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/store"
)

// Unfinished reports whether a day has an unfinished generation or leftovers of a killed process. It changes nothing.
func (t *manifests) Unfinished(ctx context.Context, day string) (bool, error) {
	others, err := t.unfinished(ctx, day)
	if err != nil {
		return false, fmt.Errorf("look for what is unfinished of %s %s: %w", t.Schema.Name, day, err)
	}
	return others, nil
}

func (t *manifests) unfinished(ctx context.Context, day string) (bool, error) {
	for _, err := range store.Children(ctx, t.bucket, t.stagingDir(day)) {
		return err == nil, err
	}
	return false, nil
}

// Tidy removes everything of a day except its partition. It finishes or rolls back an interrupted publication
// or expiration and removes an unfinished generation. Replaced files remain for the grace period, unless the
// day has no partition. No other process may be making the day.
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
	if err := t.exchange().recover(ctx, day); err != nil {
		return err
	}
	if err := store.DeleteTree(ctx, t.bucket, t.stagingDir(day)); err != nil {
		return err
	}
	_, err := t.Partition(ctx, day)
	if missing(err) {
		return t.dropRetained(ctx, day)
	}
	return nil
}
