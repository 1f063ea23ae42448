package archive

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
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
	left     int64 // rows not yet read
	texts    []textColumn
	ints     []intColumn
	bodies   textColumn
	props    *parquet.ReaderProperties
}

// groupPool keeps the memory of closed readers for the next ones of a merge.
type groupPool struct {
	kind     *kind
	headless bool
	idsOnly  bool
	free     []*groupReader
	props    *parquet.ReaderProperties
}

// newGroupPool makes a pool whose readers take pages of any size the writer
// makes, through a small buffer.
func newGroupPool(k *kind) *groupPool {
	p := parquet.NewReaderProperties(&recycler{})
	p.BufferedStreamEnabled = true
	p.BufferSize = 16 << 10
	p.MaxCompressedPageSize = math.MaxInt32
	p.MaxUncompressedPageSize = math.MaxInt32
	return &groupPool{kind: k, props: p}
}

func (p *groupPool) get() *groupReader {
	if last := len(p.free) - 1; last >= 0 {
		r := p.free[last]
		p.free = p.free[:last]
		return r
	}
	n := p.kind.numColumns()
	return &groupReader{
		kind: p.kind, headless: p.headless, idsOnly: p.idsOnly, props: p.props,
		texts: make([]textColumn, n), ints: make([]intColumn, n),
	}
}

func (p *groupPool) put(r *groupReader) { p.free = append(p.free, r) }

// begin opens the row group g of f. After an error too, end must be called.
func (r *groupReader) begin(ctx context.Context, b store.Bucket, f *dayFile, g *group) (err error) {
	defer guard(&err)
	r.left = g.rows
	md, err := metadata.NewFileMetaData(g.footer, nil)
	if err != nil {
		return err
	}
	md.SetSourceFileSize(f.LoadFile.Bytes)
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
	pr, err := file.NewParquetReader(source, file.WithMetadata(md), file.WithReadProps(r.props))
	if err != nil {
		return err
	}
	return r.columns(pr.RowGroup(0), g.known)
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

// verify reads the row group once before it is used: a wrong byte never becomes
// a row. What is read stays in the system's cache.
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

func (r *groupReader) columns(rg *file.RowGroupReader, known []known) (err error) {
	for i := range r.texts {
		switch {
		case r.idsOnly && i != int(ping.DocumentID):
		case isInt(i):
			err = r.ints[i].open(rg, i)
		case known[i].all:
			r.texts[i].constant = known[i].value
		default:
			err = r.texts[i].open(rg, i)
		}
		if err != nil {
			return r.wrap(i, err)
		}
	}
	if r.headless {
		return nil
	}
	i := r.kind.numColumns()
	return r.wrap(i, r.bodies.open(rg, i))
}

func (r *groupReader) wrap(column int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("column %s: %w", r.kind.column(column), err)
}

// read reads the next row. What it points to is valid until the next call.
func (r *groupReader) read(row *record) error {
	for i := range r.texts {
		if isInt(i) {
			v, ok, err := r.ints[i].next()
			if err != nil {
				return r.wrap(i, err)
			}
			if ok {
				row.meta.SetInt(ping.MetaField(i), v)
			} else {
				row.meta.Clear(ping.MetaField(i))
			}
			continue
		}
		t, err := r.texts[i].next()
		if err != nil {
			return r.wrap(i, err)
		}
		row.setText(i, t)
	}
	r.left--
	if r.headless {
		row.body = nil
		return nil
	}
	body, err := r.bodies.next()
	if err != nil {
		return r.wrap(r.kind.numColumns(), err)
	}
	row.body = body
	return nil
}

// end closes the row group.
func (r *groupReader) end() {
	for i := range r.texts {
		r.texts[i].close()
		r.ints[i].close()
	}
	r.bodies.close()
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
