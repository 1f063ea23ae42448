package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
)

func TestStatusOfTheService(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	flags := siteFlags{data: data}
	s, err := flags.open(t.Context(), true)
	require.NoError(t, err)
	require.NoError(t, archive.SetProgress(t.Context(), s.Archive, "e1", time.Date(2018, 3, 2, 7, 0, 0, 0, time.UTC).UnixNano()))
	require.NoError(t, s.Close())
	require.NoError(t, os.Mkdir(filepath.Join(data, "spool"), 0o700))
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
			c.flags.days = etl.StatusDays
		}
		days, err := c.flags.span(now, c.first, c.last)
		if (err != nil) != c.wrong || err == nil && (days[0] != c.from || days[len(days)-1] != c.to) {
			t.Errorf("%s: %v, %v; want %s to %s", c.name, days, err, c.from, c.to)
		}
	}
}

// TestTwoRuns: a run is told in one line who has the ledger, and changes nothing.
func TestTwoRuns(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	flags := siteFlags{data: data}
	s, err := flags.open(t.Context(), false)
	require.NoError(t, err)
	defer s.Close()
	release, err := s.Ledger.Hold(t.Context())
	require.NoError(t, err)
	defer release()
	for _, args := range [][]string{{"run", "all", "--date", "20180301"}, {"expire", "--keep-archive", "1"}} {
		out, err := program(t, append(args, "--data", data)...).CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), fmt.Sprintf("in use by another run: process %d: wait for it or stop it", os.Getpid())) {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}
