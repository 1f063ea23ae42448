package iceberg

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestNewerColumns: an older program drops no columns from the Iceberg table of partitions that a newer one made. It drops
// them once it has made the newest day.
func TestNewerColumns(t *testing.T) {
	s, f, _ := following(t)
	run(t, s, sitetest.Day)
	follow(t, f, Options{})
	columns := len(load(t, f, "crash_summary").Schema().Fields)
	sitetest.MadeByNewer(t, s, "crash_summary", sitetest.Day)
	crash, err := schema.Find(s.Tables, "crash_summary")
	require.NoError(t, err)
	last := slices.IndexFunc(crash.Columns, func(c schema.Column) bool { return c.Name == "channel" })
	crash.Columns = slices.Delete(slices.Clone(crash.Columns), last, last+1) // in this older program
	follow(t, f, Options{Whole: true})
	require.Len(t, load(t, f, "crash_summary").Schema().Fields, columns)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"crash_summary"}, Days: []string{sitetest.Day}, Force: true})
	follow(t, f, Options{Whole: true})
	require.Len(t, load(t, f, "crash_summary").Schema().Fields, columns-1)
}
