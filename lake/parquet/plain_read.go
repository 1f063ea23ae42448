package parquet

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

var errValues = errors.New("a page has fewer values than its levels define")

// plainReader reads values in the PLAIN encoding.
type plainReader struct {
	data []byte // not yet read
	bit  int    // of booleans: position in data
}

// values appends the next n values to l. Texts share the memory of the page.
func (p *plainReader) values(l *column.Leaf, n int) error {
	switch l.Kind {
	case schema.Boolean:
		return p.bools(l, n)
	case schema.Int:
		b, err := p.take(n, 4)
		for i := range len(b) / 4 {
			l.Ints = append(l.Ints, int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
		return err
	case schema.Long:
		b, err := p.take(n, 8)
		for i := range len(b) / 8 {
			l.Longs = append(l.Longs, int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
		return err
	case schema.Double:
		b, err := p.take(n, 8)
		for i := range len(b) / 8 {
			l.Doubles = append(l.Doubles, math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
		}
		return err
	case schema.Decimal:
		return p.decimals(l, n)
	default:
		return p.texts(l, n)
	}
}

// take returns the bytes of n values of the given width.
func (p *plainReader) take(n, width int) ([]byte, error) {
	if n > len(p.data)/width {
		return nil, errValues
	}
	b := p.data[:n*width]
	p.data = p.data[n*width:]
	return b, nil
}

func (p *plainReader) bools(l *column.Leaf, n int) error {
	if n > 8*len(p.data)-p.bit {
		return errValues
	}
	for range n {
		l.Bools = append(l.Bools, p.data[p.bit>>3]>>(p.bit&7)&1 == 1)
		p.bit++
	}
	return nil
}

func (p *plainReader) decimals(l *column.Leaf, n int) error {
	width := decimalBytes(l.Precision)
	b, err := p.take(n, width)
	for ; len(b) >= width && width > 0; b = b[width:] {
		l.Decimals = append(l.Decimals, decimal(b[:width]))
	}
	return err
}

// decimal reads big-endian two's complement of at most 16 bytes.
func decimal(b []byte) column.Int128 {
	var full [16]byte
	if b[0]&0x80 != 0 {
		fill(full[:], 0xff)
	}
	copy(full[16-len(b):], b)
	return column.Int128{Hi: int64(binary.BigEndian.Uint64(full[:8])), Lo: binary.BigEndian.Uint64(full[8:])}
}

func (p *plainReader) texts(l *column.Leaf, n int) error {
	for range n {
		if len(p.data) < 4 {
			return errValues
		}
		size := binary.LittleEndian.Uint32(p.data)
		if uint64(size) > uint64(len(p.data)-4) {
			return errValues
		}
		l.Bytes = append(l.Bytes, p.data[4:4+size:4+size])
		p.data = p.data[4+size:]
	}
	return nil
}
