package generate

import (
	"cmp"
	"slices"

	"github.com/pingmill/pingmill/tools/generate/random"
)

const (
	// warmUp is the number of days that are played before the first one, so that
	// what arrives late arrives on the first day as well. No delay is longer.
	warmUp = 3
	// farthest is the maximum offset of local time from UTC, in seconds.
	farthest = 14 * hour
)

// plan yields all submissions in order of arrival. It holds the states of all clients and two days of their
// submissions.
func (g *Generator) plan(yield func(*entry) bool) {
	start, days := g.first-warmUp, warmUp+g.config.Days+1
	states := make([]state, g.config.Clients)
	for i := range states {
		c := g.client(i)
		states[i] = newState(g.config.Seed, &c, start)
	}
	var waiting []entry
	for day := start; day < start+days; day++ {
		waiting = g.playDay(day, states, waiting)
		slices.SortFunc(waiting, compareEntries)
		// No client's next day begins before this.
		bound := (int64(day+1)*daySec - farthest) * second
		n := 0
		for n < len(waiting) && (waiting[n].arrival < bound || day == start+days-1) {
			if waiting[n].arrival >= g.to {
				return
			}
			if waiting[n].arrival >= g.from && !yield(&waiting[n]) {
				return
			}
			n++
		}
		waiting = append(waiting[:0], waiting[n:]...)
	}
}

func compareEntries(a, b entry) int {
	return cmp.Or(
		cmp.Compare(a.arrival, b.arrival), cmp.Compare(a.client, b.client), cmp.Compare(a.serial, b.serial),
	)
}

// playDay plays a day of all clients and appends what they send to waiting.
func (g *Generator) playDay(day int, states []state, waiting []entry) []entry {
	w := walk{seed: g.config.Seed, visitors: g.config.Visitors, out: waiting}
	for i := range states {
		c := g.client(i)
		w.c, w.s = &c, &states[i]
		start := len(w.out)
		w.play(day)
		for n := start; n < len(w.out); n++ {
			if w.out[n].again {
				break // a copy, which is behind all that was sent
			}
			w.out = g.meddle(n, w.out)
		}
		beside := len(w.out)
		w.out = g.addEvents(&c, w.out, start)
		if g.config.Glean && !c.null {
			w.out = g.addGlean(w.out, start, beside)
		}
	}
	return w.out
}

// meddle damages the n-th entry, or appends a copy of it that arrives later, or
// leaves it as it is.
func (g *Generator) meddle(n int, all []entry) []entry {
	e := all[n]
	r := random.New(g.config.Seed, random.ForFate, uint64(e.client), uint64(e.serial))
	switch {
	case r.Share(g.config.Damaged):
		all[n].damage = drawDamage(&r, e.kind)
	case r.Share(g.config.Duplicates / (1 - g.config.Duplicates)): // of all, not of the originals
		if e.arrival < g.from || e.arrival >= g.to {
			return all // the copy would be the first
		}
		e.again = true
		e.arrival += int64(r.Span(1, 10*hour)) * second
		return append(all, e)
	}
	return all
}
