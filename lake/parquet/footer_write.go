package parquet

import (
	"github.com/pingmill/pingmill/table/column"
)

// chunkMeta is a column chunk's entry in the footer.
type chunkMeta struct {
	codec       int
	levels      int // values in the format's count: nulls included
	nulls       int
	size        int // bytes of headers and pages before compression
	stored      int // the same after it
	dictOffset  int64
	dataOffset  int64
	bounds      bounds
	bloomOffset int64
	bloomSize   int
	pages       []page // if more than one, or if the chunk is copied and has an index
	copied      bool   // from another file, with the bytes of its bloom filter and column index
	bloom       []byte
	index       []byte

	offsetIndex     int64
	offsetIndexSize int
	columnIndex     int64
	columnIndexSize int
}

// groupMeta is a row group's entry in the footer.
type groupMeta struct {
	rows   int
	start  int64
	chunks []chunkMeta
}

// appendFooter writes the file's metadata.
func (f *Writer) appendFooter(w *thriftWriter) {
	rows := 0
	for _, g := range f.groups {
		rows += g.rows
	}
	w.element()
	w.i32(1, 2)
	w.field(2, thriftList)
	w.buf = append(w.buf, f.layout.schema...)
	w.i64(3, int64(rows))
	w.list(4, thriftStruct, len(f.groups))
	for i := range f.groups {
		appendGroup(w, &f.groups[i], f.layout.leaves, f.layout.begins, i)
	}
	seal := f.appendSeal(w)
	w.text(6, f.createdBy)
	w.orders(len(f.layout.leaves))
	w.end()
	seal(w)
}

// orders says that all of n columns are ordered by their types.
func (w *thriftWriter) orders(n int) {
	w.list(7, thriftStruct, n)
	for range n {
		w.element()
		w.begin(1)
		w.end()
		w.end()
	}
}

func appendGroup(w *thriftWriter, g *groupMeta, leaves []column.Leaf, begins [][2][]byte, ordinal int) {
	size, stored := 0, 0
	w.element()
	w.list(1, thriftStruct, len(g.chunks))
	for i := range g.chunks {
		c := &g.chunks[i]
		size += c.size
		stored += c.stored
		appendChunk(w, c, &leaves[i], begins[i])
	}
	w.i64(2, int64(size))
	w.i64(3, int64(g.rows))
	w.i64(5, g.start)
	w.i64(6, int64(stored))
	if ordinal <= 1<<15-1 {
		w.field(7, thriftI16)
		w.number(int64(ordinal))
	}
	w.end()
}

// appendChunkBegin writes what the columns alone decide: all up to the path.
func appendChunkBegin(w *thriftWriter, l *column.Leaf, refine Logical, dict bool) {
	w.element()
	w.i64(2, 0) // the metadata is here only
	w.begin(3)
	w.i32(1, refine.physical(physical(l.Kind)))
	appendEncodings(w, dict)
	w.list(3, thriftBinary, len(l.Path))
	for _, name := range l.Path {
		w.string(name)
	}
}

// chunkBegins returns the two outputs of appendChunkBegin: without a dictionary, and with one.
func chunkBegins(l *column.Leaf, refine Logical) (begins [2][]byte) {
	for i := range begins {
		var w thriftWriter
		appendChunkBegin(&w, l, refine, i == 1)
		begins[i] = w.buf
	}
	return begins
}

