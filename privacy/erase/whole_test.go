package erase

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// searchTables are the tables of searches, made in this order.
var searchTables = []string{"search_clients_daily", "search_aggregates"}

// searchSite has a day of searches, and the tables made of them if made is set.
func searchSite(t *testing.T, s *site.Site, made bool) *site.Site {
	t.Helper()
	s.Tables = schema.NewSet(sitetest.Probes(t)).Tables
	s.Grace = lake.Grace{For: time.Hour, Now: time.Now}
	sitetest.Pings(t, s.Archive, 5, 300)
	if made {
		runSearches(t, s)
	}
	return s
}

// runSearches makes the tables of searches, and returns how many tasks that took.
func runSearches(t *testing.T, s *site.Site) (made int) {
	t.Helper()
	report, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: searchTables, Days: []string{sitetest.Day}, Now: time.Now})
	require.NoError(t, err)
	for _, u := range report.Units {
		made += u.Tasks
	}
	return made
}

// withoutClient makes the rows of search_aggregates of a day that the client was never a part of.
func withoutClient(t *testing.T, client string) string {
	t.Helper()
	s := searchSite(t, sitetest.Memory(t, store.NewMemory()), false)
	sitetest.AskToForget(t, s, "a", time.Now(), client)
	mustForget(t, s)
	runSearches(t, s)
	return fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day))
}

const forgottenClient = "client-3"

// TestForgetAggregates removes a client from a table that names none: its day is made again, and nothing of the
// generation before is kept.
func TestForgetAggregates(t *testing.T) {
	want := withoutClient(t, forgottenClient)
	for name, s := range map[string]*site.Site{"folders": sitetest.Local(t), "bucket": sitetest.Memory(t, store.NewMemory())} {
		t.Run(name, func(t *testing.T) {
			searchSite(t, s, true)
			lt, err := s.Table("search_aggregates")
			require.NoError(t, err)
			before, err := lt.Partition(t.Context(), sitetest.Day)
			require.NoError(t, err)
			if got := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)); got == want {
				t.Fatal("the client has no searches")
			}
			sitetest.AskToForget(t, s, "a", time.Now(), forgottenClient)
			f := mustForget(t, s)
			if got := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)); got != want {
				t.Errorf("the rows are\n%s\nwant\n%s", got, want)
			}
			changed := false
			for _, c := range f.Changes {
				changed = changed || c == forget.Change{Table: "search_aggregates", Version: "v3", Day: sitetest.Day, Files: 1, Replaced: c.Replaced}
			}
			if !changed {
				t.Errorf("the removal says %+v", f.Changes)
			}
			filesDeleted(t, lt, before)
			if n := runSearches(t, s); n != 0 {
				t.Errorf("a run afterwards has %d tasks", n)
			}
		})
	}
}

// filesDeleted checks that no file of a generation is there any more.
func filesDeleted(t *testing.T, lt *lake.Table, m *lake.Manifest) {
	t.Helper()
	for _, f := range m.Files {
		for e, err := range lt.Bucket().List(t.Context(), "") {
			require.NoError(t, err)
			if len(e.Name) > len(f.Name) && e.Name[len(e.Name)-len(f.Name):] == f.Name {
				t.Errorf("%s is still there", e.Name)
			}
		}
	}
}

// TestForgetAggregatesKilled stops a removal before every fourth change that it makes to the lake's restricted tables, and lets the
// next one go on.
func TestForgetAggregatesKilled(t *testing.T) {
	want := withoutClient(t, forgottenClient)
	for name, open := range map[string]func() *site.Site{
		"folders": func() *site.Site { return sitetest.Local(t) },
		"bucket":  func() *site.Site { return sitetest.Memory(t, store.NewMemory()) },
	} {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n += 4 {
				s := searchSite(t, open(), true)
				lt, err := s.Table("search_aggregates")
				require.NoError(t, err)
				before, err := lt.Partition(t.Context(), sitetest.Day)
				require.NoError(t, err)
				sitetest.AskToForget(t, s, "a", time.Now(), forgottenClient)
				faults := storetest.NewFaults(s.Roots[schema.RestrictedRoot])
				s.Roots[schema.RestrictedRoot] = faults
				faults.StopAfter(n)
				_, err = Run(t.Context(), s, forgetOptions())
				if err != nil && !errors.Is(err, storetest.ErrStopped) {
					t.Fatalf("stopped after %d changes: %v", n, err)
				}
				faults.Revive()
				mustForget(t, s)
				if got := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)); got != want {
					t.Fatalf("stopped after %d changes: the rows are\n%s\nwant\n%s", n, got, want)
				}
				filesDeleted(t, lt, before)
				if made := runSearches(t, s); made != 0 || sitetest.Pending(t, s) != 0 {
					t.Fatalf("stopped after %d changes: a run afterwards has %d tasks, %d requests are pending", n, made, sitetest.Pending(t, s))
				}
				if err == nil {
					t.Logf("%d changes", n)
					return
				}
			}
		})
	}
}

// TestForgetWithoutInputs leaves a day without its main_summary as it is.
func TestForgetWithoutInputs(t *testing.T) {
	s := searchSite(t, sitetest.Memory(t, store.NewMemory()), true)
	want := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day))
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	require.NoError(t, lt.Expire(t.Context(), sitetest.Day))
	sitetest.AskToForget(t, s, "a", time.Now(), forgottenClient)
	mustForget(t, s)
	if got := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)); got != want {
		t.Error("the rows have changed")
	}
}

// TestForgetWithFailedCheck makes a day again although a check fails, and says so.
func TestForgetWithFailedCheck(t *testing.T) {
	s := searchSite(t, sitetest.Memory(t, store.NewMemory()), true)
	aggregates, err := schema.Find(s.Tables, "search_aggregates")
	require.NoError(t, err)
	aggregates.Checks = append(aggregates.Checks,
		schema.Check{Name: "country", Kind: schema.NeverNull, Key: []string{"distribution_id"}, Rule: "it has a distribution"})
	sitetest.AskToForget(t, s, "a", time.Now(), forgottenClient)
	mustForget(t, s)
	if got := fmt.Sprint(sitetest.RowsOf(t, s, "search_aggregates", sitetest.Day)); got != withoutClient(t, forgottenClient) {
		t.Errorf("the rows are\n%s", got)
	}
	lt, err := s.Table("search_aggregates")
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	require.Equal(t, []string{"search_aggregates_country"}, m.SkippedChecks)
}
