package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Source is a file whose row groups can be copied to a Writer. One goroutine at a time may use it.
type Source struct {
	*File

	chunks [][]chunkMeta // by row group and leaf, with their places in this file
	memory []byte        // of the row group that was read last
	group  int           // its number, -1 for none
}

// ErrNotCopied means that the row groups of a file cannot be copied, because it lacks checksums or is of another program:
// its rows have to be read and written.
var ErrNotCopied = errors.New("its row groups have no checksums or are of another program")

// OpenSource opens a file to copy row groups from. It compares all bytes outside of column chunks with their checksum.
func OpenSource(r io.ReaderAt, size int64) (*Source, error) {
	s := &Source{group: -1}
	var err error
	s.File, err = OpenStatistics(r, size, func(group, leaf int, st Statistics) {
		for group >= len(s.chunks) {
			s.chunks = append(s.chunks, nil)
		}
		c := chunkMeta{nulls: int(st.Nulls), bounds: bounds{min: st.Min, max: st.Max}.keep()}
		s.chunks[group] = append(s.chunks[group], c)
	})
	if err != nil {
		return nil, err
	}
	if !s.sealed {
		return nil, ErrNotCopied
	}
	if err := s.VerifyRest(); err != nil {
		return nil, err
	}
	footer, err := readFooter(r, size, new([]byte))
	if err != nil {
		return nil, err
	}
	in := &thriftReader{data: footer}
	in.structure(func(id int, kind byte) {
		if id != 4 || kind != thriftList {
			in.skip(kind)
			return
		}
		for g := range in.list(thriftStruct) {
			s.places(in, g)
		}
	})
	if in.err != nil {
		return nil, in.err
	}
	return s, s.readIndexes()
}

// Source opens the file again, to copy row groups from it.
func (f *File) Source() (*Source, error) { return OpenSource(f.r, f.size) }

// places reads where the parts of a row group are. The file was parsed before.
func (s *Source) places(in *thriftReader, group int) {
	in.structure(func(id int, kind byte) {
		if id != 1 || kind != thriftList {
			in.skip(kind)
			return
		}
		for i := range in.list(thriftStruct) {
			s.chunks[group][i].readPlaces(in)
		}
	})
}

func (c *chunkMeta) readPlaces(in *thriftReader) {
	c.copied, c.dictOffset = true, -1
	numbers := func(to map[int]func(v int64)) func(id int, kind byte) {
		return func(id int, kind byte) {
			if set := to[id]; set != nil && (kind == thriftI32 || kind == thriftI64) {
				set(in.number())
				return
			}
			in.skip(kind)
		}
	}
	meta := numbers(map[int]func(v int64){
		4: func(v int64) { c.codec = int(v) }, 5: func(v int64) { c.levels = int(v) }, 6: func(v int64) { c.size = int(v) },
		7: func(v int64) { c.stored = int(v) }, 9: func(v int64) { c.dataOffset = v }, 11: func(v int64) { c.dictOffset = v },
		14: func(v int64) { c.bloomOffset = v }, 15: func(v int64) { c.bloomSize = int(v) },
	})
	outer := numbers(map[int]func(v int64){
		4: func(v int64) { c.offsetIndex = v }, 5: func(v int64) { c.offsetIndexSize = int(v) },
		6: func(v int64) { c.columnIndex = v }, 7: func(v int64) { c.columnIndexSize = int(v) },
	})
	in.structure(func(id int, kind byte) {
		if id == 3 && kind == thriftStruct {
			in.structure(meta)
		} else {
			outer(id, kind)
		}
	})
}