func appendChunk(w *thriftWriter, c *chunkMeta, l *column.Leaf, begins [2][]byte) {
	w.up, w.last = append(w.up, w.last, 3), 3 // two structs are begun
	if c.dictOffset < 0 {
		w.buf = append(w.buf, begins[0]...)
	} else {
		w.buf = append(w.buf, begins[1]...)
	}
	w.i32(4, c.codec)
	w.i64(5, int64(c.levels))
	w.i64(6, int64(c.size))
	w.i64(7, int64(c.stored))
	w.i64(9, c.dataOffset)
	if c.dictOffset >= 0 {
		w.i64(11, c.dictOffset)
	}
	if l.MaxRep == 0 { // the nulls among elements say nothing of rows
		appendStatistics(w, c)
	}
	if c.dictOffset >= 0 && l.MaxRep == 0 {
		appendEncodingStats(w, c)
	}
	if c.bloomSize > 0 {
		w.i64(14, c.bloomOffset)
		w.i32(15, c.bloomSize)
	}
	w.end()
	if c.offsetIndexSize > 0 {
		w.i64(4, c.offsetIndex)
		w.i32(5, c.offsetIndexSize)
	}
	if c.columnIndexSize > 0 {
		w.i64(6, c.columnIndex)
		w.i32(7, c.columnIndexSize)
	}
	w.end()
}

func appendEncodings(w *thriftWriter, dict bool) {
	if dict {
		w.list(2, thriftI32, 3)
	} else {
		w.list(2, thriftI32, 2)
	}
	w.number(encodingPlain)
	w.number(encodingRLE)
	if dict {
		w.number(encodingRLEDictionary)
	}
}

func appendStatistics(w *thriftWriter, c *chunkMeta) {
	w.begin(12)
	w.i64(3, int64(c.nulls))
	if c.bounds.min != nil {
		w.binary(5, c.bounds.max)
		w.binary(6, c.bounds.min)
	}
	w.end()
}

// appendEncodingStats records that all pages use the dictionary, so that readers can look there for a value.
func appendEncodingStats(w *thriftWriter, c *chunkMeta) {
	w.list(13, thriftStruct, 2)
	for _, s := range [2][3]int{
		{pageDictionary, encodingPlain, 1}, {pageData, encodingRLEDictionary, max(1, len(c.pages))},
	} {
		w.element()
		w.i32(1, s[0])
		w.i32(2, s[1])
		w.i32(3, s[2])
		w.end()
	}
}

// appendOffsetIndex lists where the pages of a chunk are.
func appendOffsetIndex(w *thriftWriter, c *chunkMeta) {
	pages := c.pages
	if len(pages) == 0 {
		size := c.stored - int(c.dataOffset-c.start())
		pages = []page{{offset: c.dataOffset, size: size}}
	}
	w.element()
	w.list(1, thriftStruct, len(pages))
	for _, p := range pages {
		w.element()
		w.i64(1, p.offset)
		w.i32(2, p.size)
		w.i64(3, int64(p.row))
		w.end()
	}
	w.end()
}

// start returns the offset of the chunk's first page.
func (c *chunkMeta) start() int64 {
	if c.dictOffset >= 0 {
		return c.dictOffset
	}
	return c.dataOffset
}

// appendColumnIndex lists the bounds of the pages; it writes nothing if a page
// with values has none.
func appendColumnIndex(w *thriftWriter, c *chunkMeta) {
	if c.copied {
		w.buf = append(w.buf, c.index...)
		return
	}
	pages := c.pages
	if len(pages) == 0 {
		pages = []page{{to: column.Position{Level: c.levels, Value: c.levels - c.nulls}, bounds: c.bounds}}
	}
	for _, p := range pages {
		if p.bounds.min == nil && p.to.Value > p.from.Value {
			return
		}
	}
	w.element()
	w.list(1, thriftTrue, len(pages))
	for _, p := range pages {
		w.truth(p.to.Value == p.from.Value)
	}
	w.list(2, thriftBinary, len(pages))
	for _, p := range pages {
		w.bytes(p.bounds.min)
	}
	w.list(3, thriftBinary, len(pages))
	for _, p := range pages {
		w.bytes(p.bounds.max)
	}
	w.i32(4, 0) // boundaries are in no order
	w.list(5, thriftI64, len(pages))
	for _, p := range pages {
		w.number(int64(p.to.Level - p.from.Level - (p.to.Value - p.from.Value)))
	}
	w.end()
}
