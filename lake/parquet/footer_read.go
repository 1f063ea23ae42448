package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// File is a parquet file that has been opened for reading. It may be read by
// several goroutines.
type File struct {
	Columns   []schema.Column // not to be changed
	Rows      int64
	CreatedBy string
	Metadata  map[string]string // key-value metadata but for the seal; nil without any

	r       io.ReaderAt
	names   map[string]place
	leaves  []column.Leaf // for their types
	groups  []group
	end     int64  // offset of the footer
	size    int64  // of the file
	sealed  bool   // it has checksums of all that is in it
	between uint32 // checksum of the bytes outside of column chunks and footer
	visit   func(group, leaf int, s Statistics)
}

// place holds the numbers of a column and its first leaf in a file.
type place struct{ column, leaf int }

// contents is a parsed schema. Files of a table have mostly the same one,
// so the last is kept.
type contents struct {
	raw     []byte
	columns []schema.Column
	names   map[string]place
	leaves  []column.Leaf
}

var lastContents atomic.Pointer[contents]

// Find returns the index of the named column, and that of its first leaf.
func (f *File) Find(name string) (column, leaf int, ok bool) {
	p, ok := f.names[name]
	return p.column, p.leaf, ok
}

// group is a row group.
type group struct {
	rows   int
	chunks []chunkPlace // by leaf
}

// Open reads the footer of a file of the given size.
func Open(r io.ReaderAt, size int64) (*File, error) { return OpenStatistics(r, size, nil) }

// OpenStatistics is Open, and gives the statistics of all column chunks, whose
// bytes are good until visit returns. It gives them before it knows that the file
// is sound.
func OpenStatistics(r io.ReaderAt, size int64, visit func(group, leaf int, s Statistics)) (*File, error) {
	memory, _ := footerMemory.Get().(*[]byte)
	if memory == nil {
		memory = new([]byte)
	}
	defer footerMemory.Put(memory)
	footer, err := readFooter(r, size, memory)
	if err != nil {
		return nil, err
	}
	f := &File{r: r, end: size - int64(tailBytes+len(footer)), size: size, visit: visit}
	defer func() { f.visit = nil }()
	if err := f.parse(footer, size); err != nil {
		return nil, err
	}
	return f, nil
}

// At returns the same file read through another reader: its footer is not read again.
func (f *File) At(r io.ReaderAt) *File {
	c := *f
	c.r = r
	return &c
}

// Size returns about the memory that the footer of the file takes, in bytes.
func (f *File) Size() int {
	const chunk = int(unsafe.Sizeof(chunkPlace{}))
	return int(unsafe.Sizeof(*f)) + len(f.groups)*(len(f.leaves)*chunk+int(unsafe.Sizeof(group{})))
}

// tailBytes is the size of the bytes behind the footer: its length and the magic.
const tailBytes = 4 + len(magic)

// footerMemory has the bytes of footers that were read, for the next ones. A File keeps none of them.
var footerMemory sync.Pool

// usualFooter is more than most footers take; the footer of hundreds of columns takes 96 KB for each row group.
const usualFooter = 128 << 10

// readFooter reads a footer into memory, which is replaced if it is too small, or not used for a very large footer.
func readFooter(r io.ReaderAt, size int64, memory *[]byte) ([]byte, error) {
	const tail = tailBytes
	if size < int64(len(magic)+tail) {
		return nil, fmt.Errorf("%d bytes are no parquet file", size)
	}
	// One read usually fetches it all.
	guess := min(size, usualFooter)
	if len(*memory) < usualFooter {
		*memory = make([]byte, usualFooter)
	}
	buf := (*memory)[:guess]
	if err := readFull(r, buf, size-guess); err != nil {
		return nil, err
	}
	n, err := footerSize(buf, size)
	if err != nil {
		return nil, err
	}
	if n <= guess-int64(tail) {
		return buf[guess-int64(tail)-n:][:n], nil
	}
	if n > int64(len(*memory)) {
		buf = make([]byte, n)
		if n <= maxPooled {
			*memory = buf
		}
	} else {
		buf = (*memory)[:n]
	}
	return buf, readFull(r, buf, size-int64(tail)-n)
}

// footerSize reads the size of the footer in the last bytes of a file.
func footerSize(last []byte, size int64) (int64, error) {
	if len(last) < tailBytes || string(last[len(last)-len(magic):]) != magic {
		return 0, fmt.Errorf("it does not end like a parquet file")
	}
	n := int64(binary.LittleEndian.Uint32(last[len(last)-tailBytes:]))
	if n > size-int64(len(magic)+tailBytes) {
		return 0, fmt.Errorf("a footer of %d bytes does not fit", n)
	}
	return n, nil
}