// readIndexes reads the page indexes and the bloom filters, which are copied, too.
func (s *Source) readIndexes() error {
	for _, chunks := range s.chunks {
		for i := range chunks {
			c := &chunks[i]
			if c.bloomOffset > 0 && c.bloomSize <= 0 || s.leaves[i].MaxRep == 0 && c.nulls < 0 {
				return ErrNotCopied
			}
			var err error
			if c.bloom, err = s.bytes(c.bloomOffset, c.bloomSize); err != nil {
				return err
			}
			if c.index, err = s.bytes(c.columnIndex, c.columnIndexSize); err != nil {
				return err
			}
			pages, err := s.bytes(c.offsetIndex, c.offsetIndexSize)
			if err != nil {
				return err
			}
			if c.pages, err = readOffsetIndex(pages); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytes reads a part of the file, nil if it has no bytes.
func (s *Source) bytes(offset int64, size int) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	if size < 0 || offset < 0 || offset > s.end || int64(size) > s.end-offset {
		return nil, fmt.Errorf("%d bytes at %d are outside of the file", size, offset)
	}
	data := make([]byte, size)
	return data, readFull(s.r, data, offset)
}

// readOffsetIndex reads where the pages of a chunk are.
func readOffsetIndex(data []byte) (pages []page, err error) {
	if len(data) == 0 {
		return nil, nil
	}
	in := &thriftReader{data: data}
	in.structure(func(id int, kind byte) {
		if id != 1 || kind != thriftList {
			in.skip(kind)
			return
		}
		for range in.list(thriftStruct) {
			var p page
			in.structure(func(id int, kind byte) {
				switch {
				case id == 1 && kind == thriftI64:
					p.offset = in.number()
				case id == 2 && kind == thriftI32:
					p.size = int(in.number())
				case id == 3 && kind == thriftI64:
					p.row = int(in.number())
				default:
					in.skip(kind)
				}
			})
			pages = append(pages, p)
		}
	})
	return pages, in.err
}

// Read reads a row group for Writer.CopyGroup, without decompressing it, and compares each page with its checksum.
func (s *Source) Read(group int) error {
	s.group = -1
	start, err := s.load(s.chunks[group])
	if err != nil {
		return err
	}
	if err := s.verify(start, group); err != nil {
		return err
	}
	s.group = group
	return nil
}

// CopyGroup appends the row group that was read last from another file, which has the same columns.
func (f *Writer) CopyGroup(s *Source) error {
	if s.group < 0 || !schema.SameColumns(f.layout.cols, s.Columns) {
		return errors.New("copy a row group: none was read, or the files have other columns")
	}
	from := s.chunks[s.group]
	g := groupMeta{rows: s.groups[s.group].rows, start: f.end(), chunks: slices.Clone(from)}
	shift := f.end() - from[0].start()
	for i := range g.chunks {
		g.chunks[i].move(shift)
	}
	if err := f.through(s.memory); err != nil {
		return err
	}
	for i := range g.chunks {
		if c := &g.chunks[i]; c.bloom != nil {
			c.bloomOffset, c.bloomSize = f.metadata(func(w *thriftWriter) { w.buf = append(w.buf, c.bloom...) })
		}
	}
	f.groups = append(f.groups, g)
	return nil
}

// load reads the column chunks of a row group, which are side by side.
func (s *Source) load(chunks []chunkMeta) (start int64, err error) {
	start = chunks[0].start()
	end := start
	for i := range chunks {
		if chunks[i].start() != end {
			return 0, ErrNotCopied
		}
		end += int64(chunks[i].stored)
	}
	if end > s.end {
		return 0, fmt.Errorf("%d bytes at %d are outside of the file", end-start, start)
	}
	s.memory = slices.Grow(s.memory[:0], int(end-start))[:end-start]
	return start, readFull(s.r, s.memory, start)
}

// verify compares the pages of a row group in memory with their checksums.
func (s *Source) verify(start int64, group int) error {
	file := s.At(shifted{bytes.NewReader(s.memory), start})
	for leaf := range s.leaves {
		r := file.Leaf(leaf)
		err := r.Verify(group)
		r.Release()
		if err != nil {
			return fmt.Errorf("row group %d, column %v: %w", group, s.leaves[leaf].Path, err)
		}
	}
	return nil
}

// shifted is a part of a file in memory, read by the offsets of the file.
type shifted struct {
	*bytes.Reader

	start int64
}

// ReadAt implements io.ReaderAt.
func (s shifted) ReadAt(b []byte, off int64) (int, error) { return s.Reader.ReadAt(b, off-s.start) }

// move adds a number to all offsets of a chunk.
func (c *chunkMeta) move(shift int64) {
	if c.dataOffset += shift; c.dictOffset >= 0 {
		c.dictOffset += shift
	}
	c.pages = slices.Clone(c.pages)
	for i := range c.pages {
		c.pages[i].offset += shift
	}
	c.columnIndexSize, c.offsetIndexSize = 0, 0
}
