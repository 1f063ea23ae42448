package pq

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// chunkEncoder turns leaves into column chunks. What it holds is memory that
// is used again for every chunk.
type chunkEncoder struct {
	pageRows int

	ints  numberDict[int32]
	longs numberDict[int64]
	texts textDict

	header  thriftWriter
	dict    pageBuffer
	data    pageBuffer
	zstd    *zstd.Encoder
	lastRep []int16 // repetition levels that rep encodes
	repBits uint    // and their width
	rep     []byte
	out     []byte // of the file being written, not yet flushed
}

// encoders keeps the memory of finished files for the next ones.
var encoders sync.Pool

func newChunkEncoder(pageRows int) (*chunkEncoder, error) {
	if e, ok := encoders.Get().(*chunkEncoder); ok {
		e.pageRows = pageRows
		return e, nil
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true), zstd.WithAllLitEntropyCompression(true))
	if err != nil {
		return nil, fmt.Errorf("start zstd: %w", err)
	}
	return &chunkEncoder{pageRows: pageRows, zstd: z}, nil
}

// release gives the encoder's memory to the next file.
func (e *chunkEncoder) release(out []byte) {
	e.texts.clear() // they are the caller's
	e.out = out[:0]
	encoders.Put(e)
}

// pageBuffer is a page before and after compression.
type pageBuffer struct{ raw, packed []byte }

// minCompress is the size from which compressing a chunk is worth the time.
const minCompress = 1024

// chunk is a leaf on its way to a column chunk.
type chunk struct {
	leaf    *column.Leaf
	rows    int
	values  int
	indices []uint32 // nil without a dictionary
	entries int      // of the dictionary
	out     []byte
	meta    chunkMeta
}

// encode appends the column chunk of l, which has the given number of rows, to
// out, whose first byte stands at offset base of the file.
func (e *chunkEncoder) encode(out []byte, base int64, l *column.Leaf, rows int) ([]byte, chunkMeta, error) {
	c := chunk{leaf: l, rows: rows, values: values(l), out: out}
	c.meta.levels = max(len(l.Def), rows)
	c.meta.nulls = c.meta.levels - c.values
	c.meta.dictOffset = -1
	e.chooseDict(&c)
	if l.Kind == schema.String {
		if err := e.checkTexts(&c); err != nil {
			return nil, chunkMeta{}, err
		}
	}
	c.meta.bounds = e.chunkBounds(&c).keep()
	start := len(out)
	if err := e.writePages(&c, base); err != nil {
		return nil, chunkMeta{}, err
	}
	c.meta.stored = len(c.out) - start
	return c.out, c.meta, nil
}

// chooseDict builds the dictionary if there is one that pays.
func (e *chunkEncoder) chooseDict(c *chunk) {
	l, size := c.leaf, 0
	switch l.Kind {
	case schema.Int:
		if !e.ints.build(l.Ints) {
			return
		}
		c.indices, c.entries = e.ints.indices, len(e.ints.values)
		size = 4 * c.entries
	case schema.Long, schema.Double:
		if !e.longs.build(longsOf(l)) {
			return
		}
		c.indices, c.entries = e.longs.indices, len(e.longs.values)
		size = 8 * c.entries
	case schema.String:
		if !e.texts.build(l.Bytes) {
			return
		}
		c.indices, c.entries = e.texts.indices, len(e.texts.values)
		size = 4*c.entries + e.texts.bytes
	default:
		return
	}
	if !dictPays(c.entries, size, c.values, plainSize(l)) {
		c.indices = nil
	}
}

// longsOf are the values of a long or, bit by bit, of a double leaf.
func longsOf(l *column.Leaf) []int64 {
	if l.Kind == schema.Double && len(l.Doubles) > 0 {
		return unsafe.Slice((*int64)(unsafe.Pointer(&l.Doubles[0])), len(l.Doubles))
	}
	return l.Longs
}

// distinct is a leaf of the dictionary's entries.
func (e *chunkEncoder) distinct(c *chunk) *column.Leaf {
	d := &column.Leaf{Kind: c.leaf.Kind, MaxRep: c.leaf.MaxRep}
	switch d.Kind {
	case schema.Int:
		d.Ints = e.ints.values
	case schema.Long:
		d.Longs = e.longs.values
	case schema.Double:
		d.Doubles = doublesOf(e.longs.values)
	default:
		d.Bytes = e.texts.values
	}
	return d
}

func doublesOf(v []int64) []float64 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&v[0])), len(v))
}

func (e *chunkEncoder) chunkBounds(c *chunk) bounds {
	if c.indices != nil && c.leaf.MaxRep == 0 {
		return valueBounds(e.distinct(c), 0, c.entries)
	}
	return valueBounds(c.leaf, 0, c.values)
}

// checkTexts makes sure that texts are UTF-8, which readers of other makers
// rely on.
func (e *chunkEncoder) checkTexts(c *chunk) error {
	all := c.leaf.Bytes
	if c.indices != nil {
		all = e.texts.values
	}
	for _, v := range all {
		if !utf8.Valid(v) {
			return fmt.Errorf("text %.40q is not UTF-8", v)
		}
	}
	return nil
}

