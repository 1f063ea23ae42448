package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// DocTypes lists the document types of a day's pings in the archive, sorted; the list may be empty. It includes
// damaged files, since their type is known. A damaged record of a load is an error.
func DocTypes(ctx context.Context, b store.Bucket, day ping.Day) ([]ping.DocType, error) {
	if !naming.ValidDay([]byte(day)) {
		return nil, fmt.Errorf("list archive day %q: not a day", day)
	}
	l, err := listFiles(ctx, b, naming.Pings+"/"+naming.DayKey+string(day)+"/")
	if err != nil {
		return nil, fmt.Errorf("list archive day %s: %w", day, err)
	}
	var types []ping.DocType
	for _, f := range l.files {
		types = append(types, ping.DocType(f.DocType))
	}
	for _, e := range l.damage {
		if e.File == nil {
			return nil, e
		}
		types = append(types, e.DocType)
	}
	slices.Sort(types)
	return slices.Compact(types), nil
}
