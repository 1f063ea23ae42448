package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// LeafReader reads one leaf column, row group by row group. The texts that it
// gives out stay valid until Recycle. It is not safe for concurrent use.
type LeafReader struct {
	file  *File
	index int

	place  *chunkPlace
	codec  int
	rest   []byte // of the chunk: fetched and not yet used, readable for padding bytes beyond
	ahead  int64  // of the chunk: where rest begins
	total  total
	header thriftWriter // of the page, as it should be

	left     int // levels left in the current page
	def, rep hybridReader
	plain    plainReader
	dict     dictReader
	useDict  bool // for the current page
	hasDict  bool

	buffers buffers
}

// total sums the sizes of a chunk's pages so far.
type total struct {
	pages       int
	raw, levels int64 // bytes of headers and pages before compression; levels of data pages
}

var (
	errShort  = errors.New("the column ends before the row group")
	errPage   = errors.New("a page is cut short or corrupt")
	errSpan   = errors.New("a row is divided between pages")
	errSum    = errors.New("a page does not have its checksum")
	errHeader = errors.New("a page's header is not what was written")
)

// decoder is shared by all readers; it serves as many at a time as there are
// cores.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
})

// leafReaders keeps readers with their buffers for the next files: partitions of many small ones would spend their time on new memory.
var leafReaders sync.Pool

// Leaf returns a reader of the leaf column with the given index.
func (f *File) Leaf(index int) *LeafReader {
	r, ok := leafReaders.Get().(*LeafReader)
	if !ok {
		r = &LeafReader{}
	}
	r.OpenLeaf(f, index)
	return r
}

// Release gives a reader that is not used any more to other files. Texts that it gave out are no longer valid.
func (r *LeafReader) Release() {
	r.Open(nil)
	leafReaders.Put(r)
}

// Start goes to the first row of a row group.
func (r *LeafReader) Start(group int) error {
	place := &r.file.groups[group].chunks[r.index]
	r.buffers.retire(dictBuffer)
	r.buffers.retire(dataBuffer)
	r.place, r.rest, r.ahead, r.codec, r.total = place, nil, 0, place.codec, total{}
	r.left, r.hasDict = 0, false
	return r.fetch(0)
}

// window is the size of one read of a chunk, in bytes: as much as most chunks have, and
// little where many files are read side by side.
const window = 256 << 10

// unread counts the bytes of the chunk that were not fetched yet.
func (r *LeafReader) unread() int64 { return r.place.size - r.ahead - int64(len(r.rest)) }

// fetch reads on: at least the given number of bytes, if the chunk has them.
func (r *LeafReader) fetch(least int) error {
	n := int(min(int64(max(least, window)), r.unread()))
	had := r.rest
	at := r.place.offset + r.ahead + int64(len(had))
	r.rest = r.buffers.get(chunkBuffer, len(had)+n)
	copy(r.rest, had)
	return readFull(r.file.r, r.rest[len(had):], at)
}

// Open turns to the same leaf of another file, whose columns must be the same, or
// of none. Texts that were read before are no longer valid. Start comes next.
func (r *LeafReader) Open(f *File) {
	r.file, r.place, r.rest, r.left = f, nil, nil, 0
	for use := range r.buffers.current {
		r.buffers.retire(use)
	}
	r.buffers.recycle()
}

// OpenLeaf is Open for another leaf, which may be of any type.
func (r *LeafReader) OpenLeaf(f *File, leaf int) {
	r.Open(f)
	r.index = leaf
}

// Recycle releases the buffers of texts read before; the caller must no longer use these texts.
func (r *LeafReader) Recycle() {
	if r.left == 0 {
		r.buffers.retire(dataBuffer)
	}
	r.buffers.recycle()
}

// ReadPage appends the next rows of the row group to l, a leaf outside of lists
// and maps: as many as are left in the page, at most the given number.
func (r *LeafReader) ReadPage(l *column.Leaf, most int) (rows int, err error) {
	if r.left == 0 {
		if err := r.nextPage(); err != nil {
			return 0, err
		}
	}
	n := min(most, r.left)
	r.left -= n
	return n, r.readLevels(l, n)
}

