package rowfile

import (
	"fmt"
	"io"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// maxPreload is the most bytes of a row group's columns before the body that
// are read at once.
const maxPreload = 4 << 20

// groupReader reads the rows of one open row group.
type groupReader struct {
	kind     *Kind
	columns  Columns // that are read
	source   store.Reader
	preload  []byte
	unpacked documents
	left     int            // rows not yet read
	values   []columnReader // the last one is the body
}

// Columns selects the columns of rows to read.
type Columns int

// What can be read.
const (
	AllColumns   Columns = iota // the documents of pings unpacked
	StoredBodies                // bodies as they are in the file
	WithoutBody
	DocumentIDs // and nothing else
)

func (c Columns) bodies() bool { return c == AllColumns || c == StoredBodies }

// Pool reuses the memory of closed readers for the next ones of a merge. One goroutine may use it at a time.
type Pool struct {
	kind    *Kind
	columns Columns
	free    []*groupReader
}

// NewPool makes a pool for files of a kind. Pings stands for all files of pings.
func NewPool(k *Kind, c Columns) *Pool { return &Pool{kind: readAs(k), columns: c} }

func (p *Pool) get() *groupReader {
	if last := len(p.free) - 1; last >= 0 {
		r := p.free[last]
		p.free = p.free[:last]
		return r
	}
	r := &groupReader{kind: p.kind, columns: p.columns}
	for _, l := range column.NewBatch(p.kind.wide.columns()).Leaves {
		r.values = append(r.values, columnReader{leaf: l})
	}
	return r
}

func (p *Pool) put(r *groupReader) { p.free = append(p.free, r) }

// begin opens the row group g of f, which stays open. After an error too, end must be called.
func (r *groupReader) begin(file store.Reader, f *File, g *group) (err error) {
	r.left, r.source = g.rows, file
	source := &preloaded{Reader: r.source, off: g.start}
	if source.data, err = r.load(g); err != nil {
		return err
	}
	if err := r.verify(source, g); err != nil {
		return err
	}
	return r.start(f.parquet.At(source), f.kind, g)
}

// load reads all that is before the body column at once.
func (r *groupReader) load(g *group) ([]byte, error) {
	n := g.body - g.start
	if n <= 0 || n > maxPreload {
		return nil, nil
	}
	if int64(cap(r.preload)) < n {
		r.preload = make([]byte, n)
	}
	data := r.preload[:n]
	if _, err := r.source.ReadAt(data, g.start); err != nil {
		return nil, fmt.Errorf("read %d bytes at %d: %w", n, g.start, err)
	}
	return data, nil
}

// verify reads the row group once before it is used, if it has checksums as a whole:
// a wrong byte never becomes a row. What is read stays in the system's cache.
func (r *groupReader) verify(source *preloaded, g *group) error {
	if !g.sums.known {
		return nil
	}
	err := checkBytes(source, g.start, g.body, g.sums.head)
	if err == nil && r.columns.bodies() {
		err = checkBytes(source, g.body, g.end, g.sums.body)
	}
	return err
}

// start begins to read the columns of a file, whose kind may have fewer than the reader's.
func (r *groupReader) start(f *parquet.File, kind *Kind, g *group) (err error) {
	for i := range r.values {
		c := &r.values[i]
		body := i == r.kind.places()
		column := kind.columnOf(i)
		if body {
			column = kind.numColumns()
		}
		switch {
		case body && !r.columns.bodies(), r.columns == DocumentIDs && i != int(ping.DocumentID):
			continue
		case !body && (column < 0 || column >= kind.numColumns()):
			c.absent()
		case !body && g.known[column].all:
			err = c.repeat(f, column, g.index, g.known[column].value)
		default:
			err = c.start(f, column, g.index)
		}
		if err != nil {
			return r.wrap(i, err)
		}
	}
	return nil
}

func (r *groupReader) wrap(place int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("column %s: %w", r.kind.nameOf(place), err)
}

// read reads the next row. What it points to is valid until the next call.
func (r *groupReader) read(row *Record) error {
	for i := range r.kind.places() {
		if err := r.set(row, i); err != nil {
			return r.wrap(i, err)
		}
	}
	r.left--
	if !r.columns.bodies() {
		row.Body = nil
		return nil
	}
	i := r.kind.places()
	body, err := r.values[i].text()
	row.Body = body
	if err == nil && r.kind.packed && r.columns == AllColumns {
		err = r.unpacked.unpack(row, &r.values[i])
	}
	return r.wrap(i, err)
}

// set reads the value at a place of the next row.
func (r *groupReader) set(row *Record, i int) error {
	if !isInt(i) {
		t, err := r.values[i].text()
		row.setText(i, t)
		return err
	}
	n, ok, err := r.values[i].number()
	if ok {
		row.Meta.SetInt(ping.MetaField(i), n)
	} else {
		row.Meta.Clear(ping.MetaField(i))
	}
	return err
}

// end closes the row group.
func (r *groupReader) end() {
	for i := range r.values {
		r.values[i].close()
	}
	r.unpacked.end()
	r.source = nil
}

// preloaded is a file with a part of it already in memory.
type preloaded struct {
	store.Reader
	data []byte
	off  int64
}

// ReadAt implements io.ReaderAt.
func (p *preloaded) ReadAt(b []byte, off int64) (int, error) {
	if i := off - p.off; i >= 0 && i+int64(len(b)) <= int64(len(p.data)) {
		return copy(b, p.data[i:]), nil
	}
	return p.Reader.ReadAt(b, off)
}

var _ io.ReaderAt = (*preloaded)(nil)
