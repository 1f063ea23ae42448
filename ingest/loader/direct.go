package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"

	"github.com/pingmill/pingmill/table/column"
)

// direct publishes the rows of the direct tables while their pings arrive.
//
// The finished files of a partition always have the rows of the archive's pings of the day. One open file has
// the rows of pings that are not in the archive yet; every publication rewrites it. The manifest names the
// state of the archive from which the finished files were made. If that is not the present state, as after a
// crash or another process's load, the finished files are made again. So no row is ever lost or duplicated. The
// schedule's run makes the partition once its day has ended. Several edges may each have an open file in a
// partition.
type direct struct {
	data        *site.Data
	locks       *site.Locks
	edge        string
	tables      []*directTable
	onPublished func(table string, rows, bytes int64) // of the published rows; nil: nobody
	log         *slog.Logger
	most        int64 // maxDirectBytes

	// alone reports whether no other edge decodes. Otherwise rows become visible with their load, because only
	// then it is known that no other edge has committed their documents.
	alone func(context.Context) (bool, error)
}

type directTable struct {
	*schema.Table
	transform *etl.PingRows
	days      map[ping.Day]*directDay
}

// directDay is the rows of a partition whose pings are not in the archive yet.
type directDay struct {
	unit  job.Unit
	table *schema.Table
	batch *column.Batch
	dirty bool // rows that are not published
	shown int  // rows that were published

	read int  // bytes of pings since the size of the rows was looked at
	full bool // the rows take maxDirectBytes: later ones become visible with the archive's

	behind   bool          // the last publication did not succeed
	failures live.Failures // why

	// generation was published last, file is its open file, and state
	// the state of the archive that the finished files were made from.
	generation, file, state string
}

func newDirect(s *site.Site, locks *site.Locks, o *DecodeOptions) *direct {
	locks.NoWait = true
	data := &s.Data
	d := &direct{data: data, locks: locks, edge: o.Edge, onPublished: o.Published, log: o.Log, most: maxDirectBytes}
	d.alone = func(ctx context.Context) (bool, error) { return s.DecodesAlone(ctx, o.Edge) }
	if _, shared := o.Spool.(Shared); shared {
		d.alone = func(context.Context) (bool, error) { return false, nil } // other partitions are decoded, too
	}
	for _, t := range data.Tables {
		if t.Direct {
			d.tables = append(d.tables, &directTable{t, etl.NewPingRows(t, data.Probes, o.Log), map[ping.Day]*directDay{}})
		}
	}
	return d
}

// add adds the rows of a ping to the direct tables that take it.
func (d *direct) add(m *ping.Meta, body []byte) {
	kind := m.Kind()
	for _, t := range d.tables {
		if t.Kind() == kind && t.Takes(m) {
			d.addTo(t, m, body)
		}
	}
}

// takes reports whether add uses a ping. It is safe for concurrent use.
func (d *direct) takes(m *ping.Meta) bool {
	kind := m.Kind()
	return slices.ContainsFunc(d.tables, func(t *directTable) bool { return t.Kind() == kind && t.Takes(m) })
}

func (d *direct) addTo(t *directTable, m *ping.Meta, body []byte) {
	day := t.day(m.Day())
	if day.full || !t.transform.Append(day.batch, m, body) {
		return // no row: it is in the archive, and a run counts it
	}
	day.dirty = true
	if day.read += len(body); day.read > directSizeBytes {
		day.read, day.full = 0, day.batch.Size() > d.most
	}
}

// directSizeBytes is the number of bytes of pings between two checks of the rows' size.
const directSizeBytes = 4 << 20

// maxDirectBytes bounds what the rows of a day take in memory before their pings
// are in the archive: texts that a client repeats come packed a thousand times.
const maxDirectBytes = 128 << 20

// day returns the state of a day and creates it if necessary.
func (t *directTable) day(day ping.Day) *directDay {
	known := t.days[day]
	if known == nil {
		known = &directDay{unit: job.Unit{Table: t.Name, Day: string(day)}, table: t.Table, batch: column.NewBatch(t.Columns)}
		t.days[day] = known
	}
	return known
}

// look makes the next publication look whether days have the rows of the archive.
func (d *direct) look(days map[ping.Day]bool) {
	for _, t := range d.tables {
		for day := range days {
			t.day(day).behind = true
		}
	}
}

// waiting yields the partitions that have rows, or are to be looked at.
func (d *direct) waiting(yield func(*directDay) bool) {
	for _, t := range d.tables {
		for _, day := range t.days {
			if (day.batch.Rows > 0 || day.behind) && !yield(day) {
				return
			}
		}
	}
}

