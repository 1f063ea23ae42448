package job

import "time"

// Meter estimates the progress of a run and the time left, by the bytes of input. A byte costs more in some tables than in
// others, so the bytes are weighted with the times of the tables' past tasks and, as they end, those of this run.
type Meter struct {
	units  map[Unit]*metered
	rates  map[string]Rate
	begun  map[Task]time.Time
	start  time.Time
	latest time.Time
}

// metered counts the bytes of a unit; an earlier run read some of them.
type metered struct{ total, done, earlier int64 }

// NewMeter returns a meter for a run with the expected bytes of input for each unit; unchanged units may be absent.
func NewMeter(expected map[Unit]int64, s Speed) *Meter {
	m := &Meter{units: map[Unit]*metered{}, rates: map[string]Rate{}, begun: map[Task]time.Time{}}
	for u, n := range expected {
		m.units[u] = &metered{total: n}
	}
	for table, r := range s.Tables {
		m.rates[table] = r
	}
	return m
}

// Add updates the meter by an event of the run.
func (m *Meter) Add(e Event) {
	if m.start.IsZero() {
		m.start = e.Time
	}
	m.latest = e.Time
	u := m.units[e.Unit]
	if u == nil {
		u = &metered{}
		m.units[e.Unit] = u
	}
	switch e.Kind {
	case UnitPlanned:
		u.total, u.done = e.UnitBytes, e.UnitBytesEnded
		u.earlier = u.done
	case TaskStarted:
		m.begun[e.Task] = e.Time
	case TaskEnded:
		u.total, u.done = e.UnitBytes, e.UnitBytesEnded
		if e.Outcome == Done {
			r := m.rates[e.Task.Table]
			r.BytesIn += e.Task.Bytes
			r.Work += e.Time.Sub(m.begun[e.Task])
			m.rates[e.Task.Table] = r
		}
		delete(m.begun, e.Task)
	case UnitEnded:
		if e.Outcome != Committed {
			u.total = u.done // nothing more is read
		}
		u.done = u.total
	}
}

// Bytes returns the bytes of input that were read, and the total.
func (m *Meter) Bytes() (done, total int64) {
	for _, u := range m.units {
		done += u.done
		total += u.total
	}
	return done, total
}

// Left returns the expected remaining time at the present speed; ok is false before any work is done.
func (m *Meter) Left() (left time.Duration, ok bool) {
	var done, total float64
	for u, b := range m.units {
		w := m.weight(u.Table)
		done += float64(b.done-b.earlier) * w
		total += float64(b.total-b.earlier) * w
	}
	elapsed := m.latest.Sub(m.start)
	if done <= 0 || elapsed <= 0 {
		return 0, false
	}
	return time.Duration(float64(elapsed) * (total - done) / done), true
}

// weight returns the nanoseconds of work that a byte of the table's input takes; for a table without a history it is
// the mean of the others.
func (m *Meter) weight(table string) float64 {
	if r := m.rates[table]; r.BytesIn > 0 && r.Work > 0 {
		return float64(r.Work) / float64(r.BytesIn)
	}
	var all Rate
	for _, r := range m.rates {
		all.BytesIn += r.BytesIn
		all.Work += r.Work
	}
	if all.BytesIn == 0 || all.Work == 0 {
		return 1
	}
	return float64(all.Work) / float64(all.BytesIn)
}
