package etl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// chunkRows is about the number of pings that a task of a snapshot has in memory, rowBytes the size of the rows that it has
// made and not passed on, and groupBytes that of a row group.
const (
	chunkRows  = 2048
	rowBytes   = 8 << 20
	groupBytes = 16 << 20
)

// division returns the part, 0 to 99, of the clients with a hash.
func division(hash int64) int { return int(hash * 100 >> 32) }

// clients runs a task of a table of snapshots: the clients of some divisions, in the order of their hash.
func (d *Worker) clients(ctx context.Context, t *schema.Table, task *Task, out *column.Batch, w *partWriter) (result job.Result,
	err error) {
	r, err := d.openClients(ctx, t, task)
	defer func() { err = errors.Join(err, r.close()) }()
	if err != nil {
		return result, err
	}
	w.options.RowGroupBytes = groupBytes
	transform := table.NewClients(t)
	var rows int64
	for _, chunk := range r.chunks() {
		if err := r.read(ctx, chunk, t.Snapshots.Pings); err != nil {
			return result, err
		}
		for _, c := range r.sorted() {
			if err := transform.Append(out, table.Newest(c.pings, t.Snapshots.Pings)); err != nil {
				return result, err
			}
			rows++
			if out.Rows == batchRows || out.Rows%8 == 0 && out.Size() > rowBytes {
				if err := w.write(out, w.lo, false); err != nil {
					return result, err
				}
			}
		}
		result.RowsIn += r.taken
	}
	if err := w.write(out, w.lo, true); err != nil {
		return result, err
	}
	unreadable, err := json.Marshal(table.Unreadable{Rows: rows, Touched: transform.Touched, Columns: transform.Unreadable})
	if err != nil {
		return result, err
	}
	if w.file != nil {
		w.file.Describe(map[string]string{
			windowKey: t.Snapshots.First(task.Day) + "-" + task.Day, table.UnreadableKey: string(unreadable),
		})
	}
	return result, w.close()
}

// windowKey names the metadata of a file that says which days the snapshot covers.
const windowKey = "pingmill.window"

// clientReader reads the pings of the clients of a task from the partitions of many days.
type clientReader struct {
	lo, hi int // divisions
	parts  *schema.Table
	files  []*partFile
	hashes []int64 // of all pings of the task, sorted
	rows   map[string]*client
	taken  int64 // pings read for the last chunk
	reader *table.PartReader
}

// client is a client whose pings are read.
type client struct {
	hash  int64
	id    []byte
	pings []table.ClientPing
}

// partFile is a file with pings for snapshots.
type partFile struct {
	lt     *lake.Table
	m      *lake.Manifest
	file   lake.File
	reader store.Reader
	rows   *lake.FileReader
	groups [][2]int64 // smallest and largest hash of the row groups
}

func (d *Worker) openClients(ctx context.Context, t *schema.Table, task *Task) (*clientReader, error) {
	r := &clientReader{lo: task.Lo, hi: min(task.Hi, 99), rows: map[string]*client{}}
	lt, err := d.table(t.Needs[0])
	if err != nil {
		return r, err
	}
	r.parts, r.reader = lt.Schema, table.NewPartReader(lt.Schema)
	for _, in := range task.Inputs {
		_, day, _ := strings.Cut(in.Name, " ")
		m, err := lt.Partition(ctx, day)
		if err == nil {
			err = task.same(partInput(lt.Schema.Name, day), m.Generation)
		}
		if err != nil {
			return r, err
		}
		paths := lt.Paths(ctx, m)
		for _, f := range m.Files {
			if err := r.open(ctx, &partFile{lt: lt, m: m, file: f}, paths(f.Name)); err != nil {
				return r, err
			}
		}
	}
	slices.Sort(r.hashes)
	return r, nil
}