// rows returns the number of rows that wait for the archive.
func (d *direct) rows() (n int) {
	for day := range d.waiting {
		n += day.batch.Rows
	}
	return n
}

// publish makes all rows visible that it can. upTo names what they were read from.
func (d *direct) publish(ctx context.Context, upTo string) error {
	alone, looked := false, false // nothing to publish, nothing to look for
	for day := range d.waiting {
		if !looked && !day.behind {
			var err error
			if alone, err = d.alone(ctx); err != nil {
				return err
			}
			looked = true
		}
		if !alone && !day.behind {
			continue
		}
		err := d.attempt(ctx, day, func() error { return d.publishDay(ctx, day, upTo) })
		if err != nil {
			return err
		}
	}
	return nil
}

// drop drops the rows that are not in the archive: their load is decoded again.
func (d *direct) drop() {
	for _, t := range d.tables {
		for _, day := range t.days {
			day.batch.Reset()
			day.behind = day.behind || day.shown > 0 // what is visible is to go
			day.shown, day.dirty, day.full, day.read, day.generation = 0, false, false, 0, ""
		}
	}
}

// archived publishes all rows for good: their pings are in the archive, in a load.
func (d *direct) archived(ctx context.Context, load string) error {
	for day := range d.waiting {
		err := d.attempt(ctx, day, func() error {
			if day.full { // the archive has more than these
				day.batch.Reset()
				day.generation = ""
			}
			if day.batch.Rows == 0 {
				return d.publishDay(ctx, day, "")
			}
			return d.finishDay(ctx, day, load)
		})
		if err != nil {
			return err
		}
		day.batch.Reset()
		day.shown, day.dirty, day.full = 0, false, false
	}
	return nil
}

// attempt runs do for a partition. A failure does not stop decoding: the rows are, or will be, in the archive,
// and the next attempt, or the run that closes the day, makes the partition from it again. The returned error
// is the context's.
func (d *direct) attempt(ctx context.Context, day *directDay, do func() error) error {
	err := panics.Try(do)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if day.behind = err != nil; day.behind {
		day.generation = "" // the published partition has to be read again
	}
	if err == nil {
		if day.failures.Last() != nil {
			d.log.Info("new rows of a direct table are visible again", "table", day.table.Name, "day", day.unit.Day)
		}
		day.failures = live.Failures{}
		return nil
	}
	failed, news := day.failures.Add(err, errors.Is(err, etl.ErrPlanAgain))
	if !failed {
		day.failures.Forget() // a run or another server is making it
	}
	if news {
		d.log.Error("new rows of a direct table do not become visible: it is tried again",
			"table", day.table.Name, "day", day.unit.Day, "error", panics.Report(err))
	}
	return nil
}

// failure joins what does not succeed at present.
func (d *direct) failure() error {
	var all []error
	for day := range d.waiting {
		if err := day.failures.Last(); err != nil {
			all = append(all, fmt.Errorf("publish new rows of %v: %w", day.unit, err))
		}
	}
	return errors.Join(all...)
}

// unfinished lists the days whose partitions no run has made, of those that may
// lack rows: since one, or known to have some as they arrived.
func (d *direct) unfinished(ctx context.Context, since ping.Day) (map[ping.Day]bool, error) {
	days := map[ping.Day]bool{since: true}
	for _, t := range d.tables {
		all, err := d.data.TableOf(t.Table).Partitions(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if len(m.Parts) == 0 {
				days[ping.Day(m.Day)] = true
			}
		}
	}
	return days, nil
}

// release drops the state of days before one, which get no more rows. The
// schedule makes them again, in few files.
func (d *direct) release(before ping.Day) {
	for _, t := range d.tables {
		for day, known := range t.days {
			if day < before && known.batch.Rows == 0 && !known.behind {
				delete(t.days, day)
			}
		}
	}
}

// states name the archive's state of a day: the generation that its tasks read, and
// what that was before a load.
func (d *direct) states(ctx context.Context, day *directDay, load string) (before, now string, err error) {
	a, err := archive.OpenDay(ctx, d.data.Archive, ping.Day(day.unit.Day), day.table.Kind())
	if errors.Is(err, fs.ErrNotExist) {
		return etl.NoPingsState, etl.NoPingsState, nil
	}
	if err != nil {
		return "", "", err
	}
	return cmp.Or(a.GenerationBefore(load), etl.NoPingsState), a.Generation(), nil
}
