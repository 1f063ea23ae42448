package etl

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// damagedSite is an installation with two days, made and current, of three clients
// in two loads each, and with rejected submissions of the first day.
func damagedSite(t *testing.T) (s *site.Site, dir string) {
	t.Helper()
	s = localSite(t)
	for _, part := range []int{0, 1} {
		var b bytes.Buffer
		for _, day := range []string{testDay, "20180302"} {
			start, err := job.ParseDay(day)
			must(t, err)
			for i := range 3 {
				fmt.Fprintf(&b, `{"meta":{"documentId":"0000000%d-0000-4000-8000-00000000000%d","docType":"main","submissionDate":%q,"clientId":%q,"appName":"Firefox","sourceVersion":"4","sourceName":"telemetry","timestamp":%d},"ping":{"version":4,"x":%q}}`+"\n",
					i, part, day, clientOf(i), start.UnixNano()+int64(i), strings.Repeat("y", 1000*part))
			}
		}
		mustLoad(t, s, b.Bytes())
	}
	mustRun(t, s, RunOptions{Tables: allTables, Days: []string{testDay, "20180302"}})
	if n := len(rowsOf(t, s, "main_summary", testDay)); n != 6 {
		t.Fatalf("%d rows to begin with", n)
	}
	dir, _ = store.LocalDir(s.Archive)
	return s, dir
}

// visible is what is published.
func visible(t *testing.T, s *site.Site) map[string]string {
	t.Helper()
	all := contents(t, s)
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
	dataFile   = "pings/v1/submission_date_obj=" + testDay + "/doc_type=main/*.parquet"
	loadRecord = "loads/v1/*.json"
)

// change writes a file anew.
func change(t *testing.T, name string, to func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, to(data), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// damages are what may happen to the archive of the test's day.
var damages = map[string]struct {
	file   string // that it happens to
	do     func(t *testing.T, name string)
	others bool // other days are damaged, too
}{
	"a file is gone":     {dataFile, func(t *testing.T, name string) { must(t, os.Remove(name)) }, false},
	"a file is cut":      {dataFile, func(t *testing.T, name string) { must(t, os.Truncate(name, 100)) }, false},
	"a file is empty":    {dataFile, func(t *testing.T, name string) { must(t, os.Truncate(name, 0)) }, false},
	"a file is longer":   {dataFile, func(t *testing.T, name string) { change(t, name, func(b []byte) []byte { return append(b, 0) }) }, false},
	"a file is a folder": {dataFile, func(t *testing.T, name string) { must(t, os.Remove(name)); must(t, os.Mkdir(name, 0o700)) }, false},
	"a file points nowhere": {dataFile, func(t *testing.T, name string) {
		must(t, os.Remove(name))
		must(t, os.Symlink(name+".nowhere", name))
	}, false},
	"the day is gone":     {dataFile, func(t *testing.T, name string) { must(t, os.RemoveAll(filepath.Dir(filepath.Dir(name)))) }, false},
	"a record is gone":    {loadRecord, func(t *testing.T, name string) { must(t, os.Remove(name)) }, true},
	"a record is garbage": {loadRecord, func(t *testing.T, name string) { must(t, os.WriteFile(name, []byte("\x00garbage"), 0o600)) }, true},
	"a record is empty":   {loadRecord, func(t *testing.T, name string) { must(t, os.Truncate(name, 0)) }, true},
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
			days := []string{testDay, "20180302"}
			for _, force := range []bool{false, true} {
				damagedRun(t, s, RunOptions{Tables: []string{"clients_daily"}, Days: []string{testDay}, Force: force})
			}
			sameContents(t, visible(t, s), before)
			damagedStatus(t, s, filepath.Base(target), d.others)
			damagedPlan(t, s, days, d.others)
			damagedSchedule(t, s)
			sameContents(t, visible(t, s), before)
			s.Keep = site.Retention{Archive: 1}
			if gone, waits := retain(t, s, at(20)); slices.Contains(gone, "archive "+testDay) || len(waits) == 0 {
				t.Errorf("retention removed %v, left %v", gone, waits)
			}
			s.Keep = site.Retention{}
			if _, err := RejectedGroups(context.Background(), s, RejectedFilter{}); err != nil {
				t.Errorf("the rejected submissions, which are whole: %v", err)
			}
		})
	}
}

func damagedRun(t *testing.T, s *site.Site, o RunOptions) {
	t.Helper()
	o.Now = time.Now
	r, err := Run(context.Background(), s, o)
	if !archive.IsDamage(err) || !strings.Contains(err.Error(), "pingmill archive ") {
		t.Errorf("the run: %v", err)
	}
	if r.Count(job.Committed) != 0 || r.Count(job.Failed) == 0 {
		t.Errorf("the run, force %v: %v", o.Force, r)
	}
}

