package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/cli"
)

func TestCheckCommand(t *testing.T) {
	data, checks := loadedData(t, "--clients", "60", "--days", "1"), t.TempDir()
	write := func(name, sql string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(checks, name), []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	day := []string{"--data", data, "--date", "20180301"}
	with := func(args ...string) []string { return append(args, day...) }

	// A check in SQL blocks publishing until it is skipped.
	write("few.clients_daily.error.sql", "-- doc: hardly anybody\nSELECT count(*) AS clients FROM clients_daily WHERE submission_date_obj = '{day}' HAVING count(*) > 3")
	write("none.addons.warning.sql", "SELECT count(*) AS n FROM addons WHERE submission_date_obj = '{day}'")
	code, _, errs := call(nil, with("run", "clients_daily", "--checks", checks)...)
	if code != 1 || !strings.Contains(errs, "few (hardly anybody): clients=") || !strings.Contains(errs, "_staging") {
		t.Errorf("a failed check: exit %d: %s", code, errs)
	}
	if code, _, errs = call(nil, with("check", "clients_daily")...); code != 1 || !strings.Contains(errs, "nothing of these days is published") {
		t.Errorf("check before publication: exit %d: %s", code, errs)
	}
	code, _, errs = call(nil, with("run", "all", "--checks", checks, "--skip-check", "few")...)
	if code != 0 || !strings.Contains(errs, "check skipped") || !strings.Contains(errs, `"check":"none"`) {
		t.Errorf("skipped: exit %d: %s", code, errs)
	}
	manifest, err := os.ReadFile(filepath.Join(data, "lake/clients_daily/v6/submission_date_obj=20180301/_manifest.json"))
	if err != nil || !strings.Contains(string(manifest), `"skippedChecks": [`) {
		t.Errorf("%v: %s", err, manifest)
	}

	// What is published passes the checks of the tables, and fails that one.
	if out := mustCall(t, with("check", "all")...); !strings.Contains(out, "passed   error    addons_cover: ") || !strings.Contains(out, " 0 failed, 7 not run, 0 broken") {
		t.Errorf("check: %s", out)
	}
	code, out, errs := call(nil, with("check", "all", "--checks", checks)...)
	if code != 1 || !strings.Contains(out, "failed   error    few: hardly anybody\n           clients=") || !strings.Contains(errs, "checks failed: 1") {
		t.Errorf("check: exit %d: %s %s", code, out, errs)
	}
	code, out, _ = call(nil, with("check", "clients_daily", "--checks", checks, "--format", "json")...)
	var last resultJSON
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || code != 1 || len(lines) != 5 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if last.Check != "few" || last.Verdict != check.Failed || last.Total != 1 || len(last.Rows) != 1 || last.Rows[0].Key[0].Column != "clients" {
		t.Errorf("%+v", last)
	}
	if code, _, errs = call(nil, "check", "addons", "--data", data, "--from", "20180301", "--to", "20180302"); code != 0 || !strings.Contains(errs, "not checked addons 20180302") {
		t.Errorf("a day that is not published: exit %d: %s", code, errs)
	}

	out = mustCall(t, "check", "--list")
	if strings.Count(out, "\n") != len(check.All())+1 || !strings.Contains(out, "search_clients_daily_no_search") {
		t.Errorf("list: %s", out)
	}
	if out = mustCall(t, "check", "--list", "--data", data, "--checks", checks); !strings.Contains(out, "hardly anybody") {
		t.Errorf("list: %s", out)
	}

	write("bad.clients_daily.error.sql", "SELECT nothing FROM clients_daily")
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "bad.clients_daily.error.sql", with("check", "all", "--checks", checks)},
		{cli.ExitUsage, "bad.clients_daily.error.sql", with("run", "all", "--checks", checks)},
		{cli.ExitUsage, `find check "frob"`, with("run", "all", "--skip-check", "frob")},
		{cli.ExitUsage, "no format", with("check", "all", "--format", "xml")},
		{cli.ExitUsage, "find table", with("check", "nothing")},
		{cli.ExitUsage, "say which days", []string{"check", "all", "--data", data}},
		{cli.ExitUsage, "accepts 1 arg", []string{"check"}},
		{cli.ExitUsage, "unknown command", []string{"check", "--list", "all"}},
		{1, "there is none", []string{"check", "all", "--date", "20180301", "--data", filepath.Join(data, "none")}},
	} {
		if code, _, errs := call(nil, c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("pingmill %s: exit %d, says %q", strings.Join(c.args, " "), code, errs)
		}
	}
}
