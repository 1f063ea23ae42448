package lake

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// FileReader reads the rows of one parquet file in order, with the selected columns. It is not safe for
// concurrent use; several FileReaders may share one store.Reader.
type FileReader struct {
	file     *parquet.File
	cached   *cachedReader // if not nil, used instead of file
	selected []*parquet.LeafReader
	step     int
	group    int // next row group
	left     int // rows left in the current one
}

// OpenFile opens a parquet file written by a FileWriter. The caller owns r and must not close it before reading ends.
func OpenFile(r store.Reader) (*FileReader, error) {
	file, err := parquet.Open(r, r.Size())
	if err != nil {
		return nil, fmt.Errorf("open parquet file: %w", err)
	}
	return &FileReader{file: file}, nil
}

// Metadata returns the key-value metadata that the writer was given; nil without any. It must not be changed.
func (f *FileReader) Metadata() map[string]string {
	if f.cached != nil {
		return nil
	}
	return f.file.Metadata
}

// Groups returns the numbers of rows of the row groups.
func (f *FileReader) Groups() []int {
	rows := make([]int, f.file.Groups())
	for i := range rows {
		rows[i] = f.file.GroupRows(i)
	}
	return rows
}

// Seek has Next continue with the first row of a row group.
func (f *FileReader) Seek(group int) { f.group, f.left = group, 0 }

// Rows returns the number of rows in the file.
func (f *FileReader) Rows() int64 {
	if f.cached != nil {
		return int64(f.cached.rows)
	}
	return f.file.Rows
}

// Columns returns the columns of the file with names, types and nullability.
func (f *FileReader) Columns() []schema.Column {
	if f.cached != nil {
		return f.cached.kind.batch.Columns
	}
	return f.file.Columns
}

// Select chooses columns by name and rewinds to the first row; Next then returns up to step rows per call. A
// nullable column that an older file lacks is null in every row, and so is a member of a struct that every row has. A
// column that has another type or nullability in the file is an error.
func (f *FileReader) Select(cols []schema.Column, step int) error {
	return f.SelectBatch(column.NewBatch(cols), step)
}

// SelectBatch selects the columns of a batch, see Select.
func (f *FileReader) SelectBatch(b *column.Batch, step int) error {
	return f.SelectLeaves(b, step, allLeaves)
}

// allLeaves selects every leaf.
func allLeaves(int) bool { return true }

// SelectLeaves selects only some leaves of the batch's columns, by their number, see Select. The content of
// the other leaves is undefined after Next.
func (f *FileReader) SelectLeaves(b *column.Batch, step int, wanted func(leaf int) bool) error {
	if step <= 0 {
		return fmt.Errorf("read parquet file: a step of %d rows", step)
	}
	choose := f.begin(step, len(b.Leaves))
	leaf := 0
	for i := range b.Columns {
		at, err := f.find(&b.Columns[i])
		if err != nil {
			return fmt.Errorf("read parquet file: %w", err)
		}
		for j := range b.Node(i).Leaves {
			if at.has(j) && wanted(leaf) {
				choose(at.leaf(j))
			} else {
				choose(-1)
			}
			leaf++
		}
	}
	return nil
}

// places are the leaves of a file that a column is read from.
type places struct {
	first int   // -1: the file lacks the column
	each  []int // of a struct that has members which the file lacks, its leaves, -1 for one that is missing; nil: all follow the first
}

func (p places) has(i int) bool { return p.first >= 0 && (p.each == nil || p.each[i] >= 0) }

func (p places) leaf(i int) int {
	if p.each == nil {
		return p.first + i
	}
	return p.each[i]
}

// begin rewinds to the first row. It returns a function to call for each leaf in order: with the leaf's
// number, or -1 for a leaf that is not read.
func (f *FileReader) begin(step, leaves int) (choose func(leaf int)) {
	f.step = step
	if f.cached != nil {
		f.cached.begin(leaves)
		return f.cached.choose
	}
	used := f.selected
	f.group, f.left, f.selected = 0, 0, make([]*parquet.LeafReader, 0, leaves)
	return func(leaf int) {
		var r *parquet.LeafReader
		if leaf >= 0 {
			r, used = f.reader(leaf, used)
		}
		f.selected = append(f.selected, r)
	}
}

