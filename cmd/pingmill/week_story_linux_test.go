package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// partitionPath returns the path of the partition of a table and day in its bucket.
func (w *week) partitionPath(table string, day int) string {
	w.t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(w.t, err)
	t, err := schema.Find(schema.NewSet(p).Tables, table)
	require.NoError(w.t, err)
	return path.Join(t.Prefix(), t.PartitionDir(weekDay(day)))
}

// publish moves the clocks on by minutes until all servers report these tables of the day as published: five at most,
// as another run may be under way.
func (w *week) publish(day int, tables ...string) {
	w.t.Helper()
	var left []string
	for range 5 {
		w.step(w.now.Add(time.Minute))
		left = left[:0]
		for _, s := range w.up() {
			st := s.status()
			for _, t := range tables {
				if p := st.partition(t, weekDay(day)); p.State != "published" {
					left = append(left, fmt.Sprintf("%s is %s for server %s: %v", t, p.State, s.name, p.Reasons))
				}
			}
		}
		if len(left) == 0 {
			return
		}
	}
	w.t.Fatalf("not published of day %d at %v: %v", day, w.now, left)
}

// ordinaryDay is one without trouble. Between its end and its jobs its tables are
// missing, and overdue, to everybody.
func (w *week) ordinaryDay(day int) {
	w.live(day, 8)
	w.states(w.servers, day, dailyTables, "missing", "")
	for _, s := range w.servers {
		w.gauge(s, `pingmill_table_overdue_seconds{table="main_summary"}`, 30, 30)
	}
	w.publish(day, weekTables...)
	w.inOrder(day)
}

// failingTask lets the writing of a day's addons fail on all servers. The others
// are published, and that one is tried again with growing pauses, until it works.
func (w *week) failingTask(day int) {
	for _, s := range w.servers {
		s.write("fail lake/_staging/%s/", w.partitionPath("addons", day))
	}
	w.live(day, 8)
	others := slices.DeleteFunc(slices.Clone(weekTables), func(t string) bool { return t == "addons" })
	w.publish(day, others...)
	const failures = `pingmill_partitions_total{outcome="failed",table="addons"}`
	tries := map[string][]time.Time{}
	for end := w.now.Add(16 * time.Minute); w.now.Before(end); w.step(w.now.Add(time.Minute)) {
		for _, s := range w.servers {
			if n, _ := s.metric(failures); int(n) > len(tries[s.name]) {
				tries[s.name] = append(tries[s.name], w.now)
			}
		}
	}
	w.states(w.servers, day, []string{"addons"}, "failed", "input/output error")
	w.states(w.servers, day, others, "published", "")
	since := w.now.Sub(weekTime(day+1, 0, 0)).Seconds()
	for _, s := range w.servers {
		w.gauge(s, `pingmill_table_freshness_seconds{table="addons"}`, since+24*3600, since+24*3600)
		w.gauge(s, `pingmill_table_overdue_seconds{table="addons"}`, since, since)
		w.gauge(s, `pingmill_table_freshness_seconds{table="clients_daily"}`, since, since)
		w.growing(s, tries[s.name])
		s.write("fail ")
	}
	w.step(w.now.Add(30 * time.Minute)) // the next try is due
	w.decoded(w.servers...)
	w.publish(day, "addons")
	w.inOrder(day)
}

// growing checks that the pauses between tries grow: by twice each time, or more
// where the other server was trying when one was due.
func (w *week) growing(s *weekly, tries []time.Time) {
	w.t.Helper()
	least, ok := time.Minute, len(tries) >= 3 && len(tries) <= 5
	for i := 1; i < len(tries); i++ {
		ok = ok && tries[i].Sub(tries[i-1]) >= least
		least *= 2
	}
	if !ok {
		w.t.Errorf("server %s tried at %v", s.name, tries)
	}
}

