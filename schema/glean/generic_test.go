package glean

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// TestGeneric gives tables to pings without definitions, and their metrics when they get definitions.
func TestGeneric(t *testing.T) {
	defs := definitionsOf(t, "loads counter one")
	kinds := []ping.DocType{"main", "app/one", "app/two", "app/two", "other/one", "app/deletion-request", "other/Odd", "../x", "o_ther/one",
		"app/events_stream", "main/summary", "app/baseline_clients_x"}
	more, left := defs.Generic(kinds)
	require.Equal(t, []ping.DocType{"../x", "app/baseline_clients_x", "app/events_stream", "main/summary", "o_ther/one", "other/Odd"}, left)
	all := Union(defs, more)
	two := mustFind(t, all, "app_two")
	require.Equal(t, -1, two.Index(Metrics))
	require.Equal(t, -1, two.Index(Events))
	for _, name := range []string{ClientInfo, PingInfo, Rest, "app_version_major"} {
		require.GreaterOrEqual(t, two.Index(name), 0, name)
	}
	require.Equal(t, []string{"other_one"}, schema.Names(all["other"].Tables()))
	_, known := all.InfoSections("app", "two")
	require.False(t, known)
	more, left = all.Generic(kinds[:5])
	require.Empty(t, more)
	require.Empty(t, left)

	defined := Union(all, definitionsOf(t, "size counter two"))
	require.Equal(t, []string{"counter.page_size"}, memberPaths(t, defined, "app_two"))
	require.Empty(t, schema.Retypings(schema.Diff(two.Columns, mustFind(t, defined, "app_two").Columns)))
	require.False(t, Union(defined, all)["app"].Ping("two").Generic)
}

// TestGenericBound gives no tables to more pings than clients would send by themselves.
func TestGenericBound(t *testing.T) {
	var kinds []ping.DocType
	for i := range maxGeneric + 7 {
		kinds = append(kinds, ping.DocType(fmt.Sprintf("app/ping-%d", i)))
	}
	more, left := Definitions{}.Generic(kinds)
	require.Len(t, more["app"].Pings, maxGeneric)
	require.Len(t, left, 7)
	_, left = more.Generic(append(kinds, "app/another"))
	require.Len(t, left, 8)
}