// open opens a file and reads the hashes of its pings.
func (r *clientReader) open(ctx context.Context, f *partFile, name string) (err error) {
	if f.reader, err = f.lt.Bucket().Open(ctx, name); err != nil {
		return recordDamage(ctx, f.lt, f.m, f.lt.Blame(ctx, f.m.Day, f.file, err))
	}
	r.files = append(r.files, f)
	if f.rows, err = lake.OpenFile(f.reader); err != nil {
		return recordDamage(ctx, f.lt, f.m, f.lt.Blame(ctx, f.m.Day, f.file, err))
	}
	b := column.NewBatch(r.parts.Columns[r.parts.Index("client_hash") : r.parts.Index("client_hash")+1])
	for g, rows := range f.rows.Groups() {
		if g == 0 {
			err = f.rows.SelectBatch(b, rows)
		}
		f.groups = append(f.groups, [2]int64{1 << 62, -1})
		for left := rows; left > 0 && err == nil; left -= b.Rows {
			if err = f.rows.Next(b); err != nil {
				break
			}
			for _, h := range b.Leaves[0].Longs {
				f.groups[g][0], f.groups[g][1] = min(f.groups[g][0], h), max(f.groups[g][1], h)
				if at := division(h); at >= r.lo && at <= r.hi {
					r.hashes = append(r.hashes, h)
				}
			}
		}
		if err != nil {
			return recordDamage(ctx, f.lt, f.m, f.lt.Blame(ctx, f.m.Day, f.file, err))
		}
	}
	return nil
}

func (r *clientReader) close() (err error) {
	for _, f := range r.files {
		if f.rows != nil {
			f.rows.Release()
		}
		err = errors.Join(err, f.reader.Close())
	}
	return err
}

// chunks divides the hashes of the task into ranges, both ends included, of about chunkRows pings.
func (r *clientReader) chunks() (all [][2]int64) {
	for i := 0; i < len(r.hashes); {
		end := min(i+chunkRows, len(r.hashes))
		for end < len(r.hashes) && r.hashes[end] == r.hashes[end-1] {
			end++
		}
		all = append(all, [2]int64{r.hashes[i], r.hashes[end-1]})
		i = end
	}
	return all
}

// read reads the pings with hashes in a range. Of each client it has at most a few times most pings in memory.
func (r *clientReader) read(ctx context.Context, chunk [2]int64, most int) error {
	clear(r.rows)
	r.taken = 0
	for _, f := range r.files {
		selected := false
		for g, bounds := range f.groups {
			if bounds[1] < chunk[0] || bounds[0] > chunk[1] {
				continue
			}
			err := context.Cause(ctx)
			if err == nil && !selected {
				err, selected = f.rows.SelectBatch(r.reader.Batch, 4*partGroupRows), true
			}
			if err == nil {
				err = r.group(f, g, chunk, most)
			}
			if err != nil {
				return recordDamage(ctx, f.lt, f.m, f.lt.Blame(ctx, f.m.Day, f.file, err))
			}
		}
		f.rows.Release()
	}
	return nil
}

// group reads a row group.
func (r *clientReader) group(f *partFile, g int, chunk [2]int64, most int) error {
	f.rows.Seek(g)
	for left := f.rows.Groups()[g]; left > 0; left -= r.reader.Batch.Rows {
		if err := f.rows.Next(r.reader.Batch); err != nil {
			return err
		}
		for row := range r.reader.Batch.Rows {
			h := r.reader.Hash(row)
			if h < chunk[0] || h > chunk[1] {
				continue
			}
			p, err := r.reader.Ping(row)
			if err != nil {
				return err
			}
			r.taken++
			id := p.Meta.Text(ping.ClientID)
			c := r.rows[string(id)]
			if c == nil {
				c = &client{hash: h, id: id}
				r.rows[string(id)] = c
			}
			if c.pings = append(c.pings, p); len(c.pings) >= 2*most {
				c.pings = table.Newest(c.pings, most)
			}
		}
	}
	return nil
}

// sorted returns the clients that were read, by hash and id.
func (r *clientReader) sorted() []*client {
	all := make([]*client, 0, len(r.rows))
	for _, c := range r.rows {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *client) int { return cmp.Or(cmp.Compare(a.hash, b.hash), bytes.Compare(a.id, b.id)) })
	return all
}
