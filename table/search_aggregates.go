package table

import (
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// MaxDayBytes limits the rows of search_aggregates of a day, in bytes: their texts, and entryBytes for each. Later ones are
// left out.
const MaxDayBytes = 256 << 20

// searchAggregates sums the searches of a day by what is known of the market. It has neither clients nor rows of pings
// without searches.
type searchAggregates struct {
	searchGroups
	day  int   // the column of the partition
	used int64 // of most
	most int64 // MaxDayBytes, except in tests
}

func newSearchAggregates(t *schema.Table, in *input) Rows {
	return &searchAggregates{searchGroups: newSearchGroups(t, in), day: t.Index(t.PartitionKeys[0]), most: MaxDayBytes}
}

func (d *searchAggregates) Add(out, in *column.Batch, _ func() error) error {
	w := d.begin(in)
	for r := range in.Rows {
		for _, s := range w.next() {
			if s.engine != nil && s.usable() {
				d.enter(out, r, s, d.room)
			}
		}
	}
	d.list = w.list
	return nil
}

// room allocates the group from the space of the client and the day.
func (d *searchAggregates) room(r int, _ search) bool {
	n := 0
	for _, k := range d.key {
		n += len(k)
	}
	if d.used+int64(n+entryBytes) > d.most || !d.take(r, n) {
		return false
	}
	d.used += int64(n + entryBytes)
	return true
}

func (d *searchAggregates) Flush(out *column.Batch, row func() error) error {
	err := appendGroups(out, d.groups.sorted(), row, func(from int, groups []int) {
		d.emit(out, from, groups)
		for i := range groups {
			if out.Rows = from + i; d.in.day != nil {
				out.SetShared(d.day, d.in.day)
			}
		}
	})
	d.reset()
	d.used = 0
	return err
}
