package etl_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/site"
)

func init() {
	etl.SetReadStates(func(t testing.TB, s *site.Site, now time.Time, tables []string, days ...string) (all etl.SiteState) {
		t.Helper()
		st, err := status.Read(t.Context(), s, status.Options{Tables: tables, Days: days, Now: now})
		require.NoError(t, err)
		for _, p := range st.Partitions {
			all.Partitions = append(all.Partitions,
				etl.PartitionState{Unit: p.Unit, State: string(p.State), Wrong: p.State.Wrong(), Reasons: p.Reasons})
		}
		for _, e := range st.Edges {
			all.Silent = append(all.Silent, e.Silent)
		}
		all.Wrong, all.Notes, all.Trouble = st.Wrong(), st.Notes, st.Trouble
		return all
	})
}
