package pq

import "fmt"

// pageHeader is what stands before a page.
type pageHeader struct {
	kind     int
	size     int // before compression
	stored   int // as it is in the file
	values   int // levels of a data page, entries of a dictionary
	encoding int
}

// Limits of a page before compression: as large as its stored form may
// reasonably grow, so that a corrupt header does not claim all memory.
const (
	maxPage  = 1 << 30
	maxRatio = 4096
	freePage = 16 << 20 // always allowed

	maxLevels = 1 << 24 // of a page
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

// readPage takes the next page off the chunk and decompresses it. The result
// is readable for padding bytes beyond its length.
func (r *LeafReader) readPage() (pageHeader, []byte, error) {
	t := thriftReader{data: r.rest}
	h := readHeader(&t)
	if t.err != nil {
		return h, nil, t.err
	}
	if h.stored < 0 || h.stored > len(t.data) || h.size < 0 || h.size > maxPage {
		return h, nil, errPage
	}
	stored := t.data[:h.stored]
	r.rest = t.data[h.stored:]
	if r.codec == codecUncompressed {
		if h.size != h.stored {
			return h, nil, errPage
		}
		return h, stored, nil
	}
	if h.size > freePage && h.size/maxRatio > h.stored {
		return h, nil, errPage
	}
	use := dataBuffer
	if h.kind == pageDictionary {
		use = dictBuffer
	}
	buf := r.buffers.get(use, h.size)
	z, err := decoder()
	if err != nil {
		return h, nil, fmt.Errorf("start zstd: %w", err)
	}
	raw, err := z.DecodeAll(stored, buf[:0:h.size])
	if err != nil {
		return h, nil, fmt.Errorf("decompress a page: %w", err)
	}
	if len(raw) != h.size {
		return h, nil, errPage
	}
	return h, buf, nil
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
	b.free = append(b.free, b.retired...)
	b.retired = b.retired[:0]
}
