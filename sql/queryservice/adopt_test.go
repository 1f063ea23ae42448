package queryservice

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAdopt: a query that was run before it was saved is one of the saved query, if it is the person's own and has its text.
func TestAdopt(t *testing.T) {
	d := opened(t, published(t, "20180301"))
	const text = "SELECT count(*) FROM crash_summary"
	q := submitted(t, d, ann, text)
	require.NoError(t, Adopt(t.Context(), d, bob, q.ID, "bobs", text))
	require.NoError(t, Adopt(t.Context(), d, ann, q.ID, "other", text+" -- other"))
	require.NoError(t, Adopt(t.Context(), d, ann, "nothing", "other", text))
	require.NoError(t, Adopt(t.Context(), d, ann, q.ID, "anns", text))
	require.NoError(t, Adopt(t.Context(), d, ann, q.ID, "second", text))
	for saved, want := range map[string]int{"anns": 1, "bobs": 0, "other": 0, "second": 0} {
		list, _, err := d.List(t.Context(), bob, Filter{Saved: saved, State: Done, Limit: 10}) // may read the table
		require.NoError(t, err)
		require.Len(t, list, want, saved)
	}
	got, err := d.Get(t.Context(), ann, q.ID)
	require.NoError(t, err)
	require.Equal(t, "anns", got.Saved)
	require.Equal(t, int64(1), got.Rows)
}
