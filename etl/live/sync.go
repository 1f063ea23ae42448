package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
)

// errLost says that rows of the open load are not published any more: somebody else has made the partition.
var errLost = errors.New("open files are gone")

// lookInterval is the interval at which the archive's loads are listed, including those of other edges.
const lookInterval = 5 * time.Minute

// look finds out whether this edge is alone, and has the days looked at that may have loads of others.
func (r *Rows) look(ctx context.Context) {
	alone := false
	if r.o.Alone != nil {
		var err error
		if alone, err = r.o.Alone(ctx); err != nil {
			alone = false
		}
	}
	r.alone = alone
	r.queue.refuse(!alone || r.busy.Load())
	now := r.o.Now()
	if !r.looked.IsZero() && now.Sub(r.looked) < lookInterval && !now.Before(r.looked) {
		return
	}
	r.looked = now
	r.startDay(ctx, ping.DayOf(now.UnixNano()))
	for _, t := range r.tables {
		for _, d := range t.days {
			d.known = false
		}
	}
}

// lives says whether a day gets live rows: the one before the present one does until it is made.
func (r *Rows) lives(name ping.Day) bool {
	return name >= ping.DayOf(r.o.Now().Add(-24*time.Hour).UnixNano())
}

// openArchive is the archive's day, nil if there is none.
func (r *Rows) openArchive(ctx context.Context, d *day) (*archive.Day, error) {
	a, err := archive.OpenDay(ctx, r.data.Archive, ping.Day(d.unit.Day), d.table.Kind())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return a, err
}

// generationOf names the state of the archive that has some loads only.
func generationOf(a *archive.Day, loads map[string]bool) string {
	if a == nil {
		return etl.NoPingsState
	}
	if part := a.OfLoads(func(l string) bool { return loads[l] }); part != nil {
		return part.Generation()
	}
	return etl.NoPingsState
}

// stateOf names the state of the archive with some loads. It is an error if those that have rows already are
// not as they were.
func (r *Rows) stateOf(ctx context.Context, d *day, loads map[string]bool, before string) (string, error) {
	a, err := r.openArchive(ctx, d)
	if err != nil {
		return "", err
	}
	if generationOf(a, d.loads) != before {
		return "", fmt.Errorf("%w: loads were replaced", errLost)
	}
	return generationOf(a, loads), nil
}

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
			return nil, err
		}
		if base, err = etl.PublishedOf(ctx, r.data, d.table, d.unit); err != nil {
			return nil, err
		}
		if a, err = r.openArchive(ctx, d); err == nil && !d.explained(a, base) {
			err = errors.New("the archive changes")
		}
		if err != nil {
			return nil, err
		}
	}
	clear(d.due)
	if a != nil {
		for _, l := range a.Loads() {
			if !d.loads[l] && !(naming.EdgeOf(l) == r.o.Edge && l > r.last) {
				d.due[l] = true
			}
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
func (d *day) explained(a *archive.Day, base *lake.Manifest) bool {
	clear(d.loads)
	if base == nil {
		return true
	}
	state := recordedState(base)
	switch {
	case base.Live != nil:
		for _, l := range base.Live.Loads {
			d.loads[l] = true
		}
	case a != nil:
		for _, l := range a.Loads() {
			d.loads[l] = true
		}
	}
	if generationOf(a, d.loads) == state {
		return true
	}
	if a == nil {
		return false
	}
	clear(d.loads)
	for _, l := range a.Loads() {
		if !d.due[l] {
			d.loads[l] = true
		}
	}
	if a.Generation() == state {
		for _, l := range a.Loads() {
			d.loads[l] = true
		}
		return true
	}
	return generationOf(a, d.loads) == state
}
