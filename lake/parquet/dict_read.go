package parquet

import (
	"errors"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

var errIndex = errors.New("a dictionary index is out of range")

// dictReader reads values through the indices of a dictionary.
type dictReader struct {
	entries column.Leaf // the dictionary
	indices hybridReader
	block   [256]uint32
}

// values appends the next n values to l. Texts share the memory of the
// dictionary page.
func (d *dictReader) values(l *column.Leaf, n int) (err error) {
	switch l.Kind {
	case schema.Int:
		l.Ints, err = gather(d, l.Ints, d.entries.Ints, n)
	case schema.Long:
		l.Longs, err = gather(d, l.Longs, d.entries.Longs, n)
	case schema.Double:
		l.Doubles, err = gather(d, l.Doubles, d.entries.Doubles, n)
	case schema.Decimal:
		l.Decimals, err = gather(d, l.Decimals, d.entries.Decimals, n)
	case schema.String, schema.Binary:
		l.Bytes, err = gather(d, l.Bytes, d.entries.Bytes, n)
	default:
		err = errIndex // there are no dictionaries of booleans
	}
	return err
}

// gather appends the dictionary entries of the next n indices.
func gather[T any](d *dictReader, dst, entries []T, n int) ([]T, error) {
	h := &d.indices
	for n > 0 {
		if err := h.run(); err != nil {
			return dst, err
		}
		k := min(n, h.left)
		if !h.packed {
			if uint64(h.value) >= uint64(len(entries)) {
				return dst, errIndex
			}
			v := entries[h.value]
			at := len(dst)
			dst = extend(dst, k)
			for i := at; i < len(dst); i++ {
				dst[i] = v
			}
		} else {
			k = min(k, len(d.block))
			block := d.block[:k]
			h.unpackIndices(block)
			at := len(dst)
			dst = extend(dst, k)
			part := dst[at:][:len(block)]
			for i, index := range block {
				if uint64(index) >= uint64(len(entries)) {
					return dst, errIndex
				}
				part[i] = entries[index]
			}
		}
		h.left -= k
		n -= k
	}
	return dst, nil
}
