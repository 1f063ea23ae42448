package erase

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/storetest"
)

// reportTables are the tables that the reports are tested with.
var reportTables = []string{"main_summary", "addons", "clients_daily"}

// rowsOfClient counts the rows of a client in everything.
func rowsOfClient(t *testing.T, s *site.Site, client string) map[string]int64 {
	t.Helper()
	n := map[string]int64{"archive": int64(sitetest.Mentioned(t, s, client))}
	for _, table := range reportTables {
		for _, row := range sitetest.RowsOf(t, s, table, sitetest.Day) {
			if row["client_id"] == client {
				n[table]++
			}
		}
	}
	return n
}

// reportOf returns the report of a client by table.
func reportOf(t *testing.T, s *site.Site, client string) (c forget.ClientReport, found map[string]int64) {
	t.Helper()
	all, err := s.Forgotten.Reports().Read(t.Context(), []string{client}, forget.Deadline(24*time.Hour))
	require.NoError(t, err)
	require.Len(t, all, 1)
	found = map[string]int64{}
	for _, m := range all[0].Removals {
		for _, f := range m.Found {
			require.Equal(t, sitetest.Day, f.First)
			require.Equal(t, sitetest.Day, f.Last)
			table, _, _ := strings.Cut(f.Table, "/") // of the archive, all types
			found[table] += f.Rows
		}
	}
	return all[0], found
}

// TestForgetReport: the report of each client has the rows that it had, wherever the removal is stopped before it goes on. The
// reports have no ids.
func TestForgetReport(t *testing.T) {
	for n := 0; ; n += 17 {
		s := sitetest.Local(t)
		s.Grace = lake.Grace{For: time.Hour, Now: time.Now}
		sitetest.Pings(t, s.Archive, 5, 200)
		_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: reportTables, Days: []string{sitetest.Day}, Now: time.Now})
		require.NoError(t, err)
		at := time.Now().UTC().Truncate(time.Second)
		clients := []string{"client-nobody"}
		for _, row := range sitetest.RowsOf(t, s, "clients_daily", sitetest.Day) {
			if id, _ := row["client_id"].(string); len(clients) < 3 && len(id) == len("client-10") && !slices.Contains(clients, id) {
				clients = append(clients, id) // no other id contains it
			}
		}
		slices.Reverse(clients)
		sitetest.AskToForget(t, s, "a", at, clients[0])
		sitetest.AskToForget(t, s, "b", at.Add(time.Second), clients[1:]...)
		want := map[string]map[string]int64{}
		for _, c := range clients {
			want[c] = rowsOfClient(t, s, c)
		}
		require.NotZero(t, want[clients[0]]["archive"])
		require.NotZero(t, want[clients[1]]["clients_daily"])
		pending, _ := reportOf(t, s, clients[0])
		require.Equal(t, "pending", pending.State)

		faults := storetest.NewFaults(s.Roots[schema.StorageRoot])
		s.Roots[schema.StorageRoot] = faults
		faults.StopAfter(n)
		o := forgetOptions()
		o.Program = "pingmill test"
		_, err = Run(t.Context(), s, o)
		if err != nil && !errors.Is(err, storetest.ErrStopped) {
			t.Fatalf("stopped after %d changes: %v", n, err)
		}
		faults.Revive()
		_, again := Run(t.Context(), s, o)
		require.NoError(t, again)

		for _, c := range clients {
			got, found := reportOf(t, s, c)
			for table, rows := range want[c] {
				require.Equal(t, rows, found[table], "stopped after %d changes: %s of %s", n, table, c)
			}
			require.Equal(t, "removed", got.State)
			require.Len(t, got.Removals, 1)
			require.Equal(t, forget.Operator, got.Removals[0].Source)
			require.Equal(t, "pingmill test", got.Removals[0].Program)
			require.False(t, got.Removals[0].Removed.Before(got.Requested.Add(-2*time.Second)))
			require.Equal(t, got.Requested.Add(24*time.Hour), got.Due)
		}
		all, reportErr := s.Forgotten.Reports().Read(t.Context(), nil, 0)
		require.NoError(t, reportErr)
		require.Len(t, all, len(clients))
		require.True(t, slices.IsSortedFunc(all, func(x, y forget.ClientReport) int { return x.Requested.Compare(y.Requested) }))
		if err == nil {
			t.Logf("%d changes", n)
			break
		}
	}
}

// TestForgetReportWaits: what is removed for a request that waits counts for the report once it is served. Rows that come later are
// in a second removal.
func TestForgetReportWaits(t *testing.T) {
	const client = "client-50"
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 200)
	rows := int64(sitetest.Mentioned(t, s, client))
	sitetest.AskToForget(t, s, "a", time.Now(), client)
	o := forgetOptions()
	o.Progress = func(*forget.Cycle) {
		if o.Progress = nil; sitetest.Mentioned(t, s, client) == 0 {
			sitetest.Pings(t, s.Archive, 6, 200)
			rows += int64(sitetest.Mentioned(t, s, client))
		}
	}
	_, err := Run(t.Context(), s, o)
	require.NoError(t, err)
	waiting, found := reportOf(t, s, client)
	require.Equal(t, "pending", waiting.State)
	require.Empty(t, found)
	mustForget(t, s)
	_, found = reportOf(t, s, client)
	require.Equal(t, map[string]int64{"archive": rows}, found)

	sitetest.Pings(t, s.Archive, 7, 200)
	late := int64(sitetest.Mentioned(t, s, client))
	require.NotZero(t, late)
	mustForget(t, s)
	got, found := reportOf(t, s, client)
	require.Len(t, got.Removals, 2)
	require.Equal(t, rows+late, found["archive"])
	require.Empty(t, got.Removals[1].Source)
}

// TestForgetReportOnce: a request that comes while a removal is interrupted waits for the next one. What was found is in one report.
func TestForgetReportOnce(t *testing.T) {
	first, second := "client-50", "client-51"
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 400)
	_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: reportTables, Days: []string{sitetest.Day}, Now: time.Now})
	require.NoError(t, err)
	want := map[string]map[string]int64{first: rowsOfClient(t, s, first), second: rowsOfClient(t, s, second)}
	require.NotZero(t, want[first]["archive"])
	require.NotZero(t, want[second]["archive"])
	sitetest.AskToForget(t, s, "a", time.Now(), first)
	faults := storetest.NewFaults(s.Roots[schema.StorageRoot])
	s.Roots[schema.StorageRoot] = faults
	faults.StopAfter(5)
	_, err = Run(t.Context(), s, forgetOptions())
	require.ErrorIs(t, err, storetest.ErrStopped)
	faults.Revive()
	sitetest.AskToForget(t, s, "b", time.Now(), second)
	mustForget(t, s)
	require.Equal(t, 1, sitetest.Pending(t, s))
	mustForget(t, s)
	require.Zero(t, sitetest.Pending(t, s))
	for client, rows := range want {
		got, found := reportOf(t, s, client)
		require.Len(t, got.Removals, 1, client)
		for table, n := range rows {
			require.Equal(t, n, found[table], "%s of %s", table, client)
		}
	}
}
