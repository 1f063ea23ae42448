package glean

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// input is the input of a case about rows.
type input struct {
	Day       string
	Baseline  []map[string]any
	Usage     []map[string]any `json:"usage_reporting"`
	Crash     []map[string]any
	FirstSeen map[string]string `json:"first_seen"`
	Earlier   []string
	Past      []string         `json:"past_hashes"`
	Daily     []map[string]any `json:"baseline_clients_daily"`
	Previous  []map[string]any
	Pings     []struct{ Meta, Ping json.RawMessage }
}

func (c *testCase) input(t *testing.T) (in input) {
	t.Helper()
	decode(t, string(c.Input), &in)
	return in
}

func (in *input) day(t *testing.T) int32 {
	day, ok := DayNumber(in.Day)
	require.True(t, ok)
	return day
}

func batchOf(t testing.TB, columns []schema.Column, rows []map[string]any) *column.Batch {
	t.Helper()
	b := column.NewBatch(schema.Nullable(columns))
	for _, row := range rows {
		require.NoError(t, b.AppendJSONRow(row))
	}
	return b
}

func noRow() error { return nil }

func (c *testCase) daily(t *testing.T) {
	in, table := c.input(t), c.table(t, "baseline_clients_daily")
	out := column.NewBatch(table.Columns)
	day := &Day{Day: in.day(t), Seen: func(id []byte) (int32, bool) { return DayNumber(in.FirstSeen[string(id)]) }}
	require.NoError(t, NewClients(table).AppendRows(out, batchOf(t, Inputs(table), in.Baseline), day, noRow))
	c.sameRows(t, rowsOf(t, out))
}

func (c *testCase) firstSeen(t *testing.T) {
	in, table := c.input(t), c.table(t, "baseline_clients_first_seen")
	out := column.NewBatch(table.Columns)
	earlier := map[string]bool{}
	for _, id := range in.Earlier {
		earlier[id] = true
	}
	today := in.day(t)
	day := &Day{Day: today, Seen: func([]byte) (int32, bool) { return today, true }, Skip: func(id []byte) bool { return earlier[string(id)] }}
	require.NoError(t, NewClients(table).AppendRows(out, batchOf(t, Inputs(table), in.Baseline), day, noRow))
	c.sameRows(t, rowsOf(t, out))
}

func (c *testCase) usage(t *testing.T) {
	in, table := c.input(t), c.table(t, "usage_reporting_clients_daily")
	out := column.NewBatch(table.Columns)
	require.NoError(t, NewClients(table).AppendRows(out, batchOf(t, Inputs(table), in.Usage), &Day{Day: in.day(t)}, noRow))
	c.sameRows(t, rowsOf(t, out))
}

func (c *testCase) lastSeen(t *testing.T) {
	in, table := c.input(t), c.table(t, "baseline_clients_last_seen")
	out := column.NewBatch(table.Columns)
	daily := c.table(t, "baseline_clients_daily")
	require.NoError(t, NewLastSeen(table, in.day(t), 1).AppendRows(out, batchOf(t, daily.Columns, in.Daily),
		batchOf(t, table.Columns, in.Previous), noRow))
	c.sameRows(t, rowsOf(t, out))
}

func (c *testCase) crashes(t *testing.T) {
	in, table, crash := c.input(t), c.table(t, "crashes"), c.table(t, "crash")
	out := column.NewBatch(schema.Nullable(table.Columns))
	past := map[string]bool{}
	for _, h := range in.Past {
		past[h] = true
	}
	has := func(h string) bool { return past[h] }
	require.NoError(t, NewCrashes(table, in.day(t)).AppendRows(out, batchOf(t, crash.Columns, in.Crash), has, noRow))
	c.sameRows(t, rowsOf(t, out))
}

func (c *testCase) events(t *testing.T) {
	in, table := c.input(t), c.table(t, "events_stream")
	out := column.NewBatch(table.Columns)
	s := NewStream(table)
	for _, p := range in.Pings {
		var meta ping.Meta
		require.NoError(t, meta.ParseJSON(p.Meta))
		_, err := s.Append(out, &meta, p.Ping)
		require.NoError(t, err)
	}
	rows := rowsOf(t, out)
	c.sameRows(t, rows)
}

// sameRows compares rows in any order, but those of crashes, which have one.
func (c *testCase) sameRows(t *testing.T, got []map[string]any) {
	t.Helper()
	wants := c.Expect["rows"].([]any)
	require.Len(t, got, len(wants))
	for i, want := range wants {
		why := ""
		for k := range got {
			if why = c.unlike(want.(map[string]any), got[k]); why == "" {
				got = append(got[:k:k], got[k+1:]...)
				break
			}
			if c.Table == "crashes" {
				break
			}
		}
		if why != "" {
			t.Errorf("row %d: no such row: %s", i, why)
		}
	}
}

func (c *testCase) unlike(want, got map[string]any) string {
	for name, w := range want {
		if why := differ(name, w, got[name], c.Partial); why != "" {
			return why
		}
	}
	return ""
}
