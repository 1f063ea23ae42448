package glean

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChanges lists what a newer folder would add, give a second type or leave as it is.
func TestChanges(t *testing.T) {
	older := definitionsOf(t, "loads counter one", "title string one", "size counter three")
	newer := definitionsOf(t, "loads quantity one four", "title string one", "length counter one")
	got, err := Changes(older, newer)
	require.NoError(t, err)
	require.Equal(t, []Change{
		{Kind: TableAdded, Table: "app_four"},
		{Kind: Added, Table: "app_one", Column: "metrics.counter.page_length", Type: "long"},
		{Kind: Stays, Table: "app_one", Column: "metrics.counter.page_loads", Type: "long"},
		{Kind: OtherType, Table: "app_one", Column: "metrics.quantity.page_loads", Type: "long", Beside: "metrics.counter.page_loads"},
		{Kind: TableStays, Table: "app_three"},
	}, got)
	got, err = Changes(older, older)
	require.NoError(t, err)
	require.Empty(t, got)
	got, err = Changes(nil, older)
	require.NoError(t, err)
	require.Contains(t, got, Change{Kind: TableAdded, Table: "app_one"})
	_, err = Changes(definitionsOf(t, "a_b counter one"), definitionsOf(t, "a__b counter one"))
	require.ErrorContains(t, err, "rename one")
	got, err = Changes(older, nil)
	require.NoError(t, err)
	require.False(t, slices.ContainsFunc(got, func(c Change) bool { return c.Kind != TableStays }))
}
