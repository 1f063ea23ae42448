package erase

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/storetest"
)

// failingExchange is a bucket whose first exchange of folders fails.
type failingExchange struct {
	*storetest.Faults

	failed bool
}

func (f *failingExchange) Exchange(ctx context.Context, a, b string) error {
	if !f.failed {
		f.failed = true
		return errors.New("injected")
	}
	return f.Faults.Exchange(ctx, a, b)
}

// TestForgetAgain: a removal that fails where it publishes leaves a generation that
// the next one publishes first, and goes on from.
func TestForgetAgain(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 200)
	options := etl.RunOptions{Tables: []string{"addons", "clients_daily"}, Days: []string{sitetest.Day}, Now: time.Now}
	if _, err := etl.Run(t.Context(), s, options); err != nil {
		t.Fatal(err)
	}
	sitetest.AskToForget(t, s, "a", time.Now(), "client-3")
	lake := &failingExchange{Faults: storetest.NewFaults(s.Roots[schema.StorageRoot])}
	s.Roots[schema.StorageRoot] = lake
	if _, err := Run(t.Context(), s, forgetOptions()); err == nil || !lake.failed {
		t.Fatalf("a removal without an exchange: %v", err)
	}
	mustForget(t, s)
	if n := sitetest.Pending(t, s); n != 0 {
		t.Errorf("%d requests are pending", n)
	}
	for _, table := range []string{"main_summary", "addons", "clients_daily"} {
		for _, row := range sitetest.RowsOf(t, s, table, sitetest.Day) {
			if row["client_id"] == "client-3" {
				t.Fatalf("%s has a row of the client", table)
			}
		}
	}
	report, err := etl.Run(t.Context(), s, options)
	if err != nil || !report.Unchanged() {
		t.Errorf("a run afterwards: %v, %v", report, err)
	}
}

// TestForgetMissedLoad: a load that began before the requests and is committed after its day was searched keeps the requests
// waiting, and the next cycle removes its rows.
func TestForgetMissedLoad(t *testing.T) {
	const client = "client-50"
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 200)
	sitetest.AskToForget(t, s, "a", time.Now(), client)
	o := forgetOptions()
	o.Progress = func(*forget.Cycle) {
		if o.Progress = nil; sitetest.Mentioned(t, s, client) == 0 {
			sitetest.Pings(t, s.Archive, 6, 200)
		}
	}
	f, err := Run(t.Context(), s, o)
	require.NoError(t, err)
	require.Positive(t, sitetest.Mentioned(t, s, client))
	require.Equal(t, 1, sitetest.Pending(t, s))
	require.Len(t, f.Waiting, 1)
	require.Contains(t, f.Waiting[0], "was committed meanwhile")
	require.Empty(t, mustForget(t, s).Waiting)
	require.Zero(t, sitetest.Mentioned(t, s, client))
	require.Zero(t, sitetest.Pending(t, s))
}
