package lake

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/pingmill/pingmill/store"
)

// A manifest's files are read where they are kept if all of them are there, and
// in the partition's folder in any other case.
func TestPaths(t *testing.T) {
	b := faulty(localBucket(t), []string{"grace"})
	check(t, run(b, daily, "aaaa", part0(0, 99)))
	table := opened(b, daily)
	m, err := table.Partition(ctx, day)
	check(t, err)
	file := m.Files[0].Name
	folder := "_generations/crash/v1/submission_date=2018-03-01/"
	for _, test := range []struct {
		record any
		want   string
	}{
		{nil, table.Path(day, file)},
		{retainedRecord{Format: retainedFormat, Whole: map[string]time.Time{"aaaa": {}}}, folder + file},
		{retainedRecord{Format: retainedFormat, Whole: map[string]time.Time{"aaaa": time.Unix(1, 0)}}, folder + file},
		{retainedRecord{Format: retainedFormat, Whole: map[string]time.Time{"bbbb": {}}}, table.Path(day, file)},
		{retainedRecord{Format: retainedFormat + 1, Whole: map[string]time.Time{"aaaa": {}}}, table.Path(day, file)},
		{"garbage", table.Path(day, file)},
	} {
		if test.record != nil {
			data, err := json.Marshal(test.record)
			check(t, err)
			check(t, store.WriteFile(ctx, b, folder+retainedName, data))
		}
		if got := table.Paths(ctx, m)(file); got != test.want {
			t.Errorf("%+v: %s, want %s", test.record, got, test.want)
		}
	}
}
