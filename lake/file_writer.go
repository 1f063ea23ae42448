package lake

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// createdBy has the form "program version number", which some readers parse. The number is Layout.
const createdBy = "pingmill version 3"

// Layout is the version of the files' encoding and of the set of files in a partition. Another layout gives
// the same rows another generation name, but does not make partitions stale.
const Layout = 3

// FileInfo describes a finished file.
type FileInfo struct {
	Rows      int64
	Bytes     int64
	RowGroups int
}

// FileWriter writes one parquet file. The bytes depend only on the rows and options, not on the batches. A
// FileWriter is not safe for concurrent use.
type FileWriter struct {
	options WriterOptions
	memory  *writerMemory
	encoder *parquet.Writer
	info    FileInfo
	size    int64 // of the rows of the current row group
	last    bool  // no rows follow: they need no copy
	cached  cachedFile
	err     error // sticky: after a failure the file is useless
}

// writerMemory holds the buffers that a finished FileWriter passes to the next one of the same columns.
// Without it, partitions of many small files would spend most of their time on allocation.
type writerMemory struct {
	cols    []schema.Column
	layout  *parquet.Layout
	pending *column.Batch     // rows of the current row group; nil: none yet
	views   []column.Leaf     // rows of the batch being written
	at      []column.Position // position of the views in that batch
}

var writerMemories sync.Pool

func newWriterMemory(cols []schema.Column) (*writerMemory, error) {
	if m, ok := writerMemories.Get().(*writerMemory); ok && schema.SameColumns(m.cols, cols) {
		return m, nil
	}
	layout, err := layouts.get(cols, parquet.NewLayout)
	if err != nil {
		return nil, err
	}
	return &writerMemory{cols: cols, layout: layout}, nil
}

// layouts caches the layouts of files.
var layouts columnCache[*parquet.Layout]

// NewFileWriter starts a file with the given columns. It writes nothing to w before the first row group is
// full or the file is closed. The caller closes w.
func NewFileWriter(w io.Writer, cols []schema.Column, o WriterOptions) (*FileWriter, error) {
	o = o.withDefaults()
	memory, err := newWriterMemory(cols)
	if err != nil {
		return nil, fmt.Errorf("start parquet file: %w", err)
	}
	e, err := parquet.NewWriter(w, memory.layout, parquet.Options{PageRows: o.PageRows, Bloom: o.Bloom, CreatedBy: createdBy})
	if err != nil {
		return nil, fmt.Errorf("start parquet file: %w", err)
	}
	return &FileWriter{options: o, memory: memory, encoder: e}, nil
}

// Describe sets the key-value metadata of the file, before Close.
func (f *FileWriter) Describe(metadata map[string]string) { f.encoder.Describe(metadata) }

// Write appends the rows of b, a batch for the columns of the file, and calls b.Finish if necessary. The
// caller may reuse b. Inconsistent levels or values, such as a null in a required column, are an error. After
// an error the file is unusable.
func (f *FileWriter) Write(b *column.Batch) error {
	if f.err != nil {
		return f.err
	}
	if err := f.check(b); err != nil {
		return f.fail(err)
	}
	var sizes []int64 // of the remaining rows, if they may fill the row group
	if f.size+b.Size() > f.options.RowGroupBytes {
		sizes = b.RowSizes()
	}
	for left := b.Rows; left > 0; {
		rows, ends := f.options.next(f.memory.rows(), &f.size, sizes, left)
		ends = ends || f.last && rows == left
		if ends && rows == b.Rows && f.memory.rows() == 0 {
			if err := f.writeGroup(b.Leaves, rows); err != nil {
				return f.fail(err)
			}
			f.size = 0
			return nil
		}
		f.memory.view(b, rows, rows == left)
		left -= rows
		sizes = sizes[min(rows, len(sizes)):]
		if err := f.add(rows, ends); err != nil {
			return f.fail(err)
		}
	}
	clear(f.memory.views)
	clear(f.memory.at)
	f.size = f.memory.size()
	return nil
}

