package etl

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pingmill/pingmill/schema"
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
	s := localSite(t)
	testPings(t, s.Archive, 5, 200)
	options := RunOptions{Tables: []string{"addons", "clients_daily"}, Days: []string{testDay}, Now: time.Now}
	if _, err := Run(t.Context(), s, options); err != nil {
		t.Fatal(err)
	}
	askToForget(t, s, "a", time.Now(), "client-3")
	lake := &failingExchange{Faults: storetest.NewFaults(s.Roots[schema.StorageRoot])}
	s.Roots[schema.StorageRoot] = lake
	if _, err := Forget(t.Context(), s, forgetOptions()); err == nil || !lake.failed {
		t.Fatalf("a removal without an exchange: %v", err)
	}
	mustForget(t, s)
	if n := pendingOf(t, s); n != 0 {
		t.Errorf("%d requests are pending", n)
	}
	for _, table := range []string{"main_summary", "addons", "clients_daily"} {
		for _, row := range rowsOf(t, s, table, testDay) {
			if row["client_id"] == "client-3" {
				t.Fatalf("%s has a row of the client", table)
			}
		}
	}
	report, err := Run(t.Context(), s, options)
	if err != nil || !report.Unchanged() {
		t.Errorf("a run afterwards: %v, %v", report, err)
	}
}
