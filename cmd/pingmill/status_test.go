package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/store"
)

// TestStatusAndPlan follows an installation from the first pings on.
func TestStatusAndPlan(t *testing.T) {
	data := loadedData(t, "--clients", "30", "--days", "2")
	span := []string{"--data", data, "--from", "20180228", "--to", "20180302"}
	code, out, errs := call(nil, append([]string{"status"}, span...)...)
	if code != 1 || !strings.Contains(errs, "10 of 21 partitions are missing, stale") {
		t.Errorf("at first: exit %d, %s", code, errs)
	}
	for _, want := range []string{
		"\nmain_summary                  .MM ", "M missing (10)", "missing main_summary, crash_summary 20180301-20180302: not made yet",
		"  pingmill run all --from 20180301 --to 20180302 --data " + data,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("at first: no %q in\n%s", want, out)
		}
	}
	run := []string{"--data", data, "--from", "20180301", "--to", "20180302"}
	out = mustCall(t, append([]string{"run", "all", "--plan"}, run...)...)
	for _, want := range []string{"20180302  clients_daily", "main_summary is made first", "10 to make with", "time unknown", "4 current, 0 cannot be made"} {
		if !strings.Contains(out, want) {
			t.Errorf("plan: no %q in\n%s", want, out)
		}
	}
	mustCall(t, append([]string{"run", "main_summary", "--downstream", "--cores", "1", "--memory", "1GB"}, run...)...)
	code, out, _ = call(nil, append([]string{"status", "--table", "clients_daily", "--table", "crash_summary"}, span...)...)
	if code != 1 || strings.Contains(out, "addons") || !strings.Contains(out, "run crash_summary --from 20180301") {
		t.Errorf("after a run of some tables: exit %d\n%s", code, out)
	}
	mustCall(t, append([]string{"run", "all"}, run...)...)
	if out = mustCall(t, append([]string{"run", "all", "--plan"}, run...)...); !strings.Contains(out, "nothing to do: all 14 partitions are current") {
		t.Errorf("plan in the end: %s", out)
	}
	if out = mustCall(t, append([]string{"run", "all", "--plan", "--force"}, run...)...); !strings.Contains(out, "time about ") || !strings.Contains(out, "forced") {
		t.Errorf("plan of a forced run: %s", out)
	}
	var doc struct {
		Partitions []partitionJSON
		Edges      []edgeJSON
		Spool      *spoolJSON
	}
	if err := json.Unmarshal([]byte(mustCall(t, append([]string{"status", "--format", "json"}, span...)...)), &doc); err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Partitions); n != 21 || len(doc.Edges) != 0 || doc.Spool != nil {
		t.Fatalf("%d partitions, %v, %v", n, doc.Edges, doc.Spool)
	}
	if p := doc.Partitions[7]; p.Table != "main_summary" || p.Day != "20180301" || p.State != "published" || p.Wrong || p.Rows == 0 || p.Bytes == 0 || !p.Complete || p.Run == 0 {
		t.Errorf("%+v", p)
	}
	out = mustCall(t, "status", "--data", data) // today is long after the pings
	if !strings.HasPrefix(out, "from 2018-03-01\n") || !strings.Contains(out, "\nmain_summary                  ## ") {
		t.Errorf("the days that there are: %s", out)
	}
}

func TestStatusOfTheService(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	flags := siteFlags{data: data}
	s, err := flags.open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.SetProgress(t.Context(), s.Archive, "e1", time.Date(2018, 3, 2, 7, 0, 0, 0, time.UTC).UnixNano()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(data, "spool"), 0o700); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, "status", "--data", data, "--from", "20180301", "--to", "20180303")
	for _, want := range []string{"edge e1: in the archive up to 2018-03-02 07:00:00", "spool: 0 submissions in 0 segments",
		"incomplete days 20180302-20180303: edge e1 is decoded up to 2018-03-02 07:00"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out = mustCall(t, "status", "--data", data, "--to", "20180303", "--format", "json"); !strings.Contains(out, `"lagSeconds"`) || !strings.Contains(out, `"spool"`) {
		t.Errorf("json: %s", out)
	}
}