// midnightCrash kills a server when the new main_summary of the day is whole and
// about to take its place. The other one waits for its lease to end, and goes on
// from there.
func (w *week) midnightCrash(day int, dies, lives *weekly) {
	dies.write("hold %s", w.partitionPath("main_summary", day))
	w.live(day, 8)
	for holding := false; !holding; { // another run of the server may be under way
		w.set(w.now.Add(time.Minute), dies)
		w.await("server "+dies.name+" publishes main_summary", func() bool {
			holding = dies.holding
			return holding || dies.idle.Equal(w.now)
		}, dies)
	}
	w.states([]*weekly{dies}, day, []string{"main_summary"}, "running", "")
	w.states([]*weekly{lives}, day, []string{"main_summary"}, "running", "server "+dies.name+" is making it")
	dies.kill()
	w.step(w.now, lives)
	w.states([]*weekly{lives}, day, []string{"main_summary"}, "running", "server "+dies.name+" is making it")
	w.states([]*weekly{lives}, day, []string{"addons", "clients_daily"}, "missing", "main_summary of the day is not published")
	w.step(w.now.Add(time.Minute)) // the lease has ended
	w.publish(day, weekTables...)
	w.inOrder(day)
	dies.start()
	w.inOrder(day)
}

// longOutage has a server down from one day's morning to the next one's evening.
// Meanwhile clients come to the other; the day waits for what the first has not
// decoded.
func (w *week) longOutage(day int, down, up *weekly) {
	w.arrive(weekTime(day, 10, 0))
	down.kill() // what just arrived is in its spool alone
	through := down.progress
	w.live(day, 16)
	w.step(w.now.Add(5 * time.Minute))
	waits := func() {
		w.t.Helper()
		w.states([]*weekly{up}, day, dailyTables, "incomplete", "edge "+down.name+" is decoded up to 2018-03-0")
		w.lag(up, down, w.now.Sub(through))
		w.lag(up, up, 0)
		w.gauge(up, `pingmill_table_overdue_seconds{table="main_summary"}`, 0, 0)
		since := w.now.Sub(weekTime(day, 0, 0)).Seconds()
		w.gauge(up, `pingmill_table_freshness_seconds{table="main_summary"}`, since, since)
	}
	waits()
	w.arrive(weekTime(day+1, 12, 0))
	w.decoded(up)
	w.arrive(weekTime(day+1, 20, 0))
	w.decoded(up)
	waits()
	down.start()
	w.publish(day, weekTables...)
	w.inOrder(day)
	w.live(day+1, 22)
	w.publish(day+1, weekTables...)
	w.inOrder(day + 1)
}

// lostArchive takes the archive from a server for some hours around midnight. It still takes submissions, stores them,
// and reports the fault.
func (w *week) lostArchive(day int, without, with *weekly) {
	w.arrive(weekTime(day, 16, 0))
	w.decoded(w.servers...)
	without.write("fail archive/")
	through := without.progress
	w.arrive(weekTime(day, 20, 0))
	w.arrive(weekTime(day, 23, 59))
	w.step(weekTime(day+1, 0, 1))
	w.decoded(with)
	w.step(weekTime(day+1, 2, 0))
	w.decoded(with)
	if code, text := without.page("/__heartbeat__"); code != 503 || !strings.Contains(text, "input/output error") {
		w.t.Errorf("the heartbeat without an archive: %d %s", code, text)
	}
	if code, text := without.page("/status"); code != 500 || !strings.Contains(text, "input/output error") {
		w.t.Errorf("the status without an archive: %d %s", code, text)
	}
	w.states([]*weekly{with}, day, dailyTables, "incomplete", "edge "+without.name+" is decoded up to 2018-03-0")
	w.lag(with, without, w.now.Sub(through))
	w.lag(with, with, 0)
	without.write("fail ")
	w.decoded(w.servers...)
	w.publish(day, weekTables...)
	w.inOrder(day)
}

// slowDisk makes every change in the lake slow while the day's tables are made.
// Nothing of the daily tables is failed or stale to anybody meanwhile.
func (w *week) slowDisk(day int) {
	w.live(day, 8)
	for _, s := range w.servers {
		s.write("slow 3ms")
	}
	w.set(w.now.Add(time.Minute), w.servers...)
	seen := map[string]int{}
	for busy := true; busy; {
		w.mu.Lock()
		busy = slices.ContainsFunc(w.servers, func(s *weekly) bool { return !s.idle.Equal(w.now) })
		w.mu.Unlock()
		for _, s := range w.servers {
			st := s.status()
			for _, t := range dailyTables {
				p := st.partition(t, weekDay(day))
				if seen[p.State]++; p.State != "missing" && p.State != "running" && p.State != "published" {
					w.t.Errorf("%s is %s on a slow disk: %v", t, p.State, p.Reasons)
				}
			}
		}
	}
	w.t.Logf("states on the slow disk: %v", seen)
	w.publish(day, weekTables...)
	for _, s := range w.servers {
		s.write("slow 0s")
	}
	w.inOrder(day)
}
