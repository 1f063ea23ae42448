package service

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// damagedSite returns an installation with two days, made and current, of three clients in two loads each, and with
// rejected submissions of the first day.
func damagedSite(t *testing.T) (s *site.Site, dir string) {
	t.Helper()
	s = sitetest.Local(t)
	for _, part := range []int{0, 1} {
		var b bytes.Buffer
		for _, day := range []string{sitetest.Day, "20180302"} {
			start, err := job.ParseDay(day)
			require.NoError(t, err)
			for i := range 3 {
				fmt.Fprintf(&b, `{"meta":{"documentId":"0000000%d-0000-4000-8000-00000000000%d","docType":"main","submissionDate":%q,`+
					`"clientId":%q,"appName":"Firefox","sourceVersion":"4","sourceName":"telemetry","timestamp":%d},"ping":{"version":4,"x":%q}}`+"\n",
					i, part, day, sitetest.ClientOf(i), start.UnixNano()+int64(i), strings.Repeat("y", 1000*part))
			}
		}
		mustLoad(t, s, b.Bytes())
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day, "20180302"}})
	if n := len(sitetest.RowsOf(t, s, "main_summary", sitetest.Day)); n != 6 {
		t.Fatalf("%d rows to begin with", n)
	}
	dir, _ = store.LocalDir(s.Archive)
	return s, dir
}

// visible returns the published rows.
func visible(t *testing.T, s *site.Site) map[string]string {
	t.Helper()
	all := sitetest.Contents(t, s)
	maps.DeleteFunc(all, func(name, _ string) bool { return strings.Contains(name, "/_staging/") })
	return all
}

// one finds the first file that matches.
func one(t *testing.T, dir, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	return names[0]
}

const (
	dataFile   = "pings/v1/submission_date_obj=" + sitetest.Day + "/doc_type=main/*.parquet"
	loadRecord = "loads/v1/*.json"
)

// change overwrites a file.
func change(t *testing.T, name string, to func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, to(data), 0o600)
	}
	require.NoError(t, err)
}

