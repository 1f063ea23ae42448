package parquet

import (
	"fmt"

	"github.com/pingmill/pingmill/table/column"
)

// chunkPlace defines where and how a column chunk is stored.
type chunkPlace struct {
	kind   int
	codec  int
	dict   bool  // the first page is a dictionary
	levels int64 // nulls included
	offset int64
	size   int64
	raw    int64 // size before compression
	bloom  int64 // offset of its bloom filter; 0: it has none

	bloomSize int64 // with its header; 0: not said
}

// Statistics summarize a column chunk: the number of nulls, -1 if it is not known, and the smallest and largest value
// in the PLAIN encoding (texts without their length), nil if not known.
type Statistics struct {
	Nulls    int64
	Min, Max []byte
}

func readChunk(r *thriftReader) (chunkPlace, Statistics) {
	c, s := chunkPlace{kind: -1, codec: -1}, Statistics{Nulls: -1}
	r.structure(func(id int, kind byte) {
		if id == 3 && kind == thriftStruct {
			c.read(r, &s)
		} else {
			r.skip(kind)
		}
	})
	return c, s
}

func (s *Statistics) read(r *thriftReader) {
	r.structure(func(id int, kind byte) {
		switch {
		case id == 3 && kind == thriftI64:
			s.Nulls = r.number()
		case id == 5 && kind == thriftBinary:
			s.Max = r.bytes()
		case id == 6 && kind == thriftBinary:
			s.Min = r.bytes()
		default:
			r.skip(kind)
		}
	})
}

func (c *chunkPlace) read(r *thriftReader, s *Statistics) {
	dict := int64(-1)
	r.structure(func(id int, kind byte) {
		if id == 12 && kind == thriftStruct {
			s.read(r)
			return
		}
		if kind != thriftI32 && kind != thriftI64 {
			r.skip(kind)
			return
		}
		v := r.number()
		switch id {
		case 1:
			c.kind = int(v)
		case 4:
			c.codec = int(v)
		case 5:
			c.levels = v
		case 6:
			c.raw = v
		case 7:
			c.size = v
		case 9:
			c.offset = v
		case 11:
			dict = v
		case 14:
			c.bloom = v
		case 15:
			c.bloomSize = v
		}
	})
	if dict >= 0 && dict < c.offset {
		c.offset, c.dict = dict, true
	}
}

func (c *chunkPlace) check(l *column.Leaf, size int64) error {
	switch {
	case c.kind != physical(l.Kind):
		return fmt.Errorf("type %d, the schema says %d", c.kind, physical(l.Kind))
	case c.codec != codecUncompressed && c.codec != codecZstd:
		return fmt.Errorf("unknown compression %d", c.codec)
	case c.offset < 0 || c.size < 0 || c.offset > size || c.size > size-c.offset:
		return fmt.Errorf("%d bytes at %d are outside of the file", c.size, c.offset)
	}
	return nil
}
