package lake

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// With a time of grace, or for a Holder, replaced files stay where they are.
func TestGraceInBucket(t *testing.T) {
	b := store.NewMemory()
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	table := Open(b, sampled)
	table.Grace = Grace{For: 9 * time.Hour, InBucket: time.Hour, Now: func() time.Time { return now }}
	want := func(tags ...string) {
		t.Helper()
		var got []string
		for _, name := range foreign(t, b, sampled) {
			got = append(got, strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], ".parquet"))
		}
		require.Equal(t, tags, got)
		all, err := table.Replaced(ctx)
		require.NoError(t, err)
		if len(tags) < 2 {
			require.Empty(t, all)
		} else {
			require.Len(t, all, 1)
			require.Equal(t, len(tags)-1, all[0].Files)
		}
	}
	publishAt(t, table, "aaaa")
	want("aaaa")
	publishAt(t, table, "bbbb")
	want("aaaa", "bbbb")
	require.Empty(t, strays(t, b))
	now = now.Add(59 * time.Minute)
	check(t, table.Tidy(ctx, day))
	check(t, table.Sweep(ctx, day))
	publishAt(t, table, "cccc")
	want("aaaa", "bbbb", "cccc")
	now = now.Add(time.Minute)
	check(t, table.Sweep(ctx, day))
	want("bbbb", "cccc")
	publishAt(t, table, "bbbb") // it is back
	want("bbbb", "cccc")
	require.Zero(t, published(t, b, sampled).Fence)
	h := &holder{tags: []string{"cccc"}}
	table.Retainer = h
	now = now.Add(8 * time.Hour)
	check(t, table.Sweep(ctx, day))
	want("bbbb", "cccc")
	require.Zero(t, h.calls) // with a Holder the time is the other one
	now = now.Add(time.Hour)
	check(t, table.Sweep(ctx, day))
	want("bbbb", "cccc")
	check(t, table.Expire(ctx, day))
	_, err := table.Partition(ctx, day)
	require.True(t, missing(err))
	require.Len(t, foreign(t, b, sampled), 1)
	check(t, table.Tidy(ctx, day))
	require.Len(t, foreign(t, b, sampled), 1)
	h.tags = nil
	all, err := table.Replaced(ctx)
	require.NoError(t, err)
	require.True(t, table.Over(all[0]))
	check(t, table.Sweep(ctx, day))
	for e := range b.List(ctx, "") {
		t.Errorf("left over: %s", e.Name)
	}
}