// check finishes and validates a batch.
func (f *FileWriter) check(b *column.Batch) error {
	b.Finish()
	if want := f.memory.layout.Leaves(); len(b.Leaves) != want {
		return fmt.Errorf("write batch: %d leaf columns for a file of %d", len(b.Leaves), want)
	}
	if err := f.memory.layout.Check(b); err != nil {
		return fmt.Errorf("write batch: %w", err)
	}
	return nil
}

// WriteLast writes the final rows of the file, see Write. If they are the only rows or the file is large,
// they are not copied. The rows of a small file are cached in c, which may be nil, either here or by Finish.
func (f *FileWriter) WriteLast(b *column.Batch, c *Footers) error {
	whole, size := f.info.RowGroups == 0 && f.size == 0, b.Size()
	f.last = whole || f.size+size > cachedBytes(b)
	if err := f.Write(b); err != nil {
		return err
	}
	if c != nil && whole && size <= cachedBytes(b) && f.info.RowGroups == 1 {
		f.cached = c.rows.put(b, size)
	}
	return nil
}

func (f *FileWriter) fail(err error) error {
	f.err = err
	return err
}

// rows returns the number of pending rows.
func (m *writerMemory) rows() int {
	if m.pending == nil {
		return 0
	}
	return m.pending.Rows
}

// size returns the size of the pending rows.
func (m *writerMemory) size() (n int64) {
	if m.rows() == 0 {
		return 0
	}
	for i := range m.pending.Leaves {
		n += m.pending.Leaves[i].Size()
	}
	return n
}

// view points the views at the next rows of b; all means that these are all remaining rows.
func (m *writerMemory) view(b *column.Batch, rows int, all bool) {
	if m.views == nil {
		m.views, m.at = make([]column.Leaf, len(b.Leaves)), make([]column.Position, len(b.Leaves))
	}
	for i := range m.views {
		l := &b.Leaves[i]
		if all && m.at[i] == (column.Position{}) {
			m.views[i] = *l
			continue
		}
		m.views[i], m.at[i] = l.Part(m.at[i], rows, all)
	}
}

// add writes the rows in the views: directly to the encoder if they are a whole row group, otherwise through
// the pending batch.
func (f *FileWriter) add(rows int, ends bool) error {
	m := f.memory
	if ends && m.rows() == 0 {
		f.size = 0
		return f.writeGroup(m.views, rows)
	}
	if m.pending == nil {
		m.pending = column.NewBatch(m.cols)
	}
	for i := range m.views {
		m.pending.Leaves[i].Append(&m.views[i], m.pending.Copy)
	}
	m.pending.Rows += rows
	if ends {
		return f.flush()
	}
	return nil
}

func (f *FileWriter) flush() error {
	pending := f.memory.pending
	f.size = 0
	if f.memory.rows() == 0 {
		return nil
	}
	err := f.writeGroup(pending.Leaves, pending.Rows)
	pending.Reset()
	return err
}

func (f *FileWriter) writeGroup(leaves []column.Leaf, rows int) error {
	return f.writeGroupOf(rows, func(i int) *column.Leaf { return &leaves[i] }, nil)
}

// writeGroupOf writes a row group whose leaves are produced one at a time, also to a file that has some of them.
func (f *FileWriter) writeGroupOf(rows int, leaf func(i int) *column.Leaf, part *parquet.Part) error {
	if err := f.encoder.GroupOf(rows, leaf, part); err != nil {
		return fmt.Errorf("write row group %d: %w", f.info.RowGroups, err)
	}
	f.wrote(rows)
	return nil
}

// wrote counts a row group.
func (f *FileWriter) wrote(rows int) {
	f.info.RowGroups++
	f.info.Rows += int64(rows)
}

// Close writes the remaining rows and the footer. The file is complete only if Close returns no error.
func (f *FileWriter) Close() (FileInfo, error) {
	if f.err != nil {
		return FileInfo{}, f.err
	}
	if err := f.flush(); err != nil {
		return FileInfo{}, f.fail(err)
	}
	size, err := f.encoder.Close()
	if err != nil {
		return FileInfo{}, f.fail(fmt.Errorf("write footer: %w", err))
	}
	f.info.Bytes = size
	f.err = errClosed
	writerMemories.Put(f.memory)
	f.memory, f.encoder = nil, nil
	return f.info, nil
}

var errClosed = errors.New("write batch: the file has been closed")