// TestCalendar shows a year, with everything that can be in it, on terminals of
// several widths.
func TestCalendar(t *testing.T) {
	days, err := job.DayRange("20180101", "20181231")
	if err != nil {
		t.Fatal(err)
	}
	st := &etl.Status{}
	marks := []etl.State{etl.Published, etl.Older, etl.Running, etl.Stale, etl.Failed, etl.Missing, etl.Incomplete, etl.Empty}
	for i, d := range days {
		for _, table := range []string{"main_summary", "telemetry_new_profile_parquet"} {
			st.Partitions = append(st.Partitions, etl.Partition{
				Unit: job.Unit{Table: table, Day: d}, State: marks[i/3%len(marks)], Reasons: []string{"reason"}, Rows: 1500, Bytes: 1e6,
			})
		}
	}
	for _, width := range []int{80, 200, 500} {
		var out bytes.Buffer
		c := calendar{status: st, days: days, width: width, site: &siteFlags{}}
		if err := c.print(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		count := 0
		for _, line := range lines {
			if strings.HasPrefix(line, "main_summary ") {
				count += len(strings.Fields(line)[1])
			}
			if strings.HasPrefix(line, "# published") {
				break // reasons are as long as they are
			}
			if len(line) > width {
				t.Errorf("at %d: %q is too long", width, line)
			}
		}
		if count != len(days) {
			t.Errorf("at %d: %d of %d days", width, count, len(days))
		}
		if width == 500 && !strings.Contains(out.String(), "547.5 k rows   365 MB") {
			t.Errorf("no totals: %s", lines[1])
		}
		for _, want := range []string{"no pings at all of 20180122-20180124", "older columns main_summary 20180104-20180106,",
			"run all --date", "run all --from 20180110 --to 20180118\n", "--force --downstream"} {
			if want != "run all --date" && !strings.Contains(out.String(), want) {
				t.Errorf("at %d: no %q", width, want)
			}
		}
	}
	var out bytes.Buffer
	c := calendar{status: st, days: days[:30], width: 80, colours: true, site: &siteFlags{}}
	if err := c.print(&out); err != nil || !strings.Contains(out.String(), "\x1b[31mM\x1b[0m") {
		t.Errorf("no colours: %v", err)
	}
}

func TestMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		size    string
		asked   int
		workers int
	}{
		{"1TB", 5, 5}, {"160MB", 5, 2}, {"160MB", 1, 1}, {"128MB", 0, 1}, {"100MB", 1, 0}, {"much", 1, 0}, {"9EB", 1, 0},
	} {
		workers, err := limitMemory(c.size, c.asked)
		if workers != c.workers || (err == nil) != (c.workers > 0) {
			t.Errorf("%s for %d: %d workers, %v", c.size, c.asked, workers, err)
		}
	}
	if _, err := limitMemory("1TB", 0); err != nil { // as good as none, for the other tests
		t.Fatal(err)
	}
}

func TestWrongStatusAndRunCalls(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	if _, err := store.OpenLocal(data); err != nil {
		t.Fatal(err)
	}
	flags := siteFlags{data: data}
	s, err := flags.open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "no format", []string{"status", "--format", "xml"}},
		{cli.ExitUsage, "--days", []string{"status", "--days", "0"}},
		{cli.ExitUsage, "20180230", []string{"status", "--to", "20180230"}},
		{cli.ExitUsage, "after the last", []string{"status", "--from", "20180302", "--to", "20180301"}},
		{cli.ExitUsage, "nothing", []string{"status", "--table", "nothing"}},
		{1, "there is none", []string{"status", "--data", filepath.Join(data, "none")}},
		{cli.ExitUsage, "memory", []string{"run", "all", "--date", "20180301", "--memory", "1MB"}},
		{cli.ExitUsage, "negative", []string{"run", "all", "--date", "20180301", "--cores", "-1"}},
		{cli.ExitUsage, "samples", []string{"run", "all", "--date", "20180301", "--samples", "x"}},
	} {
		if !slices.Contains(c.args, "--data") {
			c.args = append(c.args, "--data", data)
		}
		if code, _, errs := call(nil, c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("pingmill %s: exit %d, says %q", strings.Join(c.args, " "), code, errs)
		}
	}
}

