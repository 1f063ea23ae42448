package live

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// catchUpRows is after how many rows of loads that are read from the archive these are published.
const catchUpRows = 100_000

// batchRows limits the rows in memory.
const batchRows = 2000

// ended begins the next load of all days. Rows of the load that it ends are published for good, or read from the
// archive.
func (r *Rows) ended(ctx context.Context, e *event) {
	l, _, err := archive.Loaded(ctx, r.data.Archive, e.load)
	if err != nil || l == nil {
		r.forget() // it is looked at again
		l = &archive.Load{}
	}
	for i := range l.Files {
		f := &l.Files[i]
		if !f.IsPings() || !r.lives(ping.Day(f.Day)) {
			continue
		}
		for _, t := range r.takers(ping.DocType(f.DocType)) {
			t.day(ping.Day(f.Day)).due[e.load] = true
		}
	}
	if e.gap && r.alone || r.gaps() {
		r.o.Log.Info("live rows follow from the archive: not all of a load could be made in time", "load", e.load)
	}
	for _, t := range r.tables {
		for _, d := range t.days {
			if d.due[e.load] && !e.gap && !d.gap && !d.over {
				r.attempt(ctx, d, func() error { return r.finish(ctx, d, e.load) })
			}
			if len(d.open) > 0 || d.batch.Rows > 0 || d.gap { // it was not: the archive has them
				d.drop()
			}
		}
	}
}

// catchUp publishes the rows of loads that have none here.
func (r *Rows) catchUp(ctx context.Context, d *day) error {
	for len(d.due) > 0 && !d.over && !r.busy.Load() {
		before := len(d.due)
		if err := r.locked(ctx, d, func(ctx context.Context, base *lake.Manifest) error { return r.read(ctx, d, base) }); err != nil {
			return err
		}
		if len(d.due) >= before {
			return nil
		}
	}
	return nil
}

// read publishes the rows of the first loads that are due.
func (r *Rows) read(ctx context.Context, d *day, base *lake.Manifest) error {
	maps.DeleteFunc(d.due, func(load string, _ bool) bool { return d.loads[load] }) // made from the archive meanwhile
	if d.over {
		return nil
	}
	if len(d.due) == 0 {
		err := r.dropOpen(ctx, d, base)
		if err == nil {
			clear(d.stale)
		}
		return err
	}
	if base != nil && base.Rows >= int64(r.o.MaxRows) {
		d.tooLarge(r.o.Log)
		return nil
	}
	a, err := r.openArchive(ctx, d)
	if err != nil || len(a.kinds) == 0 {
		return err
	}
	c := &change{drops: maps.Clone(d.stale)}
	pings := r.pings(ctx, d.table)
	in := &reader{transform: etl.NewPingRows(d.table, r.data.Probes, r.o.Log), batch: column.NewBatch(d.table.Columns)}
	c.write = func(w *files) error {
		_, err := w.file("", &in.samples, func(out *lake.FileWriter) error {
			for _, load := range slices.Sorted(maps.Keys(d.due)) {
				if part := a.ofLoad(load); part != nil {
					if err := in.all(pings(part), d.table, out); err != nil {
						return err
					}
				}
				c.loads = append(c.loads, load)
				if in.rows >= catchUpRows || r.busy.Load() {
					break
				}
			}
			return nil
		})
		c.until, c.shows = in.until, in.rows
		c.dropOpenOf(base, r.o.Edge)
		return err
	}
	if err := r.apply(ctx, d, base, c); err != nil {
		var bad *rowfile.PreparedError
		r.documents = r.documents || errors.As(err, &bad)
		return err
	}
	for _, l := range c.loads {
		delete(d.due, l)
	}
	clear(d.stale)
	return nil
}

// dropOpenOf drops the open files of other edges whose loads have their rows now: these believed to be alone.
func (c *change) dropOpenOf(base *lake.Manifest, edge string) {
	if base == nil {
		return
	}
	for _, f := range base.Files {
		if f.OpenFor != "" && f.OpenFor != edge && slices.ContainsFunc(c.loads, func(l string) bool { return naming.EdgeOf(l) == f.OpenFor }) {
			c.drops[f.Name] = true
		}
	}
}

// pings returns how the pings of a part of the archive are read: with prepared rows, until some turn out to be damaged.
func (r *Rows) pings(ctx context.Context, t *schema.Table) func(*archive.Day) iter.Seq2[*archive.Ping, error] {
	return func(part *archive.Day) iter.Seq2[*archive.Ping, error] {
		if r.documents {
			return part.Pings(ctx, 0, job.NoClient)
		}
		return part.PreparedPings(ctx, 0, job.NoClient, etl.PreparedRows(t, r.data.Probes, func(err error) {
			r.o.Log.Error("prepared rows are damaged: the documents are read instead", "table", t.Name, "error", err)
		}))
	}
}

// reader makes rows of pings of the archive.
type reader struct {
	transform *etl.PingRows
	batch     *column.Batch
	samples   samples
	until     int64
	rows      int
}

func (in *reader) all(pings iter.Seq2[*archive.Ping, error], t *schema.Table, out *lake.FileWriter) error {
	flush := func() error {
		in.rows += in.batch.Rows
		defer in.batch.Reset()
		return out.Write(in.batch)
	}
	for p, err := range pings {
		if err != nil {
			return err
		}
		if !t.Takes(&p.Meta) {
			continue
		}
		ok, err := in.transform.Add(in.batch, p)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		in.samples.add(&p.Meta)
		if at, ok := p.Meta.Int(ping.Timestamp); ok {
			in.until = max(in.until, at)
		}
		if in.batch.Rows >= batchRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
