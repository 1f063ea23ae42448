package glean

import (
	"context"
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
	_, err := changeStored(ctx, lake, now, "remove Glean definitions", func(left Definitions) (Definitions, error) {
		for _, id := range ids {
			if left[id] == nil {
				return nil, fmt.Errorf("the lake has no definitions of %s: it has those of %s",
					id, strings.Join(slices.Sorted(maps.Keys(left)), ", "))
			}
		}
		maps.DeleteFunc(left, func(id string, _ *Application) bool { return slices.Contains(ids, id) })
		return left, accept(left)
	})
	return err
}
