package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Project writes a file with all rows of a parquet file and with some of its leaves. keep gets the path of a leaf, which has the
// levels of lists and maps, too. Column chunks are copied as they are; bloom filters, the indexes of pages and
// checksums are left out.
func Project(w io.Writer, r io.ReaderAt, size int64, keep func(path []string) bool) error {
	footer, err := readFooter(r, size, new([]byte))
	if err != nil {
		return err
	}
	p := &projection{r: r, size: size, w: w, keep: keep}
	if p.write([]byte(magic)); p.err != nil {
		return p.err
	}
	in := &thriftReader{data: footer}
	p.out.copyStruct(in, func(id int, kind byte) bool { return p.field(in, id, kind) })
	if p.err == nil {
		p.err = in.err
	}
	if p.err == nil && p.count() == 0 {
		p.err = errors.New("no leaf is kept")
	}
	p.write(p.out.buf)
	p.write(binary.LittleEndian.AppendUint32(nil, uint32(len(p.out.buf))))
	p.write([]byte(magic))
	return p.err
}

// projection is a file that Project writes.
type projection struct {
	r    io.ReaderAt
	size int64
	w    io.Writer
	at   int64 // bytes written
	err  error

	out      thriftWriter // the footer
	keep     func(path []string) bool
	selected []bool // by leaf
}

// count returns the number of leaves that are kept.
func (p *projection) count() (n int) {
	for _, selected := range p.selected {
		if selected {
			n++
		}
	}
	return n
}

func (p *projection) write(data []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(data)
		p.at += int64(len(data))
	}
}

// field writes a field of the footer that is not as it was.
func (p *projection) field(in *thriftReader, id int, kind byte) bool {
	switch {
	case id == 2 && kind == thriftList:
		p.schema(in)
	case id == 4 && kind == thriftList:
		n := in.list(thriftStruct)
		p.out.list(4, thriftStruct, n)
		for range n {
			p.group(in)
		}
	case id == 5: // metadata of the program, such as the seal
		in.skip(kind)
	case id == 7 && kind == thriftList:
		in.skip(kind)
		p.out.orders(p.count())
	case id >= 8:
		in.skip(kind)
		p.fail(errors.New("it is encrypted"))
	default:
		return false
	}
	return true
}

func (p *projection) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// group writes a row group.
func (p *projection) group(in *thriftReader) {
	size, stored := int64(0), int64(0)
	p.out.copyStruct(in, func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == thriftList:
			size, stored = p.chunks(in)
		case id == 2 && kind == thriftI64:
			in.number()
			p.out.i64(2, size)
		case id == 6 && kind == thriftI64:
			in.number()
			p.out.i64(6, stored)
		case id == 4 || id == 5: // columns by which it is sorted, and its place
			in.skip(kind)
		default:
			return false
		}
		return true
	})
}

// chunks writes the column chunks of a row group and returns their bytes before and after compression.
func (p *projection) chunks(in *thriftReader) (size, stored int64) {
	n := in.list(thriftStruct)
	if n != len(p.selected) {
		p.fail(fmt.Errorf("a row group has %d column chunks for %d leaf columns", n, len(p.selected)))
		in.fail()
		return 0, 0
	}
	p.out.list(1, thriftStruct, p.count())
	for i := range n {
		if !p.selected[i] {
			in.skip(thriftStruct)
			continue
		}
		ahead := *in
		c, _ := readChunk(&ahead)
		shift := p.at - c.offset
		p.copy(c)
		p.chunk(in, shift)
		size, stored = size+c.raw, stored+c.size
	}
	return size, stored
}

// copy copies the pages of a column chunk.
func (p *projection) copy(c chunkPlace) {
	if c.offset < 0 || c.size < 0 || c.offset > p.size || c.size > p.size-c.offset {
		p.fail(fmt.Errorf("%d bytes at %d are outside of the file", c.size, c.offset))
	}
	if p.err != nil {
		return
	}
	n, err := io.Copy(p.w, io.NewSectionReader(p.r, c.offset, c.size))
	p.at += n
	if err == nil && n < c.size {
		err = io.ErrUnexpectedEOF
	}
	p.err = err
}

// chunk writes a column chunk's entry, with offsets that are shifted.
func (p *projection) chunk(in *thriftReader, shift int64) {
	p.out.copyStruct(in, func(id int, kind byte) bool {
		switch {
		case id == 3 && kind == thriftStruct:
			p.out.field(3, thriftStruct)
			p.out.copyStruct(in, func(id int, kind byte) bool {
				switch {
				case (id == 9 || id == 10 || id == 11) && kind == thriftI64:
					p.out.i64(id, in.number()+shift)
				case id == 14 || id == 15:
					in.skip(kind)
				default:
					return false
				}
				return true
			})
		case id == 1:
			in.skip(kind)
			p.fail(errors.New("a column chunk is in another file"))
		case id == 2 && kind == thriftI64:
			in.number()
			p.out.i64(2, 0)
		case id >= 4 && id <= 7:
			in.skip(kind)
		case id >= 8:
			in.skip(kind)
			p.fail(errors.New("it is encrypted"))
		default:
			return false
		}
		return true
	})
}

// copyStruct copies a struct. For every field it first calls change, which reads the value and returns true if the copy has
// another field in its place or none.
func (w *thriftWriter) copyStruct(r *thriftReader, change func(id int, kind byte) bool) {
	w.element()
	r.structure(func(id int, kind byte) {
		if change(id, kind) {
			return
		}
		start := r.data
		if r.skip(kind); r.err != nil {
			return
		}
		w.field(id, kind)
		w.buf = append(w.buf, start[:len(start)-len(r.data)]...)
	})
	w.end()
}
