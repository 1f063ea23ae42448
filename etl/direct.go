package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// direct lands the rows of the direct tables while their pings arrive.
//
// A partition is always the rows of the archive's pings of the day, in finished
// files, and those of the pings that are not in the archive yet, in one growing
// file that every publication makes anew. The manifest names the state of the
// archive that the finished files are made from; when that is not the state
// there is, as after a crash or somebody else's load, they are made again. So
// nothing is lost or there twice whatever happened, and a closed day is what a
// run makes of it. Several edges may each have a growing file in a partition.
type direct struct {
	site   *Site
	edge   string
	tables map[ping.DocType]*directTable
	told   func(table string, rows, bytes int64) // of what is published; nil: nobody
	log    *slog.Logger
}

type directTable struct {
	*schema.Table
	transform *pingRows
	days      map[ping.Day]*directDay
}

// directDay is the rows of a partition whose pings are not in the archive yet.
type directDay struct {
	unit  job.Unit
	table *schema.Table
	batch *column.Batch
	dirty bool // rows that are not published
	shown int  // rows that were published

	// generation is what was published last, file its growing file, and state
	// that of the archive that the finished files were made from.
	generation, file, state string
}

func (s *Site) newDirect(edge string, told func(table string, rows, bytes int64), log *slog.Logger) (*direct, error) {
	d := &direct{site: s, edge: edge, told: told, log: log, tables: map[ping.DocType]*directTable{}}
	for _, name := range DirectTables {
		t, err := schema.Find(s.Tables, name)
		if err != nil {
			return nil, err
		}
		d.tables[ping.DocType(t.DocType)] = &directTable{t, s.pingRows(t), map[ping.Day]*directDay{}}
	}
	return d, nil
}

// add adds the row of a ping if it is of a direct table.
func (d *direct) add(m *ping.Meta, body []byte) {
	t := d.tables[ping.DocType(m.Text(ping.DocTypeField))]
	if t == nil || !d.site.takes(t.Table, m) {
		return
	}
	day := t.days[m.Day()]
	if day == nil {
		day = &directDay{unit: job.Unit{Table: t.Name, Day: string(m.Day())}, table: t.Table, batch: column.NewBatch(t.Columns)}
		t.days[m.Day()] = day
	}
	if !t.transform.append(day.batch, m, body) {
		return // no row: it is in the archive, and a run counts it
	}
	day.dirty = true
}

// waiting yields the partitions that have rows.
func (d *direct) waiting(yield func(*directDay) bool) {
	for _, t := range d.tables {
		for _, day := range t.days {
			if day.batch.Rows > 0 && !yield(day) {
				return
			}
		}
	}
}

// rows is how many rows wait for the archive.
func (d *direct) rows() (n int) {
	for day := range d.waiting {
		n += day.batch.Rows
	}
	return n
}

// publish makes all rows visible. upTo names what they were read from.
func (d *direct) publish(ctx context.Context, upTo string) error {
	for day := range d.waiting {
		if err := d.unlessDamaged(day, d.publishDay(ctx, day, upTo)); err != nil {
			return fmt.Errorf("publish direct rows of %v: %w", day.unit, err)
		}
	}
	return nil
}

// archived publishes all rows for good: their pings are in the archive, whose
// states were before until then.
func (d *direct) archived(ctx context.Context, before map[job.Unit]string) error {
	for day := range d.waiting {
		if err := d.unlessDamaged(day, d.finishDay(ctx, day, before[day.unit])); err != nil {
			return fmt.Errorf("finish direct rows of %v: %w", day.unit, err)
		}
		day.batch.Reset()
		day.shown = 0
	}
	return nil
}

// unlessDamaged lets decoding go on when the archive of a day is damaged: what
// arrives is kept there, and the partition stays as it is until that is mended.
func (d *direct) unlessDamaged(day *directDay, err error) error {
	if !archive.IsDamage(err) {
		return err
	}
	d.log.Error("rows of a day wait: its archive is damaged", "table", day.unit.Table, "day", day.unit.Day, "error", err)
	return nil
}

// forget drops what is known of a day that gets no more rows.
func (d *direct) forget(day ping.Day) {
	for _, t := range d.tables {
		delete(t.days, day)
	}
}

// states are the archive's states of the waiting partitions.
func (d *direct) states(ctx context.Context) (map[job.Unit]string, error) {
	all := map[job.Unit]string{}
	for day := range d.waiting {
		state, err := d.state(ctx, day)
		if err := d.unlessDamaged(day, err); err != nil {
			return nil, err
		}
		all[day.unit] = state
	}
	return all, nil
}

// noPings is the state of a day without pings of the type.
const noPings = "none"

// state names the archive's state of a day: the generation that its tasks read.
func (d *direct) state(ctx context.Context, day *directDay) (string, error) {
	a, err := archive.OpenDay(ctx, d.site.Archive, ping.Day(day.unit.Day), ping.DocType(day.table.DocType))
	if errors.Is(err, fs.ErrNotExist) {
		return noPings, nil
	}
	if err != nil {
		return "", err
	}
	return a.Generation(), nil
}

// unfinished lists the days whose partitions a run has not made yet.
func (d *direct) unfinished(ctx context.Context) (days []ping.Day, err error) {
	for _, t := range d.tables {
		all, err := d.site.table(t.Table).Partitions(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if len(m.Parts) == 0 && !slices.Contains(days, ping.Day(m.Day)) {
				days = append(days, ping.Day(m.Day))
			}
		}
	}
	slices.Sort(days)
	return days, nil
}

// waitingDays yields the days that got rows since they were last closed.
func (d *direct) waitingDays() iter.Seq[ping.Day] {
	return func(yield func(ping.Day) bool) {
		for _, t := range d.tables {
			for day := range t.days {
				if !yield(day) {
					return
				}
			}
		}
	}
}
