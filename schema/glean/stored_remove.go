package glean

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Remove removes applications from the definitions that the lake keeps. accept judges the definitions that are left, and
// an error of it changes nothing.
func Remove(ctx context.Context, lake store.Bucket, ids []string, now time.Time, accept func(Definitions) error) error {
	for {
		left, file, data, err := readStored(ctx, lake)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if left[id] == nil {
				return fmt.Errorf("the lake has no definitions of %s: it has those of %s",
					id, strings.Join(slices.Sorted(maps.Keys(left)), ", "))
			}
		}
		maps.DeleteFunc(left, func(id string, _ *Application) bool { return slices.Contains(ids, id) })
		if err := accept(left); err != nil {
			return err
		}
		applications, err := marshalStored(left)
		if err != nil {
			return err
		}
		err = replaceStored(ctx, lake, data, storedFile{Revision: file.Revision + 1, Changed: now, Applications: applications})
		if errors.Is(err, store.ErrChanged) {
			continue
		}
		if err != nil {
			return fmt.Errorf("remove Glean definitions: %w", err)
		}
		return nil
	}
}
