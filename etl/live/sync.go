package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// errLost means that rows of the open load are not published any more: somebody else has made the partition.
var errLost = errors.New("open files are gone")

// errChanging means that loads were replaced while a partition was made again from them: a removal of clients replaces many,
// one after the other.
var errChanging = errors.New("the archive changes")

// lookInterval is the interval at which the archive's loads are listed, including those of other edges.
const lookInterval = 5 * time.Minute

// look finds out whether this edge is alone, if other edges matter, and has the days looked at that may have loads of others.
func (r *Rows) look(ctx context.Context, edges bool) {
	if r.o.Alone != nil && edges {
		alone, err := r.o.Alone(ctx)
		r.alone = err == nil && alone
	}
	r.queue.refuse(!r.alone || r.busy.Load())
	now := r.o.Now()
	if !r.looked.IsZero() && now.Sub(r.looked) < lookInterval && !now.Before(r.looked) {
		return
	}
	r.looked = now
	looking := store.Polling(ctx)
	from := ping.DayOf(now.UnixNano())
	r.startDay(looking, from)
	for _, t := range r.tables {
		for name := range t.days {
			from = min(from, name)
		}
	}
	states, err := archive.States(looking, r.data.Archive, from)
	for _, t := range r.tables {
		for name, d := range t.days {
			if err != nil || states[name] != r.states[name] {
				d.known = false
			}
		}
	}
	r.states = states
}

// came reports whether there are rows that may become visible before their load, or were refused.
func (r *Rows) came() bool {
	for _, t := range r.tables {
		for _, d := range t.days {
			if d.dirty {
				return true
			}
		}
	}
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	return r.queue.gap || len(r.queue.events) > 0
}

// lives reports whether a day gets live rows: the one before the present one does until it is made.
func (r *Rows) lives(name ping.Day) bool {
	return name >= ping.DayOf(r.o.Now().Add(-24*time.Hour).UnixNano())
}

// extended names the state of the archive with more loads. It is an error if those that have rows already are not as they were,
// or if one of the others is not there any more: a removal of clients has replaced it, and rows in memory may be of these.
func (r *Rows) extended(ctx context.Context, d *day, loads map[string]bool, before []lake.Input) ([]lake.Input, error) {
	a, err := r.openArchive(ctx, d)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(a.state(d.hasRows), before) {
		return nil, fmt.Errorf("%w: loads were replaced", errLost)
	}
	present := a.loads()
	for l := range loads {
		if _, is := slices.BinarySearch(present, l); !is && !d.loads[l] {
			return nil, fmt.Errorf("%w: load %s was replaced", errLost, l)
		}
	}
	return a.state(func(l string) bool { return loads[l] }), nil
}

// hasRows reports whether a load has finished rows.
func (d *day) hasRows(load string) bool { return d.loads[load] }

// sync finds out which loads have rows in the partition, and which have not. What no set of loads
// explains is made again from the archive, as a run does.
func (r *Rows) sync(ctx context.Context, d *day, base *lake.Manifest) (*lake.Manifest, error) {
	a, err := r.openArchive(ctx, d)
	if err != nil {
		return nil, err
	}
	if base != nil && len(base.Parts) > 0 && ping.Day(d.unit.Day) < ping.DayOf(r.o.Now().UnixNano()) {
		d.over = true // a run has made it: what comes now is for the next one
		d.reset()
		return base, nil
	}
	if !d.explained(a, base) {
		if err := etl.Rebuild(ctx, r.data, r.locks, r.o.Log, d.unit); err != nil {
			if now, failed := r.openArchive(ctx, d); errors.Is(err, etl.ErrPlanAgain) || failed == nil && !slices.Equal(now.all(), a.all()) {
				err = fmt.Errorf("%w: %w", errChanging, err)
			}
			return nil, err
		}
		if base, err = etl.PublishedOf(ctx, r.data, d.table, d.unit); err != nil {
			return nil, err
		}
		if a, err = r.openArchive(ctx, d); err == nil && !d.explained(a, base) {
			err = errChanging
		}
		if err != nil {
			return nil, err
		}
	}
	clear(d.due)
	for _, l := range a.loads() {
		if !d.loads[l] && !(naming.EdgeOf(l) == r.o.Edge && l > r.last) {
			d.due[l] = true
		}
	}
	lost := slices.Clone(d.open)
	clear(d.stale)
	if d.known, d.generation = true, ""; base != nil {
		d.generation = base.Generation
		for _, f := range base.Files {
			if i := slices.Index(lost, f.Name); i >= 0 {
				lost = slices.Delete(lost, i, i+1)
			} else if f.OpenFor == r.o.Edge {
				d.stale[f.Name] = true
			}
		}
	}
	if len(lost) > 0 {
		d.drop()
		d.gap = true
		return nil, errLost
	}
	return base, nil
}

// explained finds out which loads the finished files are of.
func (d *day) explained(a *pings, base *lake.Manifest) bool {
	clear(d.loads)
	if base == nil {
		return true
	}
	state, loads := recordedState(d.table, base), a.loads()
	is := func() bool { return slices.Equal(a.state(d.hasRows), state) }
	switch {
	case base.Live != nil:
		for _, l := range base.Live.Loads {
			d.loads[l] = true
		}
	default:
		for _, l := range loads {
			d.loads[l] = true
		}
	}
	if is() {
		return true
	}
	clear(d.loads)
	if len(loads) == 0 {
		return false
	}
	for _, l := range loads {
		d.loads[l] = true
	}
	if is() {
		return true
	}
	for l := range d.due {
		delete(d.loads, l)
	}
	return is()
}
