package catalog

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/view"
)

// snapshots returns the views of a table of snapshots: its own name for the newest one, and a name with the day for each of
// the others, such as longitudinal_v20180630. The newest one has such a name, too.
func snapshots(ctx context.Context, lt *lake.Table, v query.View, published *etl.PublishedFiles) (all []query.View) {
	days, err := lt.Days(ctx)
	v.Aliases = nil
	if v.Err = view.NewListError(err); err != nil || len(days) == 0 {
		return []query.View{v}
	}
	slices.Reverse(days)
	for _, day := range days {
		dayView := v
		dayView.Files, _, err = published.Files(ctx, lt, func(d string) bool { return d == day })
		dayView.Err = view.NewListError(err)
		if err == nil && len(dayView.Files) == 0 {
			if one, err := lt.Partition(ctx, day); err != nil || one == nil {
				continue // not published yet
			}
		}
		for _, f := range dayView.Files {
			dayView.Sizes = append(dayView.Sizes, published.Size(f))
		}
		name := lt.Schema.Name + "_" + lt.Schema.PartitionDir(day)
		if len(all) == 0 {
			dayView.Aliases = []string{name}
		} else {
			dayView.Name = name
		}
		all = append(all, dayView)
	}
	if len(all) == 0 {
		return []query.View{v}
	}
	return all
}
