package live

import (
	"log/slog"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// day is a partition that grows, as far as this process knows it.
type day struct {
	unit  job.Unit
	table *schema.Table

	// The open load: its rows, of which the last are in batch.
	batch   *column.Batch
	samples samples
	until   int64    // newest arrival
	gap     bool     // rows are missing: they are read from the archive once they are there
	read    int      // bytes of pings since the size of the batch was looked at
	size    int64    // of the batch then
	dirty   bool     // batch has rows that are not published
	shown   int      // rows of batch that are
	head    string   // file that is published with the rows of batch, "" if none is
	open    []string // files that are published, head among them

	due    map[string]bool // loads of the archive that have no finished rows here
	stale  map[string]bool // open files whose rows are in such loads, or come again
	over   bool            // no more rows are made of it
	merges bool            // there may be files that are to become one

	// What was published last, "" if nothing is, as far as that is known.
	known      bool
	generation string
	loads      map[string]bool // of the archive that have finished rows
	failed     Failures
}

func (t *liveTable) day(name ping.Day) *day {
	d := t.days[name]
	if d == nil {
		d = &day{
			unit: job.Unit{Table: t.Name, Day: string(name)}, table: t.Table, batch: column.NewBatch(t.Columns),
			due: map[string]bool{}, stale: map[string]bool{}, loads: map[string]bool{},
		}
		t.days[name] = d
	}
	return d
}

// maxBatchBytes bounds what the rows in memory take: texts that a client repeats come packed a thousand times.
const maxBatchBytes = 64 << 20

// Memory is about how many bytes live rows hold: pings that wait, the rows of all tables, and what is being written.
const Memory = maxQueueBytes + 2*maxBatchBytes

// add adds the rows of a ping of the open load. It says now and then that the rows had better be in a file.
func (d *day) add(transform *etl.PingRows, p *archive.Ping) (full bool) {
	before, m := d.batch.Rows, &p.Meta
	if d.gap || d.over {
		return false
	}
	ok, err := transform.Add(d.batch, p)
	if err != nil {
		d.clear()
		d.gap = true
	}
	if !ok || err != nil {
		return false // without a row it is in the archive, and a run counts it
	}
	d.samples.add(m)
	if at, ok := m.Int(ping.Timestamp); ok {
		d.until = max(d.until, at)
	}
	d.dirty = true
	if d.read += etl.DocumentSize(p); d.read > sizeBytes {
		d.read = 0
		d.size = d.batch.Size()
		if d.size > maxBatchBytes {
			d.clear()
			d.gap = true
		}
		return d.large()
	}
	return d.batch.Rows >= headRows && d.batch.Rows/(headRows/8) > before/(headRows/8)
}

// large reports whether the rows in memory are to be written to a file of their own.
func (d *day) large() bool { return d.size > maxBatchBytes/2 }

// sizeBytes is the size of the pings after which the size of the rows is measured again.
const sizeBytes = 8 << 20

// tooLarge ends the live rows of a day.
func (d *day) tooLarge(log *slog.Logger) {
	d.over = true
	d.reset()
	log.Warn("the day is too large for live rows: further ones become visible when it is made", "table", d.table.Name, "day", d.unit.Day)
}

// reset begins the rows of the next load.
func (d *day) reset() {
	d.clear()
	d.open, d.gap = nil, false
}

// clear empties the batch: its rows are in a file, or not wanted.
func (d *day) clear() {
	d.batch.Reset()
	d.samples, d.dirty, d.shown, d.head, d.size, d.read = samples{}, false, 0, "", 0, 0
}

// drop forgets the rows of the open load, which come again.
func (d *day) drop() {
	for _, name := range d.open {
		d.stale[name] = true
	}
	d.reset()
}

// lose has the rows of the open load come from the archive, and the partition be looked at.
func (d *day) lose() {
	d.clear()
	d.gap, d.known = true, false
}

// complete reports whether nothing waits here.
func (d *day) complete() bool {
	return d.over || d.known && d.batch.Rows == 0 && len(d.open) == 0 && len(d.due) == 0
}

// waits reports whether a publication is due, or a look at the partition.
func (d *day) waits() bool {
	return !d.over && (d.dirty && !d.gap || len(d.due) > 0 || d.generation == "" || !d.known)
}

// samples are those that a file has rows of; 100 is for rows without one.
type samples [job.NoClient + 1]bool

func (s *samples) add(m *ping.Meta) {
	n, ok := m.Int(ping.SampleID)
	if !ok || n < 0 || n >= job.NoClient {
		n = job.NoClient
	}
	s[n] = true
}
