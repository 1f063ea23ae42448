package lake

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// holder holds the files of generations, by their tags.
type holder struct {
	tags  []string
	down  bool
	calls int
}

func (h *holder) Holds(_ context.Context, _ *schema.Table, _ string, files []string) (held []string, err error) {
	if h.calls++; h.down {
		return nil, errors.New("the catalog is down")
	}
	for _, f := range files {
		if slices.ContainsFunc(h.tags, func(tag string) bool { return strings.Contains(f, "-"+tag) }) {
			held = append(held, f)
		}
	}
	return held, nil
}

func (h *holder) Release(context.Context, []string) {
	if !h.down {
		h.tags = nil
	}
}

// Files of other readers stay until they are released, and while the readers are unknown.
func TestHolder(t *testing.T) {
	b := localBucket(t)
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	table := aged(b, &now)
	h := &holder{tags: []string{"aaaa"}}
	table.Retainer = h
	for _, name := range []string{"aaaa", "bbbb", "cccc"} {
		publishAt(t, table, name)
	}
	want := func(names ...string) {
		t.Helper()
		if got := retainedNames(t, b); !slices.Equal(got, names) {
			t.Errorf("kept %q, want %q", got, names)
		}
	}
	require.Zero(t, h.calls, "asked before the time was over")
	now, h.down = now.Add(time.Hour), true
	check(t, table.Sweep(ctx, day))
	want("aaaa", "bbbb", "cccc")
	h.down = false
	check(t, table.Sweep(ctx, day))
	want("aaaa", "cccc")
	publishAt(t, table, "dddd")
	want("aaaa", "cccc", "dddd")
	h.tags = nil
	check(t, table.Sweep(ctx, day))
	want("cccc", "dddd")
	require.Equal(t, 4, h.calls)
}

// Files with rows of a removed client go as soon as nobody holds them, however
// long the time of grace is.
func TestRewriteWaitsForHolder(t *testing.T) {
	b := localBucket(t)
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	check(t, putClients(b, sampled, "aaaa", clientFiles()))
	table := aged(b, &now)
	h := &holder{tags: []string{"aaaa"}}
	table.Retainer = h
	got, err := table.Rewrite(ctx, day, forget("bbbb", "b", "c"))
	require.NoError(t, err)
	require.Positive(t, got.Replaced)
	old := func() (n int) {
		for e := range b.List(ctx, retainedRoot+"/") {
			if strings.Contains(e.Name, "-aaaa") {
				n++
			}
		}
		return n
	}
	held := old()
	all, err := table.Replaced(ctx)
	require.NoError(t, err)
	require.True(t, table.Over(all[0]))
	h.tags = nil
	check(t, table.Sweep(ctx, day))
	require.Equal(t, held-got.Replaced, old())
}
