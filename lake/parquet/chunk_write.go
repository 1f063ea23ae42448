package parquet

import (
	"fmt"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// chunkEncoder turns leaves into column chunks. What it holds is memory that
// is used again for every chunk.
type chunkEncoder struct {
	options Options

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
	empty   [emptySlots]emptyChunk
	page    [1]page     // of a chunk that has no more
	metas   []chunkMeta // of a row group of an earlier file, zeroed
}

// encoders keeps the memory of finished files for the next ones.
var encoders sync.Pool

func newChunkEncoder(o Options) (*chunkEncoder, error) {
	level := zstd.SpeedBetterCompression
	if !o.Small {
		if e, ok := encoders.Get().(*chunkEncoder); ok {
			e.options = o
			for i := range e.empty {
				e.empty[i].bytes = e.empty[i].bytes[:0]
			}
			return e, nil
		}
		level = zstd.SpeedFastest
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true), zstd.WithAllLitEntropyCompression(true))
	if err != nil {
		return nil, fmt.Errorf("start zstd: %w", err)
	}
	return &chunkEncoder{options: o, zstd: z}, nil
}

// release gives the encoder's memory to the next file.
func (e *chunkEncoder) release(out []byte, groups []groupMeta) {
	if e.options.Small {
		return
	}
	if len(groups) > 0 {
		e.metas = groups[0].chunks
		clear(e.metas)
	}
	e.texts.clear() // they are the caller's
	e.out = nil
	if cap(out) <= maxPooled {
		e.out = out[:0]
	}
	e.data.release()
	encoders.Put(e)
}

// takeMetas returns zeroed entries for n chunks.
func (e *chunkEncoder) takeMetas(n int) []chunkMeta {
	metas := e.metas
	if e.metas = nil; len(metas) == n {
		return metas
	}
	return make([]chunkMeta, n)
}

// chunk is a leaf on its way to a column chunk.
type chunk struct {
	leaf    *column.Leaf
	rows    int
	values  int
	indices []uint32 // nil without a dictionary
	entries int      // of the dictionary
	form    form
	out     *sink
	meta    *chunkMeta
}

// form holds the options with which the chunks of a leaf are written.
type form struct {
	stored    bool // not compressed
	unordered bool // without bounds
}

// encode writes the column chunk of l, which has the given number of rows, and fills meta, which is zero.
func (e *chunkEncoder) encode(out *sink, l *column.Leaf, rows int, f form, meta *chunkMeta) error {
	c := chunk{leaf: l, rows: rows, values: l.Values(), out: out, form: f, meta: meta}
	c.meta.levels = max(len(l.Def), rows)
	c.meta.nulls = c.meta.levels - c.values
	c.meta.dictOffset = -1
	if c.values == 0 && !f.stored && e.repeatEmpty(&c) {
		return out.flush(flushBytes)
	}
	e.chooseDict(&c)
	if l.Kind == schema.String && !e.options.Verbatim {
		if err := e.checkTexts(&c); err != nil {
			return err
		}
	}
	c.meta.bounds = c.keep(e.chunkBounds(&c))
	start := out.end()
	if err := e.writePages(&c); err != nil {
		return err
	}
	c.meta.stored = int(out.end() - start)
	if c.values == 0 && !f.stored {
		e.keepEmpty(&c)
	}
	return nil
}

// chooseDict builds the dictionary if there is one that pays.
func (e *chunkEncoder) chooseDict(c *chunk) {
	l, size, plain := c.leaf, 0, plainSize(c.leaf)
	if c.values == 0 || !dictPays(1, firstSize(l), c.values, plain) {
		return
	}
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
	if !dictPays(c.entries, size, c.values, plain) {
		c.indices = nil
	}
}

// firstSize returns the size of a leaf's first value in a dictionary, so the least size of a dictionary.
func firstSize(l *column.Leaf) int {
	switch l.Kind {
	case schema.Int:
		return 4
	case schema.Long, schema.Double:
		return 8
	case schema.String:
		return 4 + len(l.Bytes[0])
	default:
		return 0
	}
}

// longsOf returns the values of a long or, bit by bit, of a double leaf.
func longsOf(l *column.Leaf) []int64 {
	if l.Kind == schema.Double && len(l.Doubles) > 0 {
		return unsafe.Slice((*int64)(unsafe.Pointer(&l.Doubles[0])), len(l.Doubles))
	}
	return l.Longs
}

// distinct returns a leaf of the dictionary's entries.
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

// bounds returns the bounds of the values from to to.
func (c *chunk) bounds(from, to int) bounds {
	if c.form.unordered {
		return bounds{}
	}
	return valueBounds(c.leaf, from, to)
}

// keep makes bounds independent of the batch, which holds the memory of texts only.
func (c *chunk) keep(b bounds) bounds {
	if !isText(c.leaf.Kind) {
		return b
	}
	return b.keep()
}

func (e *chunkEncoder) chunkBounds(c *chunk) bounds {
	if c.indices != nil && c.leaf.MaxRep == 0 && !c.form.unordered {
		return valueBounds(e.distinct(c), 0, c.entries)
	}
	return c.bounds(0, c.values)
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
