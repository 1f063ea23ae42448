package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/pingmill/pingmill/table/column"
)

// pageBuffer is a page before and after compression.
type pageBuffer struct{ raw, packed []byte }

// maxPooled is the largest buffer that is used again: pages have 1 MiB, except pages of one large value.
const maxPooled = 4 << 20

// release drops buffers that held a large value.
func (p *pageBuffer) release() {
	if cap(p.raw) > maxPooled {
		*p = pageBuffer{}
	}
}

// minCompress is the size from which compressing a chunk is worth the time.
const minCompress = 1024

// writePages writes the chunk's pages: the dictionary, then the data.
func (e *chunkEncoder) writePages(c *chunk) error {
	pages := e.split(c)
	e.dict.raw = e.dict.raw[:0]
	if c.indices != nil {
		e.dict.raw = appendPlain(e.dict.raw, e.distinct(c), 0, c.entries)
	}
	e.data.raw = e.appendPage(e.data.raw[:0], c, pages[0])
	if c.meta.codec = codecUncompressed; !c.form.stored {
		c.meta.codec = e.chooseCodec()
	}
	if c.indices != nil {
		c.meta.dictOffset = c.out.end()
		if err := e.writePage(c, &e.dict, pageDictionary, c.entries); err != nil {
			return err
		}
	}
	c.meta.dataOffset = c.out.end()
	for i, p := range pages {
		if i > 0 {
			e.data.raw = e.appendPage(e.data.raw[:0], c, p)
			if c.meta.codec == codecZstd {
				e.compress(&e.data)
			}
		}
		p.offset = c.out.end()
		if err := e.writePage(c, &e.data, pageData, p.to.Level-p.from.Level); err != nil {
			return err
		}
		if len(pages) > 1 {
			p.size = int(c.out.end() - p.offset)
			p.bounds = c.keep(c.bounds(p.from.Value, p.to.Value))
			c.meta.pages = append(c.meta.pages, p)
		}
	}
	return nil
}

// chooseCodec compresses the dictionary and first data page and returns the
// codec of the chunk: none unless that saves a twentieth, or there is to be one only.
func (e *chunkEncoder) chooseCodec() int {
	size := len(e.dict.raw) + len(e.data.raw)
	if size < minCompress && !e.options.OneCodec {
		return codecUncompressed
	}
	e.compress(&e.data)
	e.compress(&e.dict)
	if len(e.dict.packed)+len(e.data.packed) > size-size/20 && !e.options.OneCodec {
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
		dst = e.appendRep(dst, l, l.Rep[p.from.Level:p.to.Level])
	}
	if l.MaxDef > 0 {
		n := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		dst = appendHybrid(dst, l.Def[p.from.Level:p.to.Level], bitWidth(int(l.MaxDef)))
		binary.LittleEndian.PutUint32(dst[n:], uint32(len(dst)-n-4))
	}
	if c.indices == nil {
		return appendPlain(dst, l, p.from.Value, p.to.Value)
	}
	width := indexWidth(c.entries)
	return appendHybrid(append(dst, byte(width)), c.indices[p.from.Value:p.to.Value], width)
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
	if len(raw) > maxPage || entries > maxLevels {
		return fmt.Errorf("a row takes a page of %d bytes and %d values, more than %d or %d", len(raw), entries, maxPage, maxLevels)
	}
	h := pageHeader{
		kind: kind, size: len(raw), stored: len(stored), values: entries, encoding: c.encoding(kind),
		sum: crc32.ChecksumIEEE(stored), summed: true,
	}
	h.write(&e.header)
	c.meta.size += len(e.header.buf) + len(raw)
	c.out.add(e.header.buf)
	c.out.add(stored)
	return c.out.flush(flushBytes)
}

// encoding returns the encoding of the chunk's pages of a kind.
func (c *chunk) encoding(kind int) int {
	if kind == pageData && c.indices != nil {
		return encodingRLEDictionary
	}
	return encodingPlain
}

// write replaces the content of w by the header.
func (h *pageHeader) write(w *thriftWriter) {
	w.reset()
	w.element()
	w.i32(1, h.kind)
	w.i32(2, h.size)
	w.i32(3, h.stored)
	w.i32(4, int(int32(h.sum)))
	if h.kind == pageDictionary {
		w.begin(7)
		w.i32(1, h.values)
		w.i32(2, h.encoding)
	} else {
		w.begin(5)
		w.i32(1, h.values)
		w.i32(2, h.encoding)
		w.i32(3, encodingRLE)
		w.i32(4, encodingRLE)
	}
	w.end()
	w.end()
}
