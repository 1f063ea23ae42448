package edgestate

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

func TestProgress(t *testing.T) {
	ctx, b := context.Background(), store.NewMemory()
	midnight := time.Date(2018, 3, 2, 0, 0, 0, 0, time.UTC).UnixNano()
	complete := func() (days []ping.Day) {
		t.Helper()
		edges, err := ReadProgress(ctx, b)
		require.NoError(t, err)
		for _, d := range []ping.Day{"20180228", "20180301", "20180302"} {
			if Complete(d, edges) {
				days = append(days, d)
			}
		}
		return days
	}
	for _, step := range []struct {
		edge    string
		through int64
		want    []ping.Day
	}{
		{"", 0, []ping.Day{"20180228", "20180301", "20180302"}}, // no edge
		{"one", midnight - 1, []ping.Day{"20180228"}},
		{"one", midnight, []ping.Day{"20180228", "20180301"}},
		{"two", midnight - 1, []ping.Day{"20180228"}}, // the slowest edge counts
		{"two", midnight + 5, []ping.Day{"20180228", "20180301"}},
	} {
		if step.edge != "" {
			require.NoError(t, SetProgress(ctx, b, step.edge, step.through, time.Time{}))
		}
		if got := complete(); !slices.Equal(got, step.want) {
			t.Errorf("after %+v complete are %v", step, got)
		}
	}
	if err := SetProgress(ctx, b, "a/b", 1, time.Time{}); err == nil {
		t.Error("an edge with a slash was taken")
	}
	require.NoError(t, store.WriteFile(ctx, b, "progress/v1/bad.json", []byte(`{"format":2}`)))
	all, err := ReadProgress(ctx, b)
	require.NoError(t, err)
	if all[0].Edge != "bad" || all[0].Damaged == nil ||
		!strings.Contains(all[0].Damaged.Error(), "pingmill archive drop progress/v1/bad.json") {
		t.Errorf("a record of another format: %+v", all[0])
	}
	require.Empty(t, complete(), "a day is complete although nothing is known of an edge")
}

// TestSilent: who has said nothing for the timeout is silent, as far as others have
// said something; a clock that is ahead makes nobody silent before the time.
func TestSilent(t *testing.T) {
	noon := time.Date(2018, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ago  map[string]time.Duration // since the report of each edge
		want []string
	}{
		"all well":               {map[string]time.Duration{"a": 0, "b": 23 * time.Hour}, nil},
		"one is silent":          {map[string]time.Duration{"a": 0, "b": 25 * time.Hour}, []string{"b"}},
		"the only one":           {map[string]time.Duration{"a": 100 * time.Hour}, nil},
		"all are down":           {map[string]time.Duration{"a": 100 * time.Hour, "b": 110 * time.Hour}, nil},
		"one clock is far ahead": {map[string]time.Duration{"a": -1000 * time.Hour, "b": time.Hour, "c": 25 * time.Hour}, []string{"c"}},
	} {
		var edges []Progress
		for e, ago := range c.ago {
			edges = append(edges, Progress{Edge: e, Reported: noon.Add(-ago), Watermark: noon.Add(-time.Hour).UnixNano()})
		}
		others, silent := Silent(edges, noon, 24*time.Hour)
		var got []string
		for _, e := range silent {
			got = append(got, e.Edge)
		}
		if !slices.Equal(got, c.want) || len(others)+len(silent) != len(edges) {
			t.Errorf("%s: silent are %v of %v, want %v", name, got, edges, c.want)
		}
		if _, silent := Silent(edges, noon, 0); silent != nil {
			t.Errorf("%s: without a timeout %v are silent", name, silent)
		}
	}
}
