package archive

import (
	"context"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// maxPreload is the most bytes of a row group's columns before the body that
// are read at once.
const maxPreload = 4 << 20

// groupReader reads the rows of one open row group.
type groupReader struct {
	kind     *kind
	headless bool // bodies are not read
	idsOnly  bool // only document ids are
	source   store.Reader
	preload  []byte
	left     int            // rows not yet read
	columns  []columnReader // the last one is the body
}

// groupPool keeps the memory of closed readers for the next ones of a merge.
type groupPool struct {
	kind     *kind
	headless bool
	idsOnly  bool
	free     []*groupReader
}

func newGroupPool(k *kind) *groupPool { return &groupPool{kind: k} }

func (p *groupPool) get() *groupReader {
	if last := len(p.free) - 1; last >= 0 {
		r := p.free[last]
		p.free = p.free[:last]
		return r
	}
	r := &groupReader{kind: p.kind, headless: p.headless, idsOnly: p.idsOnly}
	for _, l := range column.NewBatch(p.kind.columns).Leaves {
		r.columns = append(r.columns, columnReader{leaf: l})
	}
	return r
}

func (p *groupPool) put(r *groupReader) { p.free = append(p.free, r) }

// begin opens the row group g of f. After an error too, end must be called.
func (r *groupReader) begin(ctx context.Context, b store.Bucket, f *dayFile, g *group) (err error) {
	r.left = g.rows
	if r.source, err = b.Open(ctx, f.Name); err != nil {
		return err
	}
	source := &preloaded{Reader: r.source, off: g.start}
	if source.data, err = r.load(g); err != nil {
		return err
	}
	if err := r.verify(source, g); err != nil {
		return err
	}
	return r.start(f.file.At(source), g)
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
	if err == nil && !r.headless {
		err = checkBytes(source, g.body, g.end, g.sums.body)
	}
	return err
}

func (r *groupReader) start(f *parquet.File, g *group) (err error) {
	for i := range r.columns {
		c := &r.columns[i]
		switch body := i == r.kind.numColumns(); {
		case body && r.headless, r.idsOnly && i != int(ping.DocumentID):
			continue
		case !body && g.known[i].all:
			err = c.repeat(f, i, g.index, g.known[i].value)
		default:
			err = c.start(f, i, g.index)
		}
		if err != nil {
			return r.wrap(i, err)
		}
	}
	return nil
}

func (r *groupReader) wrap(column int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("column %s: %w", r.kind.column(column), err)
}

// read reads the next row. What it points to is valid until the next call.
func (r *groupReader) read(row *record) error {
	for i := range r.kind.numColumns() {
		if err := r.set(row, i); err != nil {
			return r.wrap(i, err)
		}
	}
	r.left--
	if r.headless {
		row.body = nil
		return nil
	}
	i := r.kind.numColumns()
	body, err := r.columns[i].text()
	row.body = body
	return r.wrap(i, err)
}

// set reads a column of the next row.
func (r *groupReader) set(row *record, i int) error {
	if !isInt(i) {
		t, err := r.columns[i].text()
		row.setText(i, t)
		return err
	}
	n, ok, err := r.columns[i].number()
	if ok {
		row.meta.SetInt(ping.MetaField(i), n)
	} else {
		row.meta.Clear(ping.MetaField(i))
	}
	return err
}

// end closes the row group.
func (r *groupReader) end() {
	for i := range r.columns {
		r.columns[i].close()
	}
	if r.source != nil {
		r.source.Close()
		r.source = nil
	}
}

// preloaded is a file of which a part is in memory already.
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
