package generate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// TestVisitors counts what clients send that come once or twice.
func TestVisitors(t *testing.T) {
	const clients, days = 2000, 10
	c := Config{Seed: 1, Clients: clients, Days: days, MeanBytes: minMeanBytes, Damaged: -1, Duplicates: -1, NullClients: -1, Visitors: true}
	g, err := New(c)
	require.NoError(t, err)
	all, byType, seen := 0, map[ping.DocType]int{}, map[string]map[ping.Day]bool{}
	for s := range g.Submissions() {
		id := string(s.Meta.Text(ping.ClientID))
		if seen[id] == nil {
			seen[id] = map[ping.Day]bool{}
		}
		seen[id][ping.DayOf(s.Timestamp)] = true
		byType[s.DocType]++
		all++
	}
	visits := 0
	for _, on := range seen {
		visits += len(on)
	}
	t.Logf("%d clients on %d days in all: %v", len(seen), visits, byType)
	require.Greater(t, len(seen), clients*9/10)
	require.Less(t, visits, 3*len(seen))
	require.Less(t, all, 2*clients)
	require.Greater(t, byType["new-profile"], clients*8/10)
	require.Greater(t, byType["main"], clients/20)
}
