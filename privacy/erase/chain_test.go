package erase

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/storetest"
)

func clientOf(n int) string  { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n*40503, n) }
func profileOf(n int) string { return fmt.Sprintf("%08x-1111-4000-8000-%012x", n, n) }

// gleanUse makes pings of clients that use an application on some of the days: baseline and usage pings, crashes and events.
func gleanUse(days []string) (pings []sitetest.GleanPing) {
	for i, day := range days {
		for n := range 30 {
			client, profile := clientOf(n), profileOf(n)
			if (n+i)%3 == 0 {
				continue
			}
			p := sitetest.GleanPing{Day: day, Type: "baseline", ID: fmt.Sprint(day, n, "b"), Client: client, Minute: n,
				Metrics: `{"uuid":{"legacy.telemetry.client_id":"` + profile + `"}}`}
			crash, event, usage := p, p, p
			crash.Type, crash.ID = "crash", fmt.Sprint(day, n, "c")
			crash.Metrics = fmt.Sprintf(`{"string":{"crash.minidump_sha256_hash":"%d"}}`, n/3)
			event.Type, event.ID, event.Events = "events", fmt.Sprint(day, n, "e"), `[{"category":"page","name":"click","timestamp":0}]`
			usage.Type, usage.ID, usage.Client, usage.NoInfo = "usage-reporting", fmt.Sprint(day, n, "u"), "", true
			usage.Metrics = `{"uuid":{"usage.profile_id":"` + profile + `"}}`
			pings = append(pings, p, crash, event, usage)
		}
	}
	return pings
}

// TestForgetInChains removes clients from all days of the tables that go on from day to day. Afterwards these are as if the
// clients had never been there, and current.
func TestForgetInChains(t *testing.T) {
	days := sitetest.DayRange(t, "20180301", "20180330")
	made := func(s *site.Site) etl.RunOptions {
		return etl.RunOptions{Tables: schema.Names(s.Tables), Days: days, Now: time.Now}
	}
	forgotten := []string{clientOf(1), profileOf(4), clientOf(7)}

	s := sitetest.Glean(t)
	sitetest.GleanPings(t, s.Archive, "load1", gleanUse(days))
	_, err := etl.Run(t.Context(), s, made(s))
	require.NoError(t, err)
	sitetest.AskToForget(t, s, "a", time.Now(), forgotten...)
	lake := &failingExchange{Faults: storetest.NewFaults(s.Roots[schema.StorageRoot])}
	s.Roots[schema.StorageRoot] = lake
	_, err = Run(t.Context(), s, forgetOptions())
	require.Error(t, err)
	f := mustForget(t, s)
	require.Empty(t, f.Waiting)
	r, err := etl.Run(t.Context(), s, made(s))
	require.NoError(t, err)
	require.True(t, r.Unchanged(), r.String())

	want := sitetest.Glean(t)
	left := slices.DeleteFunc(gleanUse(days), func(p sitetest.GleanPing) bool {
		return slices.ContainsFunc(forgotten, func(id string) bool { return p.Client == id || strings.Contains(p.Metrics, id) })
	})
	sitetest.GleanPings(t, want.Archive, "load1", left)
	_, err = etl.Run(t.Context(), want, made(want))
	require.NoError(t, err)
	for _, table := range schema.Names(s.Tables) {
		for _, day := range days {
			require.Equal(t, sitetest.RowsOf(t, want, table, day), sitetest.RowsOf(t, s, table, day), "%s %s", table, day)
		}
	}
}
