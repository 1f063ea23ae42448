package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Options shape a file.
type Options struct {
	PageRows  int      // most rows of a page; 0 means no limit
	Bloom     []string // top-level text columns that get a bloom filter
	CreatedBy string   // name and version of the program
	Verbatim  bool     // texts are written as they are; else one that is not UTF-8 is an error

	// OneCodec compresses every column chunk; else those that it makes smaller. Some readers apply the first row
	// group's codec to the whole file.
	OneCodec bool

	// Small takes twice the time for files that are smaller and seldom read: zstd at its better level, pages of 8 MiB.
	Small bool

	// Stored are top-level columns that no chunk compresses: their values are compressed already.
	Stored []string

	// Metadata are entries of the footer besides the file's seal.
	Metadata map[string]string
}

// Writer writes a parquet file one row group at a time.
type Writer struct {
	sink

	layout    *Layout
	bloom     []bool            // by leaf
	forms     []form            // by leaf
	entries   map[string]string // of the footer
	createdBy string
	chunks    *chunkEncoder
	groups    []groupMeta
	between   uint32 // checksum of the bytes outside of column chunks and footer
	footer    uint32 // CRC-32C of the footer and what follows it
}

// NewWriter starts a file. Nothing is written to w before the first Group.
func NewWriter(w io.Writer, l *Layout, o Options) (*Writer, error) {
	if o.PageRows <= 0 {
		o.PageRows = 1 << 30
	}
	chunks, err := newChunkEncoder(o)
	if err != nil {
		return nil, err
	}
	f := &Writer{
		sink: sink{w: w, out: append(chunks.out[:0], magic...)}, layout: l, createdBy: o.CreatedBy, entries: o.Metadata, chunks: chunks,
		between: crc32.ChecksumIEEE([]byte(magic)),
	}
	f.bloom, f.forms = make([]bool, len(l.leaves)), make([]form, len(l.leaves))
	for i := range l.leaves {
		leaf := &l.leaves[i]
		f.bloom[i] = len(leaf.Path) == 1 && leaf.Kind == schema.String && slices.Contains(o.Bloom, leaf.Path[0])
		f.forms[i] = form{stored: slices.Contains(o.Stored, leaf.Path[0]), unordered: logicals[l.refine[i]].unordered}
	}
	return f, nil
}

// Describe sets the entries of the footer besides the file's seal, before Close.
func (f *Writer) Describe(metadata map[string]string) { f.entries = metadata }

// Group writes a row group of leaves that are in the order of the columns
// and all have the given number of rows. It relies on levels that
// Layout.Check finds good.
func (f *Writer) Group(leaves []column.Leaf, rows int) error {
	return f.GroupOf(rows, func(i int) *column.Leaf { return &leaves[i] }, nil)
}

// Part is a file that has some columns of another one, of the same options.
type Part struct {
	*Writer

	Leaves []int // of the other file, in its order
}

// openGroup is a row group being written.
type openGroup struct {
	groupMeta

	filters map[int][]byte // by leaf
}

// GroupOf is Group of leaves that are made one after the other: each is used until the next one is asked for. The part, if not
// nil, gets the same row group: each chunk is encoded once.
func (f *Writer) GroupOf(rows int, leaf func(i int) *column.Leaf, part *Part) error {
	if rows == 0 {
		return nil // readers do not expect empty row groups
	}
	g, next := f.open(rows), 0
	var inPart openGroup
	if part != nil {
		inPart = part.open(rows)
	}
	for i := range g.chunks {
		l := leaf(i)
		shared, shift := part != nil && next < len(part.Leaves) && part.Leaves[next] == i, -f.end()
		if f.part = nil; shared {
			f.part = &part.sink
			shift += part.end()
		}
		if err := f.chunks.encode(&f.sink, l, rows, f.forms[i], &g.chunks[i]); err != nil {
			return fmt.Errorf("column %s: %w", strings.Join(l.Path, "."), err)
		}
		if f.bloom[i] && l.Values() > 0 { // without values the statistics say as much
			g.filters[i] = f.filter(l, &g.chunks[i])
		}
		if shared {
			inPart.chunks[next], inPart.filters[next] = g.chunks[i], g.filters[i]
			inPart.chunks[next].move(shift)
			next++
		}
	}
	f.part = nil
	f.finish(g)
	if part != nil {
		part.finish(inPart)
	}
	return nil
}

func (f *Writer) open(rows int) openGroup {
	return openGroup{groupMeta{rows: rows, start: f.end(), chunks: f.chunks.takeMetas(len(f.layout.leaves))}, map[int][]byte{}}
}

// finish writes the bloom filters of a row group whose chunks are written.
func (f *Writer) finish(g openGroup) {
	for i := range g.chunks {
		if g.filters[i] != nil {
			c := &g.chunks[i]
			c.bloomOffset, c.bloomSize = f.metadata(func(w *thriftWriter) { appendBloom(w, g.filters[i]) })
		}
	}
	f.groups = append(f.groups, g.groupMeta)
}

// filter makes the bloom filter of the chunk encoded last.
func (f *Writer) filter(l *column.Leaf, c *chunkMeta) []byte {
	if c.dictOffset >= 0 {
		return bloomFilter(f.chunks.texts.values)
	}
	return bloomFilter(l.Bytes)
}

// metadata appends the output of do and returns its place.
func (f *Writer) metadata(do func(*thriftWriter)) (offset int64, size int) {
	offset = f.end()
	w := thriftWriter{buf: f.out}
	do(&w)
	f.between = crc32.Update(f.between, crc32.IEEETable, w.buf[len(f.out):])
	f.out = w.buf
	return offset, int(f.end() - offset)
}

// Close writes the page indexes and the footer and returns the size of the
// file. After that, or after an error, the Writer cannot be used any more.
func (f *Writer) Close() (size int64, err error) {
	f.appendIndexes()
	_, n := f.metadata(f.appendFooter)
	f.out = append(binary.LittleEndian.AppendUint32(f.out, uint32(n)), magic...)
	f.footer = crc32.Checksum(f.out[len(f.out)-n-tailBytes:], castagnoli)
	if err := f.flush(0); err != nil {
		return 0, err
	}
	f.chunks.release(f.out, f.groups)
	f.chunks, f.out, f.groups = nil, nil, nil
	return f.offset, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// FooterSum returns the CRC-32C of a closed file's footer and of the bytes after it, to be stored elsewhere: two files
// with the same one have the same footer.
func (f *Writer) FooterSum() uint32 { return f.footer }

// appendIndexes writes the page indexes of the row groups in which any chunk has several pages: of all their chunks,
// since readers use them only together. If every chunk is one page, they would repeat its statistics. Some readers
// expect each kind of index in one piece.
func (f *Writer) appendIndexes() {
	var chunks []*chunkMeta
	for _, g := range f.groups {
		if !slices.ContainsFunc(g.chunks, func(c chunkMeta) bool { return len(c.pages) > 0 }) {
			continue
		}
		for i := range g.chunks {
			chunks = append(chunks, &g.chunks[i])
		}
	}
	for _, c := range chunks {
		offset, size := f.metadata(func(w *thriftWriter) { appendColumnIndex(w, c) })
		if size > 0 {
			c.columnIndex, c.columnIndexSize = offset, size
		}
	}
	for _, c := range chunks {
		c.offsetIndex, c.offsetIndexSize = f.metadata(func(w *thriftWriter) { appendOffsetIndex(w, c) })
	}
}