func readFull(r io.ReaderAt, buf []byte, offset int64) error {
	n, err := r.ReadAt(buf, offset)
	if n == len(buf) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read %d bytes at %d: %w", len(buf), offset, err)
}

func (f *File) parse(footer []byte, size int64) error {
	r := &thriftReader{data: footer}
	var raw []byte
	r.structure(func(id int, kind byte) {
		switch {
		case id == 2 && kind == thriftList:
			raw = r.data
			r.skip(kind)
			raw = raw[:len(raw)-len(r.data)]
		case id == 3 && kind == thriftI64:
			f.Rows = r.number()
		case id == 4 && kind == thriftList:
			f.readGroups(r)
		case id == 5 && kind == thriftList:
			f.readSeal(r, footer)
		case id == 6 && kind == thriftBinary:
			f.CreatedBy = string(r.bytes())
		default:
			r.skip(kind)
		}
	})
	if r.err != nil {
		return r.err
	}
	if _, earlier := f.Metadata[SumsKey]; !f.sealed && !earlier && bytes.Contains(footer, []byte(sealKey)) {
		return errSeal // the field with its place is damaged
	}
	c, err := parseContents(raw)
	if err != nil {
		return err
	}
	f.Columns, f.names, f.leaves = c.columns, c.names, c.leaves
	return f.check(size)
}

func parseContents(raw []byte) (*contents, error) {
	if last := lastContents.Load(); last != nil && bytes.Equal(last.raw, raw) {
		return last, nil
	}
	r := &thriftReader{data: raw}
	elements := readElements(r)
	if r.err != nil {
		return nil, r.err
	}
	columns, err := columnsOf(elements)
	if err != nil {
		return nil, err
	}
	b := column.NewBatch(columns)
	c := &contents{raw: bytes.Clone(raw), columns: columns, names: map[string]place{}, leaves: b.Leaves}
	for i := range columns {
		c.names[columns[i].Name] = place{i, b.Node(i).Leaf}
	}
	lastContents.Store(c)
	return c, nil
}

func (f *File) readGroups(r *thriftReader) {
	most := 64 // no memory by what a file merely says
	if last := lastContents.Load(); last != nil {
		most = max(most, len(last.leaves))
	}
	for range r.list(thriftStruct) {
		var g group
		r.structure(func(id int, kind byte) {
			switch {
			case id == 1 && kind == thriftList:
				n := r.list(thriftStruct)
				g.chunks = slices.Grow(g.chunks, min(n, most))
				for range n {
					c, s := readChunk(r)
					if f.visit != nil {
						f.visit(len(f.groups), len(g.chunks), s)
					}
					g.chunks = append(g.chunks, c)
				}
			case id == 3 && kind == thriftI64:
				g.rows = int(r.number())
			default:
				r.skip(kind)
			}
		})
		most = max(most, len(g.chunks))
		f.groups = append(f.groups, g)
	}
}

// check makes sure that groups and chunks are where and what the schema says.
func (f *File) check(size int64) error {
	rows := int64(0)
	for i, g := range f.groups {
		if len(g.chunks) != len(f.leaves) {
			return fmt.Errorf("row group %d has %d column chunks for %d leaf columns", i, len(g.chunks), len(f.leaves))
		}
		if g.rows < 0 || int64(g.rows) > f.Rows-rows {
			return fmt.Errorf("row group %d has %d of %d rows", i, g.rows, f.Rows)
		}
		rows += int64(g.rows)
		for j, c := range g.chunks {
			if err := c.check(&f.leaves[j], size); err != nil {
				return fmt.Errorf("row group %d, column %v: %w", i, f.leaves[j].Path, err)
			}
		}
	}
	if rows != f.Rows {
		return fmt.Errorf("row groups have %d rows, the file says %d", rows, f.Rows)
	}
	return nil
}

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.groups) }

// Chunk returns the offset and the size of a column chunk in the file, in bytes.
func (f *File) Chunk(group, leaf int) (offset, size int64) {
	c := &f.groups[group].chunks[leaf]
	return c.offset, c.size
}

// GroupRows returns the number of rows of row group i.
func (f *File) GroupRows(i int) int { return f.groups[i].rows }