// damages lists kinds of damage to the archive of the test's day.
var damages = map[string]struct {
	file   string // that it happens to
	do     func(t *testing.T, name string)
	others bool // other days are damaged, too
}{
	"a file is gone":   {dataFile, func(t *testing.T, name string) { require.NoError(t, os.Remove(name)) }, false},
	"a file is cut":    {dataFile, func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 100)) }, false},
	"a file is empty":  {dataFile, func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 0)) }, false},
	"a file is longer": {dataFile, func(t *testing.T, name string) { change(t, name, func(b []byte) []byte { return append(b, 0) }) }, false},
	"a file is a folder": {dataFile, func(t *testing.T, name string) {
		require.NoError(t, os.Remove(name))
		require.NoError(t, os.Mkdir(name, 0o700))
	}, false},
	"a file points nowhere": {dataFile, func(t *testing.T, name string) {
		require.NoError(t, os.Remove(name))
		require.NoError(t, os.Symlink(name+".nowhere", name))
	}, false},
	"the day is gone": {dataFile, func(t *testing.T, name string) { require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(name)))) },
		false},
	"a record is gone": {loadRecord, func(t *testing.T, name string) { require.NoError(t, os.Remove(name)) }, true},
	"a record is garbage": {loadRecord,
		func(t *testing.T, name string) { require.NoError(t, os.WriteFile(name, []byte("\x00garbage"), 0o600)) }, true},
	"a record is empty": {loadRecord, func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 0)) }, true},
	"a record is of a later version": {loadRecord, func(t *testing.T, name string) {
		change(t, name, func(b []byte) []byte { return bytes.Replace(b, []byte(`"format":1`), []byte(`"format":2`), 1) })
	}, true},
	"a record names other files": {loadRecord, func(t *testing.T, name string) {
		change(t, name, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"files"`), []byte(`"filez"`)) })
	}, true},
	"a record has other numbers": {loadRecord, func(t *testing.T, name string) {
		change(t, name, func(b []byte) []byte { return bytes.Replace(b, []byte(`"rows":3`), []byte(`"rows":2`), 1) })
	}, true},
}

// TestDamagedDay damages a day's archive. Nothing that is published may change, all
// who look at it say so, and what works on other days goes on.
func TestDamagedDay(t *testing.T) {
	for name, d := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := damagedSite(t)
			before := visible(t, s)
			target := one(t, dir, d.file)
			d.do(t, target)
			days := []string{sitetest.Day, "20180302"}
			for _, force := range []bool{false, true} {
				damagedRun(t, s, etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{sitetest.Day}, Force: force})
			}
			sitetest.SameContents(t, visible(t, s), before)
			damagedStatus(t, s, filepath.Base(target), d.others)
			damagedPlan(t, s, days, d.others)
			damagedSchedule(t, s)
			sitetest.SameContents(t, visible(t, s), before)
			s.Keep = site.Retention{Archive: 1}
			if removed, waits := mustRetain(t, s, sitetest.At(20)); slices.Contains(removed, "archive "+sitetest.Day) || len(waits) == 0 {
				t.Errorf("retention removed %v, left %v", removed, waits)
			}
			s.Keep = site.Retention{}
			if _, err := loader.RejectedGroups(context.Background(), s.Archive, loader.RejectedFilter{}); err != nil {
				t.Errorf("the rejected submissions, which are whole: %v", err)
			}
		})
	}
}

func damagedRun(t *testing.T, s *site.Site, o etl.RunOptions) {
	t.Helper()
	o.Now = time.Now
	r, err := etl.Run(context.Background(), s, o)
	if !archive.IsDamage(err) || !strings.Contains(err.Error(), "pingmill archive ") {
		t.Errorf("the run: %v", err)
	}
	if r.Count(job.Committed) != 0 || r.Count(job.Failed) == 0 {
		t.Errorf("the run, force %v: %v", o.Force, r)
	}
}

func damagedStatus(t *testing.T, s *site.Site, name string, others bool) {
	t.Helper()
	st, err := status.Read(context.Background(), s,
		status.Options{Days: []string{sitetest.Day, "20180302"}, Now: sitetest.At(20), Audit: true})
	require.NoError(t, err)
	for _, p := range st.Partitions {
		damaged := slices.Contains([]string{"main_summary", "addons", "clients_daily", "search_clients_daily"}, p.Table)
		if (p.Day == sitetest.Day || others) && damaged != (p.State == status.Damaged) && !others {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
		if damaged && (p.Day == sitetest.Day || others) && p.State != status.Damaged {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
		if p.Day != sitetest.Day && !others && p.State != status.Published {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
	}
	if len(st.Archive.Damage) == 0 || st.Wrong() == 0 {
		t.Fatal("the status names no damage")
	}
}

func damagedPlan(t *testing.T, s *site.Site, days []string, others bool) {
	t.Helper()
	p, err := etl.PlanRun(context.Background(), s, etl.RunOptions{Tables: sitetest.AllTables, Days: days, Now: time.Now})
	require.NoError(t, err)
	for _, u := range p.Units {
		if u.Table != "main_summary" {
			continue
		}
		if damaged := u.Day == sitetest.Day || others; u.Damaged != damaged || damaged && u.Action != etl.Skip || !damaged &&
			u.Action != etl.Keep {
			t.Errorf("the plan: %+v", u)
		}
	}
}

func damagedSchedule(t *testing.T, s *site.Site) {
	t.Helper()
	c := &sitetest.Clock{}
	c.Set(sitetest.At(20).UnixNano())
	// the unit is tried again after a pause, not in every round
	log := etltest.Rounds(t, s, etl.ScheduleOptions{Clock: clock.Clock{Now: c.Now}}, 3)
	if n := strings.Count(log, "damaged"); n == 0 || n > 8 { // once for each unit
		t.Errorf("the schedule's log: %s", log)
	}
}
