package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/table/column"
)

// Options define how profiles are made.
type Options struct {
	Checks check.Options // their results are part of it
	// MaxRows limits the rows that are read of a larger partition: its files are read in the order of samples. 0 means a
	// million.
	MaxRows int64
	// Footers, if not nil, are kept from one partition to the next: checks read those of main_summary again and again.
	Footers *lake.Footers
}

const (
	enoughRows = 1_000_000
	readRows   = 2000 // at a time
)

// Compute computes the profile of the published partition of a day. If the day was not published, the error matches
// fs.ErrNotExist.
func Compute(ctx context.Context, s *site.Site, lt *lake.Table, day string, o Options) (*Profile, error) {
	if o.MaxRows == 0 {
		o.MaxRows = enoughRows
	}
	m, err := lt.Partition(ctx, day)
	if err != nil {
		return nil, err
	}
	p, err := read(ctx, lt, m, o)
	if err != nil {
		return nil, fmt.Errorf("profile %s %s: %w", lt.Schema.Name, day, err)
	}
	p.Checks, err = results(ctx, s, lt.Schema, m, o)
	return p, err
}

// read reads the files of a partition: its compact one if it has one, and the others if that is damaged.
func read(ctx context.Context, lt *lake.Table, m *lake.Manifest, o Options) (*Profile, error) {
	for _, f := range m.Compact {
		if f.Columns != "" || f.Rows > o.MaxRows {
			continue
		}
		if p, err := readFiles(ctx, lt, m, []lake.File{f}, o.Footers); err == nil || ctx.Err() != nil {
			return p, err
		}
	}
	return readFiles(ctx, lt, m, enough(m.Files, o.MaxRows), o.Footers)
}

// enough returns the first files in the order of samples that have as many rows.
func enough(files []lake.File, most int64) []lake.File {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b lake.File) int { return cmp.Compare(a.Lo, b.Lo) })
	var rows int64
	for i, f := range files {
		if rows += f.Rows; rows >= most {
			return files[:i+1]
		}
	}
	return files
}

// reading is a profile in the making. It holds some KB for each column, and the clients of the rows of a file.
type reading struct {
	columns []*columnFields
	clients *distinct
	client  int // number of the column with the client; -1: none
	rows    int64
}

// columnFields is a column with its fields.
type columnFields struct {
	cols   []schema.Column // itself
	batch  *column.Batch
	fields []*field
	wanted []bool // leaves
	odd    bool   // a file has the column with another type: nothing is said of it
}

func newReading(t *schema.Table) *reading {
	r := &reading{client: -1, clients: newDistinct(maxOfIDs)}
	batches := map[string]*column.Batch{} // columns of one type share one: they are read one after the other
	for i := range t.Columns {
		c := &t.Columns[i]
		if slices.Contains(t.PartitionKeys, c.Name) {
			continue
		}
		f := &columnFields{cols: t.Columns[i : i+1], fields: fieldsOf(c)}
		key := fmt.Sprint(c.Type, c.NotNull)
		if f.batch = batches[key]; f.batch == nil {
			f.batch = column.NewBatch(f.cols)
			batches[key] = f.batch
		}
		f.wanted = make([]bool, len(f.batch.Leaves))
		for _, field := range f.fields {
			f.wanted[field.leaf] = true
		}
		if schema.NatureOf(c.Name) == schema.Client && c.Type.Kind == schema.String {
			r.client = len(r.columns)
		}
		r.columns = append(r.columns, f)
	}
	return r
}

func readFiles(ctx context.Context, lt *lake.Table, m *lake.Manifest, files []lake.File, footers *lake.Footers) (*Profile, error) {
	r := newReading(lt.Schema)
	place := lt.Paths(ctx, m)
	for _, f := range files {
		if err := r.file(ctx, lt, f, place(f.Name), footers); err != nil {
			return nil, err
		}
	}
	p := &Profile{Head: Head{
		Format: format, Table: m.Table, Version: m.Version, Day: m.Day, Generation: m.Generation,
		Rows: m.Rows, Bytes: m.Bytes, Files: len(m.Files), Read: r.rows, Growing: len(m.Parts) == 0,
	}}
	if p.Clients = r.clients.count(); r.rows > 0 && r.rows < m.Rows {
		p.Clients = int64(float64(p.Clients)*float64(m.Rows)/float64(r.rows) + 0.5)
	}
	for _, c := range r.columns {
		for _, f := range c.fields {
			if !c.odd {
				p.Columns = append(p.Columns, f.finish(r.rows))
			}
		}
	}
	p.Lines = len(p.Columns)
	return p, nil
}

func (r *reading) file(ctx context.Context, lt *lake.Table, f lake.File, name string, footers *lake.Footers) (err error) {
	in, err := lt.Bucket().Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	file, err := footers.Open(in, f)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	clients := make([]uint64, file.Rows())
	if r.client >= 0 {
		if err := r.readClients(ctx, file, clients); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	for _, c := range r.columns {
		if c.odd {
			continue
		}
		if err := c.read(ctx, file, r.rows, clients); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	r.rows += file.Rows()
	return nil
}

// readClients reads the hash of each row's client; 0 for none.
func (r *reading) readClients(ctx context.Context, file *lake.FileReader, clients []uint64) error {
	c := r.columns[r.client]
	return c.each(ctx, file, func(at int) {
		l := &c.batch.Leaves[0]
		in := &rowsRead{rows: c.batch.Rows}
		each(l, in, l.Bytes, func(row int, v []byte) {
			clients[at+row] = xxhash.Sum64(v)
			r.clients.add(clients[at+row])
		})
	})
}

// read adds the rows of a file to what is known of a column.
func (c *columnFields) read(ctx context.Context, file *lake.FileReader, before int64, clients []uint64) error {
	return c.each(ctx, file, func(at int) {
		in := &rowsRead{rows: c.batch.Rows, first: before + int64(at) + 1, clients: clients[at:]}
		for _, f := range c.fields {
			f.add(&c.batch.Leaves[f.leaf], in)
		}
	})
}

// each reads the column of a file and calls do with the batch filled, and the number of rows before.
func (c *columnFields) each(ctx context.Context, file *lake.FileReader, do func(at int)) error {
	c.batch.Columns = c.cols // those of one type share it
	if file.SelectLeaves(c.batch, readRows, func(leaf int) bool { return c.wanted[leaf] }) != nil {
		c.odd = true
		return nil
	}
	for at := 0; ; at += c.batch.Rows {
		if err := file.Next(c.batch); errors.Is(err, io.EOF) {
			return ctx.Err()
		} else if err != nil {
			return err
		}
		do(at)
	}
}

// results makes the checks of a partition. Rows that break a rule are counted, not named: they have ids of clients.
func results(ctx context.Context, s *site.Site, t *schema.Table, m *lake.Manifest, o Options) (all []Check, err error) {
	if len(m.Parts) == 0 {
		return nil, nil // there is nothing to compare arriving rows with
	}
	made, err := check.RunPublished(ctx, &s.Data, o.Footers, t.Name, m.Day, o.Checks.All(s.Tables), o.Checks.Skip)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, c := range o.Checks.More {
		own[c.Name] = true
	}
	for _, r := range made {
		c := Check{
			Name: r.Check.Name, Severity: string(r.Check.Severity), Rule: r.Check.Rule, Verdict: string(r.Verdict),
			Found: r.Total, Columns: r.Check.Columns, Own: own[r.Check.Name],
		}
		if !c.Own && r.Verdict != check.Broken && len(r.Rows) == 0 {
			c.Note = r.Note
		}
		all = append(all, c)
	}
	return all, nil
}
