package live

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// TestShed: the rows of all tables together are bounded. Those that cannot be written come from the archive.
func TestShed(t *testing.T) {
	r := &Rows{o: Options{Log: slog.New(slog.DiscardHandler)}, byKind: map[ping.DocType][]*liveTable{}}
	for _, name := range []string{"a", "b", "c"} {
		lt := &liveTable{
			Table: &schema.Table{Name: name, DocType: name, Columns: []schema.Column{{Name: "n", Type: schema.MustType("int")}}},
			days:  map[ping.Day]*day{},
		}
		r.add(lt)
		d := lt.day("20180301")
		d.known, d.size, d.read = true, maxBatchBytes/3, 0
		require.NoError(t, d.batch.AppendJSONRow(map[string]any{}))
	}
	each := func(do func(d *day)) {
		for _, lt := range r.tables {
			do(lt.days["20180301"])
		}
	}
	r.shed(t.Context())
	each(func(d *day) { assert.Equal(t, 1, d.batch.Rows, d.table.Name) })
	each(func(d *day) { d.read = 1 << 10 })
	r.shed(t.Context())
	each(func(d *day) {
		assert.Zero(t, d.batch.Rows, d.table.Name)
		assert.Zero(t, d.size+int64(d.read), d.table.Name)
		assert.True(t, d.gap, d.table.Name)
	})
}

// TestTakers: a table of all types of an application's pings has rows of each of them, and of no other's.
func TestTakers(t *testing.T) {
	r := &Rows{byKind: map[ping.DocType][]*liveTable{}}
	for _, st := range []*schema.Table{
		{Name: "main", Namespace: ping.Telemetry, DocType: "main"}, {Name: "baseline", Namespace: "app", DocType: "baseline"},
		{Name: "stream", Namespace: "app", DocType: "events", Reach: schema.Reach{AllTypes: true}},
	} {
		r.add(&liveTable{Table: st})
	}
	for kind, want := range map[ping.DocType][]string{
		"main": {"main"}, "app/baseline": {"baseline", "stream"}, "app/events": {"stream"}, "app/other": {"stream"}, "other/baseline": nil,
		"baseline": nil,
	} {
		var names []string
		for _, lt := range r.takers(kind) {
			names = append(names, lt.Name)
			assert.True(t, lt.has([]ping.DocType{kind}), "%s %s", lt.Name, kind)
		}
		assert.Equal(t, want, names, kind)
	}
}
