package schema

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNarrow: the narrow columns of a table exist, in the order of the table, with the client by which rows are
// removed and hidden, and are a part that is worth a file of its own.
func TestNarrow(t *testing.T) {
	probes, err := LoadProbes("")
	require.NoError(t, err)
	for _, tab := range NewSet(probes).Tables {
		narrow := tab.NarrowColumns()
		if len(tab.Narrow) == 0 {
			if narrow != nil {
				t.Errorf("%s: columns that nobody named", tab.Name)
			}
			continue
		}
		for _, name := range append([]string{"client_id"}, tab.Narrow...) {
			if !slices.ContainsFunc(narrow, func(c Column) bool { return c.Name == name }) {
				t.Errorf("%s has no column %s", tab.Name, name)
			}
		}
		if len(narrow) > len(tab.Columns)/2 {
			t.Errorf("%s: %d of %d columns", tab.Name, len(narrow), len(tab.Columns))
		}
	}
}