func damagedStatus(t *testing.T, s *site.Site, name string, others bool) {
	t.Helper()
	st, err := ReadStatus(context.Background(), s, StatusOptions{Days: []string{testDay, "20180302"}, Now: at(20), Audit: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range st.Partitions {
		damaged := slices.Contains([]string{"main_summary", "addons", "clients_daily", "search_clients_daily"}, p.Table)
		if (p.Day == testDay || others) && damaged != (p.State == Damaged) && !others {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
		if damaged && (p.Day == testDay || others) && p.State != Damaged {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
		if p.Day != testDay && !others && p.State != Published {
			t.Errorf("%v is %s: %v", p.Unit, p.State, p.Reasons)
		}
	}
	if len(st.Archive.Damage) == 0 || st.Wrong() == 0 {
		t.Fatal("the status names no damage")
	}
}

func damagedPlan(t *testing.T, s *site.Site, days []string, others bool) {
	t.Helper()
	p, err := PlanRun(context.Background(), s, RunOptions{Tables: allTables, Days: days, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range p.Units {
		if u.Table != "main_summary" {
			continue
		}
		if damaged := u.Day == testDay || others; u.Damaged != damaged || damaged && u.Action != Skip || !damaged && u.Action != Keep {
			t.Errorf("the plan: %+v", u)
		}
	}
}

func damagedSchedule(t *testing.T, s *site.Site) {
	t.Helper()
	var log bytes.Buffer
	c := &clock{}
	c.set(at(20).UnixNano())
	sc, err := newScheduler(s, ScheduleOptions{Now: c.now, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // the unit is tried again after a pause, not in every round
		if err := sc.round(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if sc.done[testDay] != "" {
		t.Error("the schedule takes the day for done")
	}
	if n := strings.Count(log.String(), "damaged"); n == 0 || n > 8 { // once for each unit
		t.Errorf("the schedule's log: %s", log.String())
	}
}

// TestDamagedBytes flips single bits of a file whose size stays: no wrong row comes
// of it, and a removal of rows and a run say so.
func TestDamagedBytes(t *testing.T) {
	s, dir := damagedSite(t)
	before := visible(t, s)
	name := one(t, dir, dataFile)
	whole, err := os.ReadFile(name)
	must(t, err)
	for i := 4; i < len(whole); i += 1 + len(whole)/40 {
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i % 8)
		must(t, os.WriteFile(name, bad, 0o600))
		damagedRun(t, s, RunOptions{Tables: []string{"main_summary"}, Days: []string{testDay}, Force: true})
		sameContents(t, visible(t, s), before)
	}
	askToForget(t, s, "a", at(9), clientOf(1))
	if _, err := Forget(context.Background(), s, forgetOptions()); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
		t.Errorf("the removal: %v", err)
	}
	must(t, os.WriteFile(name, whole, 0o600))
	mustForget(t, s)
	if mentioned(t, s, clientOf(1)) != 0 {
		t.Error("the client is still there")
	}
}

// TestForgetBesideDamage removes a client while a day is damaged: from all that can
// be read at once, and from that day when it is mended.
func TestForgetBesideDamage(t *testing.T) {
	for _, damage := range []string{"a file is gone", "a record is garbage"} {
		s, dir := damagedSite(t)
		d := damages[damage]
		name := one(t, dir, d.file)
		whole, err := os.ReadFile(name)
		must(t, err)
		d.do(t, name)
		askToForget(t, s, "a", at(9), clientOf(1))
		if _, err := Forget(context.Background(), s, forgetOptions()); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", damage, err)
		}
		if n := pendingOf(t, s); n != 1 {
			t.Errorf("%s: %d requests wait", damage, n)
		}
		for _, day := range []string{testDay, "20180302"} { // tables lose the rows all the same
			for _, row := range rowsOf(t, s, "main_summary", day) {
				if row["client_id"] == clientOf(1) {
					t.Errorf("%s: main_summary of %s has the client", damage, day)
				}
			}
		}
		must(t, os.WriteFile(name, whole, 0o600))
		mustForget(t, s)
		if mentioned(t, s, clientOf(1)) != 0 || mentioned(t, s, clientOf(0)) != 4 || pendingOf(t, s) != 0 {
			t.Errorf("%s: after mending the client is there %d times", damage, mentioned(t, s, clientOf(1)))
		}
	}
}

// TestForgetBesideUnknownDay removes a client whose pings are in a day of which no
// record can be read, and nothing is published: the request waits.
func TestForgetBesideUnknownDay(t *testing.T) {
	s := localSite(t)
	mustLoad(t, s, submissionLines(t, fromClients(2)))
	dir, _ := store.LocalDir(s.Archive)
	record := one(t, dir, loadRecord)
	whole, err := os.ReadFile(record)
	must(t, err)
	must(t, os.WriteFile(record, []byte("{"), 0o600))
	askToForget(t, s, "a", at(9), clientOf(1))
	if _, err := Forget(context.Background(), s, forgetOptions()); err == nil || pendingOf(t, s) != 1 {
		t.Errorf("%v, %d requests wait", err, pendingOf(t, s))
	}
	must(t, os.WriteFile(record, whole, 0o600))
	mustForget(t, s)
	if mentioned(t, s, clientOf(1)) != 0 || mentioned(t, s, clientOf(0)) != 1 || pendingOf(t, s) != 0 {
		t.Error("the client is still there, or another is not")
	}
}

// TestMendDamage gives files up, and makes records anew.
func TestMendDamage(t *testing.T) {
	ctx := context.Background()
	s, dir := damagedSite(t)
	name := one(t, dir, dataFile)
	if _, err := DropFiles(ctx, s, []string{filepath.Base(name)}, at(9)); err == nil || !strings.Contains(err.Error(), "it is whole") {
		t.Errorf("giving up a whole file: %v", err)
	}
	before := visible(t, s)
	record := one(t, dir, loadRecord)
	load := strings.TrimSuffix(filepath.Base(record), ".json")
	if _, err := RebuildLoad(ctx, s, load); err == nil || !strings.Contains(err.Error(), "it is whole") {
		t.Errorf("rebuilding a whole record: %v", err)
	}
	must(t, os.Remove(record))
	r, err := RebuildLoad(ctx, s, load)
	if err != nil || len(r.Files) != 2 || len(r.Gaps) != 0 || r.Files[0].Rows != 3 || r.Files[0].SHA256 == "" || !r.Rebuilt {
		t.Fatalf("%+v, %v", r, err)
	}
	mustRun(t, s, RunOptions{Tables: allTables, Days: []string{testDay, "20180302"}})
	sameContents(t, visible(t, s), before) // the same generations: nothing was made again
	must(t, os.Remove(name))
	d, err := DropFiles(ctx, s, []string{filepath.Base(name)}, at(9))
	if err != nil || len(d.Files) != 1 || d.Files[0].Rows != 3 || len(d.Stale) != 4 {
		t.Fatalf("%+v, %v", d, err)
	}
	mustRun(t, s, RunOptions{Tables: allTables})
	if rows := rowsOf(t, s, "main_summary", testDay); len(rows) != 3 {
		t.Errorf("%d rows are left", len(rows))
	}
	a, err := archive.AuditNames(ctx, s.Archive, nil)
	if err != nil || len(a.Damage)+len(a.Foreign) != 0 || len(a.Lost) != 1 || a.Lost[0].Day != testDay {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestReplayBesideDamage damages rejected submissions.
func TestReplayBesideDamage(t *testing.T) {
	s := localSite(t)
	mustLoad(t, s, append(pingLines(testDay, 0, 3), "junk\n"...))
	dir, _ := store.LocalDir(s.Archive)
	must(t, os.Remove(one(t, dir, "errors/v1/*/*.parquet")))
	if _, err := Replay(context.Background(), s, ReplayOptions{}); !archive.IsDamage(err) {
		t.Errorf("the replay: %v", err)
	}
	if _, err := RejectedGroups(context.Background(), s, RejectedFilter{}); !archive.IsDamage(err) {
		t.Errorf("the errors: %v", err)
	}
	if _, err := archive.OpenDay(context.Background(), s.Archive, ping.Day(testDay), "main"); err != nil {
		t.Errorf("the pings: %v", err)
	}
}

// TestForeignFiles tells what is not the archive's, and lets it be.
func TestForeignFiles(t *testing.T) {
	s, dir := damagedSite(t)
	before := visible(t, s)
	folder := filepath.Dir(one(t, dir, dataFile))
	for _, name := range []string{filepath.Join(folder, "copy.parquet"), filepath.Join(folder, "nobody-000001.parquet"), filepath.Join(dir, "loads/v1/notes.txt")} {
		must(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	link := one(t, dir, dataFile)
	must(t, os.Rename(link, filepath.Join(dir, "elsewhere")))
	must(t, os.Symlink(filepath.Join(dir, "elsewhere"), link))
	mustRun(t, s, RunOptions{Tables: allTables})
	sameContents(t, visible(t, s), before)
	a, err := archive.AuditNames(context.Background(), s.Archive, nil)
	if err != nil || len(a.Foreign) != 4 || len(a.Damage) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