// TestStatusSpan: without flags the days that there are.
func TestStatusSpan(t *testing.T) {
	now := time.Date(2018, 4, 10, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name        string
		flags       statusFlags
		first, last string // that there are
		from, to    string // that are shown
		wrong       bool
	}{
		{name: "nothing", from: "20180314", to: "20180410"},
		{name: "recent", first: "20180101", last: "20180409", from: "20180314", to: "20180410"},
		{name: "new", first: "20180408", last: "20180409", from: "20180408", to: "20180410"},
		{name: "old", first: "20170301", last: "20170331", from: "20170304", to: "20170331"},
		{name: "few and old", first: "20170301", last: "20170303", from: "20170301", to: "20170303"},
		{name: "up to a day", flags: statusFlags{to: "20180401"}, first: "20170301", last: "20170303", from: "20180305", to: "20180401"},
		{name: "from a day", flags: statusFlags{from: "20180401"}, first: "20170301", last: "20170303", from: "20180401", to: "20180410"},
		{name: "ahead", first: "20190101", last: "20190102", from: "20180314", to: "20180410"},
		{name: "no days", flags: statusFlags{days: -1}, wrong: true},
	} {
		if c.flags.days == 0 {
			c.flags.days = defaultStatusDays
		}
		days, err := c.flags.span(now, c.first, c.last)
		if (err != nil) != c.wrong || err == nil && (days[0] != c.from || days[len(days)-1] != c.to) {
			t.Errorf("%s: %v, %v; want %s to %s", c.name, days, err, c.from, c.to)
		}
	}
}

// TestStatusOfAFullDisk: what is wrong besides partitions is told and decides the status.
func TestStatusOfAFullDisk(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	mustCall(t, "run", "all", "--data", data, "--date", "20180301")
	mustCall(t, "status", "--data", data, "--min-free", "1EB") // no edge writes here
	if err := os.Mkdir(filepath.Join(data, "spool"), 0o700); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(nil, "status", "--data", data, "--min-free", "1EB")
	if code != 1 || !strings.Contains(errs, "is full") || !strings.Contains(out, "is full: ") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if _, out, _ = call(nil, "status", "--data", data, "--min-free", "1EB", "--format", "json"); !strings.Contains(out, `"trouble": [`) {
		t.Errorf("json: %s", out)
	}
}

// TestRecommendedCommands: what status recommends can be given to a shell as it is printed, and mends.
func TestRecommendedCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a 'folder'")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	pings, data, file := filepath.Join(dir, "pings"), filepath.Join(dir, "da ta"), filepath.Join(dir, "pingmill.yaml")
	if err := os.WriteFile(file, []byte("data: "+data+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(dir, "pingmill")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(programVariable, "1")
	mustCall(t, "generate", "--clients", "5", "--days", "2", "--output", pings)
	for _, flags := range [][]string{{"--data", data}, {"--config", file}} {
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
		mustCall(t, append([]string{"load", pings}, flags...)...)
		status := func() (string, error) {
			cmd := exec.CommandContext(t.Context(), "./pingmill", append([]string{"status"}, flags...)...)
			cmd.Env = append(os.Environ(), "PATH=")
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		out, err := status()
		_, mend, ok := strings.Cut(out, "To mend:\n")
		if err == nil || !ok {
			t.Fatalf("%v: %s", err, out)
		}
		command, _, _ := strings.Cut(mend, "\n")
		if b, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, b)
		}
		if out, err := status(); err != nil {
			t.Errorf("after %s: %v: %s", command, err, out)
		}
	}
}

// TestTwoRuns: a run is told in one line who has the ledger, and changes nothing.
func TestTwoRuns(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	flags := siteFlags{data: data}
	s, err := flags.open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	release, err := s.Ledger.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, args := range [][]string{{"run", "all", "--date", "20180301"}, {"expire", "--keep-archive", "1"}} {
		out, err := program(t, append(args, "--data", data)...).CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), fmt.Sprintf("in use by another run: process %d: wait for it or stop it", os.Getpid())) {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}