// Read appends the next rows of the row group to l, a leaf of the same type.
func (r *LeafReader) Read(l *column.Leaf, rows int) error {
	for rows > 0 {
		if r.left == 0 {
			if err := r.nextPage(); err != nil {
				return err
			}
		}
		n, started := min(rows, r.left), 0
		if l.MaxRep > 0 {
			var err error
			at := len(l.Rep)
			if l.Rep, started, err = r.rep.rows(l.Rep, rows, r.left, l.MaxRep); err != nil {
				return err
			}
			n = len(l.Rep) - at
			if n == 0 || l.Rep[at] != 0 {
				return errSpan
			}
		} else {
			started = n
		}
		if err := r.readLevels(l, n); err != nil {
			return err
		}
		r.left -= n
		rows -= started
	}
	return nil
}

// readLevels appends n definition levels and the values that they define.
func (r *LeafReader) readLevels(l *column.Leaf, n int) (err error) {
	values := n
	if l.MaxDef > 0 {
		if l.Def, values, err = r.def.levels(l.Def, n, l.MaxDef); err != nil {
			return err
		}
	}
	if r.useDict {
		return r.dict.values(l, values)
	}
	return r.plain.values(l, values)
}

// nextPage goes to the next data page, and reads the dictionary if it comes
// before.
func (r *LeafReader) nextPage() error {
	for r.left == 0 {
		if len(r.rest) == 0 && r.unread() == 0 {
			return errShort
		}
		h, stored, err := r.nextStored()
		if err != nil {
			return err
		}
		data, err := r.unpack(h, stored)
		if err != nil {
			return err
		}
		switch h.kind {
		case pageDictionary:
			err = r.startDict(h, data)
		case pageData:
			err = r.startData(h, data)
		case pageIndex:
		default:
			err = fmt.Errorf("unknown page type %d", h.kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *LeafReader) startDict(h pageHeader, data []byte) error {
	leaf := &r.file.leaves[r.index]
	if r.hasDict || leaf.Kind == schema.Boolean || h.values > len(data) {
		return errPage
	}
	e := &r.dict.entries
	e.Kind, e.Precision = leaf.Kind, leaf.Precision
	e.Ints, e.Longs, e.Doubles, e.Decimals, e.Bytes = e.Ints[:0], e.Longs[:0], e.Doubles[:0], e.Decimals[:0], e.Bytes[:0]
	p := plainReader{data: data}
	r.hasDict = true
	if err := p.values(e, h.values); err != nil {
		return err
	}
	if r.file.sealed && len(p.data) > 0 {
		return errHeader // there are more entries than it says
	}
	return nil
}

// startData readies the levels and values of a data page.
func (r *LeafReader) startData(h pageHeader, data []byte) error {
	leaf := &r.file.leaves[r.index]
	pos := 0
	var err error
	if leaf.MaxRep > 0 {
		if r.rep, pos, err = levelReader(data, pos, leaf.MaxRep); err != nil {
			return err
		}
	}
	if leaf.MaxDef > 0 {
		if r.def, pos, err = levelReader(data, pos, leaf.MaxDef); err != nil {
			return err
		}
	}
	r.left = h.values
	r.useDict = h.encoding == encodingRLEDictionary || h.encoding == encodingPlainDict
	switch {
	case r.useDict:
		if !r.hasDict || pos == len(data) || data[pos] > 32 {
			return errPage
		}
		r.dict.indices = newHybrid(data[:len(data)+padding], pos+1, len(data), uint(data[pos]))
	case h.encoding == encodingPlain:
		r.plain = plainReader{data: data[pos:]}
	default:
		return fmt.Errorf("unknown encoding %d", h.encoding)
	}
	return nil
}

// levelReader reads the length of levels at pos and returns a reader of them
// and the position after them.
func levelReader(data []byte, pos int, most int16) (hybridReader, int, error) {
	if len(data)-pos < 4 {
		return hybridReader{}, 0, errPage
	}
	n := binary.LittleEndian.Uint32(data[pos:])
	pos += 4
	if uint64(n) > uint64(len(data)-pos) {
		return hybridReader{}, 0, errPage
	}
	end := pos + int(n)
	return newHybrid(data[:len(data)+padding], pos, end, bitWidth(int(most))), end, nil
}
