package erase

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func published(t *testing.T, s *site.Site, table string) *lake.Manifest {
	t.Helper()
	lt, err := s.Table(table)
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	return m
}

// TestForgetInNewer removes rows from partitions that a newer version made: they stay that version's, current for it.
func TestForgetInNewer(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 200)
	_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: []string{"addons", "clients_daily"}, Days: []string{sitetest.Day}, Now: time.Now})
	require.NoError(t, err)
	newer := []string{"main_summary", "clients_daily"}
	for _, table := range newer {
		sitetest.MadeByNewer(t, s, table, sitetest.Day)
	}
	sitetest.AskToForget(t, s, "a", time.Now(), "client-3")
	mustForget(t, s)
	require.Zero(t, sitetest.Pending(t, s))
	for _, table := range append(newer, "addons") {
		for _, row := range sitetest.RowsOf(t, s, table, sitetest.Day) {
			require.NotEqual(t, "client-3", row["client_id"])
		}
	}
	summary, daily := published(t, s, "main_summary"), published(t, s, "clients_daily")
	require.Equal(t, summary.Generation, daily.Inputs[0].Generation)
	for _, m := range []*lake.Manifest{summary, daily} {
		require.Equal(t, 4, m.Made.Transforms)
		require.NotEmpty(t, m.Rewritten)
		for _, p := range m.Parts {
			require.Equal(t, sitetest.NewerWork(m.Inputs), p.Work)
		}
	}
}

// TestForgetWaitsForNewer: a request waits while a newer version must make rows again, or knows more columns with ids.
func TestForgetWaitsForNewer(t *testing.T) {
	s := searchSite(t, sitetest.Memory(t, store.NewMemory()), true)
	rows := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day))
	sitetest.MadeByNewer(t, s, "search_aggregates", sitetest.Day)
	sitetest.AskToForget(t, s, "a", time.Now(), forgottenClient)
	for range 2 {
		_, err := Run(t.Context(), s, forgetOptions())
		require.ErrorIs(t, err, lake.ErrNewer)
		require.ErrorContains(t, err, "search_aggregates "+sitetest.Day+" is to be made again")
		require.Equal(t, 1, sitetest.Pending(t, s))
		require.Equal(t, rows, fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)))
		require.Equal(t, 4, published(t, s, "search_aggregates").Made.Transforms)
	}
	run := func(table string) error {
		_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: []string{table}, Days: []string{sitetest.Day}, Force: true, Now: time.Now})
		return err
	}
	require.NoError(t, run("search_aggregates")) // as the newer version would
	sitetest.MadeByNewer(t, s, "search_clients_daily", sitetest.Day, "profile_group_id")
	_, err := Run(t.Context(), s, forgetOptions())
	require.ErrorContains(t, err, "search_clients_daily "+sitetest.Day+" may name the clients in profile_group_id")
	require.Equal(t, 1, sitetest.Pending(t, s))
	require.NoError(t, run("search_clients_daily"))
	mustForget(t, s)
	require.Zero(t, sitetest.Pending(t, s))
	require.Equal(t, withoutClient(t, forgottenClient), fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)))
}
