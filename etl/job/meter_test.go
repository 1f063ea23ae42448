package job_test

import (
	"testing"
	"time"

	"github.com/pingmill/pingmill/etl/job"
)

// TestMeter follows a run of two tables, one of which costs ten times as much for each byte.
func TestMeter(t *testing.T) {
	slow, fast, earlier, skipped := job.Unit{"slow", "20180301"}, job.Unit{"fast", "20180301"}, job.Unit{"fast", "20180302"},
		job.Unit{"slow", "20180302"}
	m := job.NewMeter(map[job.Unit]int64{slow: 100, fast: 1000, earlier: 600, skipped: 400}, job.Speed{Tables: map[string]job.Rate{
		"slow": {BytesIn: 10, Work: 100}, "fast": {BytesIn: 1000, Work: 1000},
	}})
	start := time.Unix(0, 0)
	at := func(second int64, e job.Event) {
		e.Time = start.Add(time.Duration(second) * time.Second)
		m.Add(e)
	}
	expect := func(done, total int64, left time.Duration, known bool) {
		t.Helper()
		if d, n := m.Bytes(); d != done || n != total {
			t.Errorf("%d of %d bytes, want %d of %d", d, n, done, total)
		}
		if l, ok := m.Left(); l.Round(time.Second) != left || ok != known {
			t.Errorf("%v left (%v), want %v (%v)", l, ok, left, known)
		}
	}
	task := job.Task{Table: "fast", Day: "20180301", Lo: 0, Hi: 49, Bytes: 500}
	at(0, job.Event{Kind: job.UnitPlanned, Unit: fast, UnitBytes: 1000})
	expect(0, 2100, 0, false)
	at(0, job.Event{Kind: job.UnitEnded, Unit: skipped, Outcome: job.Skipped})
	at(0, job.Event{Kind: job.UnitPlanned, Unit: earlier, UnitBytes: 600, UnitBytesEnded: 600})
	expect(600, 1700, 0, false) // what an earlier run did says nothing of this one
	at(0, job.Event{Kind: job.TaskStarted, Unit: fast, Task: task, UnitBytes: 1000})
	at(0, job.Event{Kind: job.UnitEnded, Unit: earlier, Outcome: job.Committed})
	at(0, job.Event{Kind: job.TaskEnded, Unit: fast, Task: task, Outcome: job.Cancelled, UnitBytes: 1000, UnitBytesEnded: 500})
	at(10, job.Event{Kind: job.TaskStarted, Unit: slow, Task: job.Task{Table: "slow"}, UnitBytes: 100})
	// 500 of 1000 at weight 1, and 100 at weight 10: a quarter of 2000 took 10 seconds.
	expect(1100, 1700, 30*time.Second, true)
	at(40, job.Event{Kind: job.UnitEnded, Unit: fast, Outcome: job.Committed})
	at(40, job.Event{Kind: job.UnitEnded, Unit: slow, Outcome: job.Committed})
	expect(1700, 1700, 0, true)
}

// TestMeterLearns: without a history a table's cost comes from the tasks of this run, and other tables cost the mean.
func TestMeterLearns(t *testing.T) {
	a, b := job.Unit{"a", "20180301"}, job.Unit{"b", "20180301"}
	m := job.NewMeter(map[job.Unit]int64{a: 100, b: 300}, job.Speed{})
	task := job.Task{Table: "a", Day: "20180301", Bytes: 100}
	start := time.Unix(100, 0)
	m.Add(job.Event{Kind: job.TaskStarted, Time: start, Unit: a, Task: task, UnitBytes: 100})
	m.Add(job.Event{Kind: job.TaskEnded, Time: start.Add(time.Minute), Unit: a, Task: task, Outcome: job.Done, UnitBytes: 100,
		UnitBytesEnded: 100})
	if left, ok := m.Left(); left != 3*time.Minute || !ok {
		t.Errorf("%v left, %v", left, ok)
	}
	unknown := job.Unit{"c", "20180301"}
	m.Add(job.Event{Kind: job.UnitPlanned, Time: start.Add(time.Minute), Unit: unknown, UnitBytes: 100})
	if left, ok := m.Left(); left != 4*time.Minute || !ok {
		t.Errorf("with a unit that was not expected: %v left, %v", left, ok)
	}
}
