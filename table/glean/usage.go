package glean

import (
	"slices"

	"github.com/pingmill/pingmill/table/column"
)

// usageDefault returns true if the most frequent value is; a missing one counts as false.
func usageDefault(in *rows, i int, _ *Day) fold {
	yes := in.boolean("metrics", "boolean", "usage_is_default_browser")
	return func(out *column.Batch, client *client) {
		var count, last [2]int
		for k, row := range client.rows {
			is := int(bit(yes(row)))
			count[is]++
			last[is] = k
		}
		out.SetBool(i, count[1] > count[0] || count[1] == count[0] && last[1] > last[0])
	}
}

// usageActive reports whether the profile was used: by pages and ticks on desktop, by durations elsewhere.
func usageActive(in *rows, i int, _ *Day) fold {
	pages := in.number("metrics", "counter", "browser_engagement_uri_count")
	ticks := in.number("metrics", "counter", "browser_engagement_active_ticks")
	if pages.leaf < 0 || ticks.leaf < 0 {
		d := in.duration()
		return func(out *column.Batch, client *client) {
			out.SetBool(i, slices.ContainsFunc(client.rows, func(row int) bool {
				s, ok := d.seconds(row)
				return ok && s > 0 && s <= maxSeconds
			}))
		}
	}
	return func(out *column.Batch, client *client) {
		out.SetBool(i, pages.sum(client) > 0 && ticks.sum(client) > 0)
	}
}