// writePages writes the chunk's pages: the dictionary, then the data.
func (e *chunkEncoder) writePages(c *chunk, base int64) error {
	pages := e.split(c)
	e.dict.raw = e.dict.raw[:0]
	if c.indices != nil {
		e.dict.raw = appendPlain(e.dict.raw, e.distinct(c), 0, c.entries)
	}
	e.data.raw = e.appendPage(e.data.raw[:0], c, pages[0])
	c.meta.codec = e.chooseCodec()
	if c.indices != nil {
		c.meta.dictOffset = base + int64(len(c.out))
		if err := e.writePage(c, &e.dict, pageDictionary, c.entries); err != nil {
			return err
		}
	}
	c.meta.dataOffset = base + int64(len(c.out))
	for i, p := range pages {
		if i > 0 {
			e.data.raw = e.appendPage(e.data.raw[:0], c, p)
			if c.meta.codec == codecZstd {
				e.compress(&e.data)
			}
		}
		p.offset = base + int64(len(c.out))
		if err := e.writePage(c, &e.data, pageData, p.to.level-p.from.level); err != nil {
			return err
		}
		if len(pages) > 1 {
			p.size = int(base + int64(len(c.out)) - p.offset)
			p.bounds = valueBounds(c.leaf, p.from.value, p.to.value).keep()
			c.meta.pages = append(c.meta.pages, p)
		}
	}
	return nil
}

// chooseCodec compresses the dictionary and first data page and returns the
// codec of the chunk: none unless that saves a twentieth.
func (e *chunkEncoder) chooseCodec() int {
	size := len(e.dict.raw) + len(e.data.raw)
	if size < minCompress {
		return codecUncompressed
	}
	e.compress(&e.data)
	e.compress(&e.dict)
	if len(e.dict.packed)+len(e.data.packed) > size-size/20 {
		return codecUncompressed
	}
	return codecZstd
}

func (e *chunkEncoder) compress(p *pageBuffer) {
	p.packed = p.packed[:0]
	if len(p.raw) > 0 {
		p.packed = e.zstd.EncodeAll(p.raw, p.packed)
	}
}

// appendPage appends levels and values of a data page.
func (e *chunkEncoder) appendPage(dst []byte, c *chunk, p page) []byte {
	l := c.leaf
	if l.MaxRep > 0 {
		dst = e.appendRep(dst, l, l.Rep[p.from.level:p.to.level])
	}
	if l.MaxDef > 0 {
		n := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		dst = appendHybrid(dst, l.Def[p.from.level:p.to.level], bitWidth(int(l.MaxDef)))
		binary.LittleEndian.PutUint32(dst[n:], uint32(len(dst)-n-4))
	}
	if c.indices == nil {
		return appendPlain(dst, l, p.from.value, p.to.value)
	}
	width := indexWidth(c.entries)
	return appendHybrid(append(dst, byte(width)), c.indices[p.from.value:p.to.value], width)
}

// appendRep appends repetition levels. Neighbours such as the keys and values
// of a map have the same ones.
func (e *chunkEncoder) appendRep(dst []byte, l *column.Leaf, rep []int16) []byte {
	width := bitWidth(int(l.MaxRep))
	if width != e.repBits || !bytes.Equal(bytesOf(rep), bytesOf(e.lastRep)) {
		e.rep = appendHybrid(e.rep[:0], rep, width)
		e.lastRep, e.repBits = append(e.lastRep[:0], rep...), width
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.rep)))
	return append(dst, e.rep...)
}

// writePage appends a page with its header.
func (e *chunkEncoder) writePage(c *chunk, p *pageBuffer, kind, entries int) error {
	raw, stored := p.raw, p.raw
	if c.meta.codec == codecZstd {
		stored = p.packed
	}
	if len(raw) > math.MaxInt32 || len(stored) > math.MaxInt32 {
		return fmt.Errorf("a page of %d bytes is too large", len(raw))
	}
	encoding := encodingPlain
	if kind == pageData && c.indices != nil {
		encoding = encodingRLEDictionary
	}
	e.pageHeader(kind, len(raw), len(stored), entries, encoding)
	c.meta.size += len(e.header.buf) + len(raw)
	c.out = append(append(c.out, e.header.buf...), stored...)
	return nil
}

func (e *chunkEncoder) pageHeader(kind, raw, stored, entries, encoding int) {
	w := &e.header
	w.reset()
	w.element()
	w.i32(1, kind)
	w.i32(2, raw)
	w.i32(3, stored)
	if kind == pageDictionary {
		w.begin(7)
		w.i32(1, entries)
		w.i32(2, encodingPlain)
	} else {
		w.begin(5)
		w.i32(1, entries)
		w.i32(2, encoding)
		w.i32(3, encodingRLE)
		w.i32(4, encodingRLE)
	}
	w.end()
	w.end()
}
