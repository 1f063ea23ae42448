package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/terminal/cli"
)

// TestExpire removes days of a real installation while DuckDB reads them.
func TestExpire(t *testing.T) {
	t.Parallel()
	data := loadedData(t, "--clients", "40", "--days", "2")
	at := func(args ...string) []string { return append(args, "--data", data) }
	if out := mustCall(t, at("expire")...); !strings.Contains(out, "everything is kept for ever") {
		t.Errorf("without keys: %s", out)
	}
	keys := []string{"--keep-archive", "30", "--keep-table", "main_summary=30,addons=30", "--keep-errors", "30", "--keep-ledger", "30"}
	out := mustCall(t, at(append([]string{"expire", "--plan"}, keys...)...)...)
	if !strings.Contains(out, "stays: crash_summary of the day is not made yet") &&
		!strings.Contains(out, "stays: clients_daily of the day is not made yet") {
		t.Errorf("planned before tables are made: %s", out)
	}
	span := at("--from", "20180301", "--to", "20180302")
	mustCall(t, append([]string{"run", "all"}, span...)...)
	count := at("query", "--format", "csv", "SELECT count(*) FROM main_summary WHERE submission_date_obj = '20180301'")
	whole := mustCall(t, count...)
	out = mustCall(t, at(append([]string{"expire", "--plan"}, keys...)...)...)
	for _, want := range []string{"DAY       WHAT", "20180301  main_summary", "20180302  archive", "to remove: 7 days, "} {
		if !strings.Contains(out, want) {
			t.Errorf("plan: no %q in\n%s", want, out)
		}
	}
	code, status, _ := call(nil, append(append([]string{"status"}, span...), keys...)...)
	if code != 0 || !strings.Contains(status, "past their time, gone with the next removal: 7 days") {
		t.Errorf("status before: exit %d\n%s", code, status)
	}
	done := make(chan string)
	go func() {
		_, out, errs := call(nil, at(append([]string{"expire"}, keys...)...)...)
		done <- out + errs
	}()
	for reading := true; reading; {
		select {
		case out = <-done:
			reading = false
		default:
			if code, rows, errs := call(nil, count...); code == 0 && rows != whole && !strings.HasSuffix(strings.TrimSpace(rows), "\n0") {
				t.Errorf("a reader saw %q, want %q or none: %s", rows, whole, errs)
			}
		}
	}
	if !strings.Contains(out, "removed: 7 days, ") || strings.Contains(out, "needed") {
		t.Errorf("expire: %s", out)
	}
	if rows := mustCall(t, count...); !strings.HasSuffix(strings.TrimSpace(rows), "\n0") {
		t.Errorf("afterwards: %q", rows)
	}
	for _, name := range []string{"main_summary", "addons", "clients_daily"} {
		records, err := filepath.Glob(filepath.Join(data, "*", "_generations", name, "*", "*", "_kept.json"))
		if err != nil || len(records) > 0 != (name == "clients_daily") {
			t.Errorf("kept for readers of %s: %q, %v", name, records, err)
		}
	}
	code, status, errs := call(nil, append(append([]string{"status"}, span...), keys...)...)
	if code != 0 || !strings.Contains(status, "x expired (4)") || !strings.Contains(status, "main_summary                  xx") {
		t.Errorf("status: exit %d\n%s%s", code, status, errs)
	}
	code, _, errs = call(nil, append(append([]string{"run", "main_summary", "--force"}, span...), keys...)...)
	if code != 1 || !strings.Contains(errs, "skipped main_summary 20180301: the archive kept its pings for 30 days: they were removed on ") {
		t.Errorf("a forced run: exit %d: %s", code, errs)
	}
	if out = mustCall(t, at(append([]string{"expire"}, keys...)...)...); !strings.Contains(out, "removed: 0 days") {
		t.Errorf("once more: %s", out)
	}
	if code, _, errs := call(nil, at("expire", "--keep-table", "nothing=1")...); code != cli.ExitUsage ||
		!strings.Contains(errs, "no such table") {
		t.Errorf("an unknown table: exit %d: %s", code, errs)
	}
}
