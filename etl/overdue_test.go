package etl

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestOverdue(t *testing.T) {
	pings := store.NewMemory()
	s := sitetest.Memory(t, pings)
	progress := func(day string, hour int) {
		t.Helper()
		at, err := time.Parse("20060102", day)
		if err == nil {
			err = edgestate.SetProgress(t.Context(), pings, "e", at.Add(time.Duration(hour)*time.Hour).UnixNano(), time.Time{})
		}
		require.NoError(t, err)
	}
	made := map[job.Unit]bool{}
	check := func(what string, lookback, day int, want map[string]ping.Day) {
		t.Helper()
		got, err := Overdue(t.Context(), s, lookback, sitetest.At(day), made)
		if err != nil || len(got) != len(sitetest.AllTables) {
			t.Fatalf("%s: %v, %v", what, got, err)
		}
		for _, table := range sitetest.AllTables {
			if got[table] != want[table] {
				t.Errorf("%s: %s is %q, want %q", what, table, got[table], want[table])
			}
		}
	}
	all := map[string]ping.Day{}
	for _, table := range sitetest.AllTables {
		all[table] = sitetest.Day
	}
	check("an empty archive", 60, 2, nil)
	sitetest.Pings(t, pings, 1, 60)
	progress("20180301", 23)
	check("the edge is inside the day", 60, 2, nil)
	progress("20180302", 1)
	check("the day is over", 60, 2, all)
	check("the day is not over", 60, 1, nil)
	check("a later day", 1, 3, nil)
	mustRun(t, s, RunOptions{Tables: []string{"addons"}})
	delete(all, "main_summary")
	delete(all, "addons")
	check("two tables are made", 60, 2, all)
	s.Keep = site.Retention{Table: map[string]int{"clients_daily": 1}}
	delete(all, "clients_daily")
	check("a table is kept for a day", 60, 3, all)
	s.Keep = site.Retention{}
	mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	check("all tables are made", 60, 2, nil)

	m, err := s.TableOf(s.Tables[0]).Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	m.Live = &lake.Live{}
	text, err := json.Marshal(m)
	require.NoError(t, err)
	table := s.TableOf(s.Tables[0])
	require.NoError(t, store.WriteFile(t.Context(), table.Bucket(), table.Path(sitetest.Day, "_manifest.json"), text))
	check("a day that was seen to be made", 60, 2, nil)
	clear(made)
	check("a day has only rows of pings as they arrived", 60, 2, map[string]ping.Day{"main_summary": sitetest.Day})

	for name, broken := range map[string]*site.Site{
		"no archive": {Data: site.Data{Archive: stopped(t, pings), Roots: s.Roots, Set: s.Set}},
		"no lake": {Data: site.Data{Archive: pings,
			Roots: map[schema.Root]store.Bucket{schema.StorageRoot: stopped(t, s.Roots[schema.StorageRoot])}, Set: s.Set}},
	} {
		if _, err := Overdue(t.Context(), broken, 60, sitetest.At(2), map[job.Unit]bool{}); !errors.Is(err, storetest.ErrStopped) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// stopped returns a bucket whose every operation fails.
func stopped(t *testing.T, b store.Bucket) store.Bucket {
	t.Helper()
	f := storetest.NewFaults(b)
	f.StopAfter(0)
	if err := f.Delete(t.Context(), "x"); !errors.Is(err, storetest.ErrStopped) {
		t.Fatal(err)
	}
	return f
}
