package quality

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site/sitetest"
)

func everything(string) bool { return true }

func changesOf(t testing.TB, lt *lake.Table, day string) []Finding {
	t.Helper()
	c, err := NewBook().Changes(t.Context(), lt, day, everything)
	require.NoError(t, err)
	return c.Findings
}

// each changes a copy of each row; rows for which change is false are dropped.
func eachRow(rows []map[string]any, change func(i int, row map[string]any) bool) (out []map[string]any) {
	for i, row := range rows {
		own := map[string]any{}
		for k, v := range row {
			own[k] = v
		}
		if change(i, own) {
			out = append(out, own)
		}
	}
	return out
}

// faults lists faults of a day with the finding expected on top; rank is its lowest allowed score.
var faults = map[string]struct {
	fault  func([]map[string]any) []map[string]any
	rule   Rule
	column string
	value  string
	score  int
}{
	"a channel is gone": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool { return r["normalized_channel"] != "beta" })
	}, Vanished, "normalized_channel", "beta", 35},
	"a channel halved": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool {
			return r["normalized_channel"] != "beta" || xxhash.Sum64String(r["client_id"].(string))%2 == 0
		})
	}, Fewer, "normalized_channel", "beta", 25},
	"a column is null": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool { delete(r, "country"); return true })
	}, WentNull, "country", "", 90},
	"a tenth is null": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(i int, r map[string]any) bool {
			if i%5 == 0 {
				delete(r, "os_name")
			}
			return true
		})
	}, NullsMoved, "os_name", "", 25},
	"all rows twice":   {func(rows []map[string]any) []map[string]any { return append(rows, rows...) }, RowsJump, "", "", 70},
	"half of the rows": {func(rows []map[string]any) []map[string]any { return rows[:len(rows)/2] }, RowsJump, "", "", 70},
	"a member is null": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool { r["payload"] = map[string]any{}; return true })
	}, WentNull, "payload.processType", "", 75},
	"an experiment for everybody": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool { r["experiments"] = map[string]any{"new": "on"}; return true })
	}, NullsMoved, "experiments", "", 40},
	"lists are empty": {func(rows []map[string]any) []map[string]any {
		return eachRow(rows, func(_ int, r map[string]any) bool {
			if r["experiments"] != nil {
				r["experiments"] = map[string]any{}
			}
			return true
		})
	}, EmptyMoved, "experiments", "", 20},
}

// TestFaults: a day's fault is the first finding about it, and stays a finding while it lasts.
func TestFaults(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	p := &people{seed: 7, n: 1500}
	p.publish(t, lt, 0, 34, nil)
	for what, f := range faults {
		p.publish(t, lt, 35, 36, f.fault)
		got := changesOf(t, lt, dayAt(35))
		require.NotEmpty(t, got, what)
		top := got[0]
		t.Logf("%s: %d %s (%d in all)", what, top.Score, top.Text, len(got))
		require.Equal(t, []string{string(f.rule), f.column, f.value}, []string{string(top.Rule), top.Column, top.Value}, "%s: %s", what, top.Text)
		require.GreaterOrEqual(t, top.Score, f.score, what)
		next := changesOf(t, lt, dayAt(36))
		require.NotEmpty(t, next, what)
		require.Equal(t, []string{top.Column, top.Value, dayAt(35)}, []string{next[0].Column, next[0].Value, next[0].Since},
			"%s, a day later: %s", what, next[0].Text)
	}
	p.publish(t, lt, 35, 36, nil) // whichever fault came last
	require.NoError(t, lt.Expire(t.Context(), dayAt(35)))
	require.NoError(t, Delete(t.Context(), lt, dayAt(35)))
	require.Equal(t, Missing, changesOf(t, lt, dayAt(36))[0].Rule)
	require.Equal(t, Missing, changesOf(t, lt, dayAt(35))[0].Rule)
}

// TestRepeats: documents that come twice are found, by the share of rows that repeat one.
func TestRepeats(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "telemetry_update_parquet")
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 9 {
		var rows []map[string]any
		for range 800 {
			row := map[string]any{"id": text(r), "client_id": text(r)}
			rows = append(rows, row)
			if share := r.IntN(100); share == 0 || n == 8 && share < 10 {
				rows = append(rows, row)
			}
		}
		sitetest.Publish(t, lt, dayAt(n), "aa", "", rows)
		p, err := Compute(t.Context(), s, lt, dayAt(n), Options{})
		require.NoError(t, err)
		require.NoError(t, Write(t.Context(), lt, p))
	}
	top := changesOf(t, lt, dayAt(8))[0]
	require.Equal(t, Repeats, top.Rule, top.Text)
}

// TestQuietWeeks: of two months in which nothing is wrong, there is little to say, and nothing grave. New versions are among it.
func TestQuietWeeks(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	p := &people{seed: 11, n: 800}
	p.publish(t, lt, 0, 66, nil)
	all, large := 0, 0
	for n := 7; n < 67; n++ {
		for _, f := range changesOf(t, lt, dayAt(n)) {
			if f.Since != "" {
				continue
			}
			t.Logf("%s: %d %s", dayAt(n), f.Score, f.Text)
			all++
			require.Less(t, f.Score, 60, f.Text)
			if f.Score >= 30 && f.Column != "build_version" {
				large++
			}
		}
	}
	t.Logf("%d findings in 60 days, %d of 30 or more that are not of a release", all, large)
	require.LessOrEqual(t, large, 2)
	require.LessOrEqual(t, all, 30)
}

// TestHidden: of columns that may not be seen nothing is said.
func TestHidden(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	p := &people{seed: 7, n: 800}
	p.publish(t, lt, 0, 7, nil)
	p.publish(t, lt, 8, 8, faults["a column is null"].fault)
	c, err := NewBook().Changes(t.Context(), lt, dayAt(8), func(column string) bool { return column != "country" })
	require.NoError(t, err)
	for _, f := range c.Findings {
		require.NotContains(t, f.Text+f.SQL, "country")
	}
}

func text(r *rand.Rand) string { return strconv.FormatUint(r.Uint64(), 36) }
