package parquet

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// pageHeader is the header of a page.
type pageHeader struct {
	kind     int
	size     int // before compression
	stored   int // as it is in the file
	values   int // levels of a data page, entries of a dictionary
	encoding int
	sum      uint32 // CRC-32 of the stored bytes
	summed   bool   // there is one: older files have none
}

// Limits of a page, so that a corrupt header does not claim all memory. The
// writer keeps to the first two; the third is zstd's own: a block of at most
// 128 KiB takes at least four bytes.
const (
	maxPage   = 1 << 30 // bytes before compression
	maxLevels = 1 << 24 // values and nulls
	maxRatio  = 128 << 10 / 4
)

func readHeader(r *thriftReader) pageHeader {
	h := pageHeader{kind: -1, encoding: -1}
	r.structure(func(id int, kind byte) {
		switch {
		case id <= 3 && kind == thriftI32:
			v := int(r.number())
			switch id {
			case 1:
				h.kind = v
			case 2:
				h.size = v
			case 3:
				h.stored = v
			}
		case id == 4 && kind == thriftI32:
			h.sum, h.summed = uint32(r.number()), true
		case (id == 5 || id == 7) && kind == thriftStruct:
			h.detail(r)
		default:
			r.skip(kind)
		}
	})
	return h
}

// detail reads the first fields of a data page's or dictionary's header.
func (h *pageHeader) detail(r *thriftReader) {
	r.structure(func(id int, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.values = int(r.number())
		case id == 2 && kind == thriftI32:
			h.encoding = int(r.number())
		default:
			r.skip(kind)
		}
	})
}

// nextStored takes the next page off the chunk, as it is stored, and compares it
// with its checksum.
func (r *LeafReader) nextStored() (pageHeader, []byte, error) {
	h, t, err := r.nextHeader()
	if err != nil {
		return h, nil, err
	}
	if h.stored < 0 || h.stored > len(t.data) || h.size < 0 || h.size > maxPage || h.values < 0 || h.values > maxLevels ||
		h.size/maxRatio > h.stored || r.codec == codecUncompressed && h.size != h.stored {
		return h, nil, errPage
	}
	stored := t.data[:h.stored]
	if h.summed && crc32.ChecksumIEEE(stored) != h.sum {
		return h, nil, errSum
	}
	if r.file.sealed {
		if err := r.account(&h, r.rest[:len(r.rest)-len(t.data)], r.place.size-r.ahead == int64(len(r.rest)-len(t.data)+h.stored)); err != nil {
			return h, nil, err
		}
	}
	r.ahead += int64(len(r.rest) - len(t.data) + h.stored)
	r.rest = t.data[h.stored:]
	return h, stored, nil
}

// nextHeader reads the header of the next page, and makes sure that the page is in
// memory as far as the chunk has it.
func (r *LeafReader) nextHeader() (h pageHeader, t thriftReader, err error) {
	for {
		t = thriftReader{data: r.rest}
		h = readHeader(&t)
		missing := 0
		if t.err == nil {
			missing = h.stored - len(t.data)
		}
		cut := t.err != nil && len(r.rest) < window // no header is larger
		if !cut && missing <= 0 || r.unread() < int64(max(missing, 1)) {
			return h, t, t.err
		}
		if err := r.fetch(missing); err != nil {
			return h, t, err
		}
	}
}

// account makes sure that a page's header equals the one that the writer makes for such a
// page, and that all pages together match the footer: checksums do not
// cover the headers.
func (r *LeafReader) account(h *pageHeader, header []byte, last bool) error {
	h.write(&r.header)
	c, total := r.place, &r.total
	kind, encoding := pageData, encodingPlain
	if c.dict && total.pages == 0 {
		kind = pageDictionary
	} else if c.dict {
		encoding = encodingRLEDictionary
	}
	if !h.summed || !bytes.Equal(header, r.header.buf) || h.kind != kind || h.encoding != encoding {
		return errHeader
	}
	total.pages++
	total.raw += int64(len(header) + h.size)
	if kind == pageData {
		total.levels += int64(h.values)
	}
	if last && (total.raw != c.raw || total.levels != c.levels) {
		return errHeader
	}
	return nil
}

// unpack decompresses a page. The result is readable for padding bytes beyond its
// length.
func (r *LeafReader) unpack(h pageHeader, stored []byte) ([]byte, error) {
	if r.codec == codecUncompressed {
		return stored, nil
	}
	use := dataBuffer
	if h.kind == pageDictionary {
		use = dictBuffer
	}
	buf := r.buffers.get(use, h.size)
	z, err := decoder()
	if err != nil {
		return nil, fmt.Errorf("start zstd: %w", err)
	}
	raw, err := z.DecodeAll(stored, buf[:0:h.size])
	if err != nil {
		return nil, fmt.Errorf("decompress a page: %w", err)
	}
	if len(raw) != h.size {
		return nil, errPage
	}
	return buf, nil
}

// buffers hands out memory for the chunk, dictionary and page being read and
// takes it back when no text in it is used any more.
type buffers struct {
	current [3][]byte
	retired [][]byte // no longer current, but perhaps still used by texts
	free    [][]byte
}

// What a buffer is for.
const (
	chunkBuffer = iota
	dictBuffer
	dataBuffer
)

// get returns n bytes for a use, readable for padding bytes beyond, in place
// of those it has given out for that use before.
func (b *buffers) get(use, n int) []byte {
	b.retire(use)
	var buf []byte
	if last := len(b.free) - 1; last >= 0 {
		buf = b.free[last] // dropped if it is too small
		b.free = b.free[:last]
	}
	if cap(buf) < n+padding {
		buf = make([]byte, n+padding+n/4)
	}
	b.current[use] = buf
	return buf[:n]
}

func (b *buffers) retire(use int) {
	if b.current[use] != nil {
		b.retired = append(b.retired, b.current[use])
		b.current[use] = nil
	}
}

func (b *buffers) recycle() {
	for i, buf := range b.retired {
		if cap(buf) <= maxPooled {
			b.free = append(b.free, buf)
		}
		b.retired[i] = nil
	}
	b.retired = b.retired[:0]
}
