package archive

import (
	"context"
	"slices"
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
			require.NoError(t, SetProgress(ctx, b, step.edge, step.through))
		}
		if got := complete(); !slices.Equal(got, step.want) {
			t.Errorf("after %+v complete are %v", step, got)
		}
	}
	if err := SetProgress(ctx, b, "a/b", 1); err == nil {
		t.Error("an edge with a slash was taken")
	}
	require.NoError(t, store.WriteFile(ctx, b, "progress/v1/bad.json", []byte(`{"format":2}`)))
	if _, err := ReadProgress(ctx, b); err == nil {
		t.Error("a record of another format was taken")
	}
}
