package etl

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func TestRunAll(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 600)
	s := sitetest.Memory(t, pings)
	if r := mustRun(t, s, RunOptions{Tables: sitetest.AllTables}); r.Count(job.Committed) != len(sitetest.AllTables) {
		t.Fatalf("first run: %v", r)
	}
	rows := map[string]int64{}
	for _, name := range sitetest.AllTables {
		lt, err := s.Table(name)
		require.NoError(t, err)
		m, err := lt.Partition(context.Background(), sitetest.Day)
		require.NoError(t, err)
		rows[name] = m.Rows
	}
	// 600 pings, of which every tenth is a crash; six of the main ones are no object.
	if rows["main_summary"] != 534 || rows["crash_summary"] != 60 {
		t.Errorf("main_summary has %d rows, crash_summary %d", rows["main_summary"], rows["crash_summary"])
	}
	if rows["addons"] < rows["main_summary"] || rows["clients_daily"] == 0 || rows["search_clients_daily"] < rows["clients_daily"] {
		t.Errorf("rows: %v", rows)
	}
	before := sitetest.Contents(t, s)
	if r := mustRun(t, s, RunOptions{Tables: sitetest.AllTables}); !r.Unchanged() {
		t.Errorf("second run: %v", r)
	}
	if r := mustRun(t, s, RunOptions{Tables: sitetest.AllTables, Force: true}); r.Count(job.Committed) != len(sitetest.AllTables) {
		t.Errorf("forced run: %v", r)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
}

func TestWorkersGiveSameBytes(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 2, 400)
	var want map[string]string
	for _, workers := range []int{1, 2, 5} {
		s := sitetest.Memory(t, pings)
		mustRun(t, s, RunOptions{Tables: sitetest.AllTables, Workers: workers})
		if got := sitetest.Contents(t, s); want == nil {
			want = got
		} else {
			sitetest.SameContents(t, got, want)
		}
	}
}

func TestNewPingsMakeTheDayAgain(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 3, 200)
	s := sitetest.Memory(t, pings)
	mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	sitetest.Pings(t, pings, 4, 200)
	r := mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	if got := r.Count(job.Committed); got != 5 { // the direct tables had no pings before or after
		t.Errorf("%d partitions made again: %v", got, r)
	}
	// The same pings loaded at once give the same bytes, but for the generation.
	lt, _ := s.Table("main_summary")
	m, err := lt.Partition(context.Background(), sitetest.Day)
	if err != nil || m.Rows < 340 {
		t.Errorf("%v rows, %v", m, err)
	}
}

func TestSamples(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 5, 400)
	whole := sitetest.Memory(t, pings)
	mustRun(t, whole, RunOptions{Tables: []string{"addons"}})
	s := sitetest.Memory(t, pings)
	first, err := job.ParseSamples("0-10")
	require.NoError(t, err)
	mustRun(t, s, RunOptions{Tables: []string{"main_summary"}, Samples: first})
	if r := mustRun(t, s, RunOptions{Tables: []string{"main_summary"}, Samples: first}); !r.Unchanged() {
		t.Errorf("the same samples again: %v", r)
	}
	lt, _ := s.Table("main_summary")
	m, err := lt.Partition(context.Background(), sitetest.Day)
	if err != nil || len(m.Parts) != 1 || m.Parts[0].Hi != 24 {
		t.Fatalf("parts: %v, %v", m, err)
	}
	// A unit that needs the whole day names the missing part.
	r, err := Run(context.Background(), s, RunOptions{Tables: []string{"addons"}, Days: []string{sitetest.Day}, Samples: nil, Now: time.Now})
	if err != nil || r.Count(job.Committed) != 2 {
		t.Errorf("whole day after some samples: %v, %v", r, err)
	}
	wt, _ := whole.Table("main_summary")
	wm, err := wt.Partition(context.Background(), sitetest.Day)
	require.NoError(t, err)
	if m, _ = lt.Partition(context.Background(), sitetest.Day); m.Rows != wm.Rows {
		t.Errorf("%d rows, want %d", m.Rows, wm.Rows)
	}
}

func TestMissingDay(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	r, err := Run(context.Background(), s, RunOptions{Tables: []string{"clients_daily"}, Days: []string{"20180101"}, Now: time.Now})
	if err != nil || r.Count(job.Skipped) != 2 || !strings.Contains(r.Units[0].Reason, "no pings of the day") {
		t.Errorf("%v, %v", r, err)
	}
}
