package access

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

var wordForm = regexp.MustCompile(`[A-Za-z0-9_-]+`)

// TestVisible: no text of any table names a table or column that a person may not read, whichever columns were granted.
func TestVisible(t *testing.T) {
	tables := schema.NewSet(&schema.Probes{}).Tables
	for _, table := range tables {
		if table.Internal() {
			require.Empty(t, (&Person{Grants: []Grant{{Table: table.Name}, {Table: AllTables}}}).Visible([]*schema.Table{table}))
			continue
		}
		columns := []string{table.Columns[0].Name, table.Columns[len(table.Columns)/2].Name}
		p := &Person{Grants: []Grant{{Table: table.Name, Columns: columns}}}
		seen := p.Visible(tables)
		require.Len(t, seen, 1)
		text, err := json.Marshal(seen[0])
		require.NoError(t, err)
		var shown struct {
			Doc, Grain, Refresh, Use string
			Notes                    []string
			Checks                   []struct{ Rule string }
			Columns                  []struct{ Name, Doc, Source, Arg string }
		}
		require.NoError(t, json.Unmarshal(text, &shown))
		require.LessOrEqual(t, len(shown.Columns), 2+len(table.PartitionKeys))
		text, err = json.Marshal(shown)
		require.NoError(t, err)
		for _, word := range wordForm.FindAllString(string(text), -1) {
			for _, other := range tables {
				require.False(t, other != table && word == other.Name, "%s names %s: %s", table.Name, word, text)
				if strings.Contains(word, "_") && other.Index(word) >= 0 || table.Index(word) >= 0 {
					require.True(t, p.readsColumn(table, word), "%s names %s: %s", table.Name, word, text)
				}
			}
		}
	}
	everything := &Person{Grants: []Grant{{Table: AllTables}, {Table: "search_clients_daily"}, {Table: "search_aggregates"}}}
	tables = slices.DeleteFunc(tables, (*schema.Table).Internal)
	for i, seen := range everything.Visible(tables) {
		require.Equal(t, tables[i], seen)
	}
}
