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
	if p.err == nil && !p.any() {
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

	out  thriftWriter // the footer
	keep func(path []string) bool
	kept []bool // by leaf
}

func (p *projection) any() bool {
	for _, k := range p.kept {
		if k {
			return true
		}
	}
	return false
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
		n := 0
		for _, k := range p.kept {
			if k {
				n++
			}
		}
		p.out.orders(n)
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

// schemaNode is an element of a schema as it is in the footer.
type schemaNode struct {
	element
	raw []byte
}

// schema writes the elements that lead to leaves that are kept.
func (p *projection) schema(in *thriftReader) {
	n := in.list(thriftStruct)
	nodes := make([]schemaNode, 0, min(n, 1<<14))
	for range n {
		start := in.data
		e := element{kind: -1}
		in.structure(func(id int, kind byte) {
			switch {
			case id == 4 && kind == thriftBinary:
				e.name = string(in.bytes())
			case id <= 8 && kind == thriftI32:
				e.set(id, int(in.number()))
			default:
				in.skip(kind)
			}
		})
		nodes = append(nodes, schemaNode{e, start[:len(start)-len(in.data)]})
	}
	if in.err != nil {
		return
	}
	var kept [][]byte
	if len(nodes) > 0 {
		nodes = p.node(nodes, nil, true, &kept)
	}
	if len(nodes) > 0 {
		p.fail(errMetadata)
	}
	p.out.list(2, thriftStruct, len(kept))
	for _, raw := range kept {
		p.out.buf = append(p.out.buf, raw...)
	}
}

// node appends the first node and those below it to kept, if a leaf of them is kept, and returns the nodes after them.
func (p *projection) node(nodes []schemaNode, path []string, root bool, kept *[][]byte) []schemaNode {
	n := nodes[0]
	nodes = nodes[1:]
	if !root {
		path = append(path, n.name)
	}
	if n.children == 0 {
		p.kept = append(p.kept, !root && p.keep(path))
		if p.kept[len(p.kept)-1] {
			*kept = append(*kept, n.raw)
		}
		return nodes
	}
	at, children := len(*kept), 0
	*kept = append(*kept, nil)
	for range n.children {
		if len(nodes) == 0 || len(path) > maxNesting {
			p.fail(errMetadata)
			return nil
		}
		before := len(*kept)
		nodes = p.node(nodes, path, false, kept)
		if len(*kept) > before {
			children++
		}
	}
	if children == 0 && !root {
		*kept = (*kept)[:at]
		return nodes
	}
	var w thriftWriter
	in := &thriftReader{data: n.raw}
	w.copyStruct(in, func(id int, kind byte) bool {
		if id != 5 || kind != thriftI32 {
			return false
		}
		in.number()
		w.i32(5, children)
		return true
	})
	(*kept)[at] = w.buf
	return nodes
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
	if n != len(p.kept) {
		p.fail(fmt.Errorf("a row group has %d column chunks for %d leaf columns", n, len(p.kept)))
		in.fail()
		return 0, 0
	}
	count := 0
	for _, k := range p.kept {
		if k {
			count++
		}
	}
	p.out.list(1, thriftStruct, count)
	for i := range n {
		if !p.kept[i] {
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
