package main

import "slices"

// work is something that a slot of a machine does: one unit or one task of it.
type work struct {
	requests float64
	seconds  float64 // of processor, and of bytes on their way
	needs    []*work
	done     bool
}

// machines do work, each in some slots at a time.
type machines struct {
	*sim
	bucket *bucket
	free   int
	queue  []*work
	end    float64
	// lost reports whether an attempt of work never ends. The work is then assigned to another slot after the timeout,
	// like with a lease or a driver.
	lost    func() bool
	timeout float64
	again   int // attempts that were repeated
}

// do does all work, and what needs it later.
func (m *machines) do(all []*work) {
	m.queue = append(m.queue, all...)
	m.next()
}

// next fills free slots with work whose inputs are all available.
func (m *machines) next() {
	for m.free > 0 {
		i := slices.IndexFunc(m.queue, func(w *work) bool {
			return !slices.ContainsFunc(w.needs, func(n *work) bool { return !n.done })
		})
		if i < 0 {
			return
		}
		w := m.queue[i]
		m.queue = slices.Delete(m.queue, i, i+1)
		m.free--
		if m.lost != nil && m.lost() {
			m.after(m.timeout, func() {
				m.again++
				m.free++
				m.queue = append([]*work{w}, m.queue...)
				m.next()
			})
			continue
		}
		m.after(m.bucket.take(m.sim, w.requests)+w.seconds, func() {
			w.done, m.end = true, m.now
			m.free++
			m.next()
		})
	}
}

// units returns the seven tables of days: main_summary and the three that are made of it, and three of their own. Each
// takes a like share of the requests.
func units(days int, requests float64) (all []*work) {
	for range days {
		summary := &work{requests: requests / 7}
		all = append(all, summary)
		for i := range 6 {
			w := &work{requests: requests / 7}
			if i < 3 {
				w.needs = []*work{summary}
			}
			all = append(all, w)
		}
	}
	return all
}

// run returns the duration of a run of days with workers, from the cost of one day with one worker.
func (m *Measured) run(days, workers int, seed uint64) float64 {
	one := m.Days[0]
	requests := 0.0
	for _, n := range one.Requests {
		requests += float64(n)
	}
	s := newSim(seed)
	ms := &machines{sim: s, bucket: &bucket{latency: one.Seconds / requests}, free: workers}
	ms.do(units(days, requests))
	s.run()
	return ms.end
}