// reader returns a reader of a leaf. It reuses one of the used readers, if any, together with its buffers.
func (f *FileReader) reader(leaf int, used []*parquet.LeafReader) (r *parquet.LeafReader, rest []*parquet.LeafReader) {
	for i, r := range used {
		if r != nil {
			r.OpenLeaf(f.file, leaf)
			return r, used[i+1:]
		}
	}
	return f.file.Leaf(leaf), nil
}

// Release ends reading and returns the buffers to the pool. Texts that were read are no longer valid.
func (f *FileReader) Release() {
	for _, r := range slices.Backward(f.selected) { // the next file takes them in their order
		if r != nil {
			r.Release()
		}
	}
	f.selected = nil
}

// find returns the leaves of the wanted column.
func (f *FileReader) find(want *schema.Column) (places, error) {
	i, leaf, ok := f.lookUp(want.Name)
	if !ok {
		if want.NotNull {
			return places{}, fmt.Errorf("required column %s is missing", want.Name)
		}
		return places{first: -1}, nil
	}
	have, at := &f.Columns()[i], places{first: leaf}
	if !have.Type.Same(&want.Type) {
		at.each, ok = want.Type.Places(&have.Type, leaf, nil)
	}
	if !ok || have.NotNull != want.NotNull {
		return at, fmt.Errorf("column %s is %s, not %s", want.Name, describe(have), describe(want))
	}
	return at, nil
}

// lookUp returns the index of the named column and of its first leaf.
func (f *FileReader) lookUp(name string) (i, leaf int, ok bool) {
	if f.cached != nil {
		return f.cached.find(name)
	}
	return f.file.Find(name)
}

func describe(c *schema.Column) string {
	if c.NotNull {
		return c.Type.String() + " not null"
	}
	return c.Type.String()
}

// Next replaces the content of b, a batch for the selected columns, by the next rows. After the last row it returns
// io.EOF. Texts in b share the memory of the file and stay valid until the next call of Next or Select with any batch.
func (f *FileReader) Next(b *column.Batch) error {
	if f.cached != nil {
		return f.cached.next(b, f.step)
	}
	if len(b.Leaves) != len(f.selected) {
		return fmt.Errorf("read parquet file: batch of %d leaf columns for %d selected", len(b.Leaves), len(f.selected))
	}
	b.Reset()
	for f.left == 0 {
		if f.group == f.file.Groups() {
			return io.EOF
		}
		if err := f.startGroup(b); err != nil {
			return err
		}
	}
	rows := min(f.step, f.left)
	for i, r := range f.selected {
		l := &b.Leaves[i]
		if r == nil {
			absent(l, rows)
			continue
		}
		r.Recycle()
		if err := r.Read(l, rows); err != nil {
			return f.failed(l, err)
		}
	}
	f.left -= rows
	b.Filled(rows)
	return nil
}

func (f *FileReader) startGroup(b *column.Batch) error {
	f.left = f.file.GroupRows(f.group)
	f.group++
	for i, r := range f.selected {
		if r == nil {
			continue
		}
		if err := r.Start(f.group - 1); err != nil {
			return f.failed(&b.Leaves[i], err)
		}
	}
	return nil
}

func (f *FileReader) failed(l *column.Leaf, err error) error {
	return fmt.Errorf("read parquet file: row group %d, column %s: %w", f.group-1, strings.Join(l.Path, "."), err)
}

// absent appends rows that do not set the leaf.
func absent(l *column.Leaf, rows int) {
	for range rows {
		l.Def = append(l.Def, l.NullDef)
	}
	if l.MaxRep > 0 {
		l.Rep = append(l.Rep, make([]int16, rows)...)
	}
}
