package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Emptied reports whether all pings of a day were undone or given up, so that
// its tables have to be made of none.
func Emptied(ctx context.Context, b store.Bucket, day ping.Day) (bool, error) {
	folder := naming.Pings + "/" + naming.DayKey + string(day) + "/"
	records, err := replacing(ctx, b, folder)
	if err != nil {
		return false, fmt.Errorf("list replacing loads: %w", err)
	}
	for _, name := range records {
		l, err := readLoad(ctx, b, name)
		if err != nil {
			return false, err
		}
		if l.keepsIndex() && slices.ContainsFunc(l.Replaces, func(f string) bool { return dayFolder(f) == folder }) {
			return true, nil
		}
	}
	return false, nil
}
