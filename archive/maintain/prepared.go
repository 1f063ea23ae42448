package maintain

import (
	"context"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// DropPrepared deletes the prepared rows of a day, whose tables are made: from then on its documents are read.
func DropPrepared(ctx context.Context, b store.Bucket, day ping.Day) error {
	if err := store.DeleteTree(ctx, b, naming.Prepared+"/"+naming.DayKey+string(day)); err != nil {
		return fmt.Errorf("delete prepared rows of %s: %w", day, err)
	}
	return nil
}

// SweepPrepared deletes the prepared rows of days before the given one, and those whose file of pings is gone: an earlier
// program that removes clients leaves them.
func SweepPrepared(ctx context.Context, b store.Bucket, before ping.Day) error {
	days := map[string][]string{} // names by day
	for e, err := range b.List(ctx, naming.Prepared+"/") {
		if err != nil {
			return fmt.Errorf("list prepared rows: %w", err)
		}
		day, _, _ := strings.Cut(strings.TrimPrefix(e.Name, naming.Prepared+"/"+naming.DayKey), "/")
		days[day] = append(days[day], e.Name)
	}
	for day, names := range days {
		files := map[string]bool{} // listed later: rows are placed after their file
		for e, err := range b.List(ctx, naming.Pings+"/"+naming.DayKey+day+"/") {
			if err != nil {
				return fmt.Errorf("list the pings of prepared rows: %w", err)
			}
			files[e.Name] = true
		}
		for _, name := range names {
			if ping.Day(day) >= before && files[naming.FileOfPrepared(name)] {
				continue
			}
			if err := b.Delete(ctx, name); err != nil {
				return fmt.Errorf("delete prepared rows: %w", err)
			}
		}
	}
	return nil
}
