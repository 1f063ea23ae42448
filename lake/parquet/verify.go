package parquet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

// Sealed reports whether the file has checksums of all that is in it. Older ones have none.
func (f *File) Sealed() bool { return f.sealed }

// VerifyColumn compares all pages of a column, given by its place in Columns,
// with their checksums and the footer. A file that is not sealed passes.
func (f *File) VerifyColumn(column int) error {
	if !f.sealed {
		return nil
	}
	first := f.names[f.Columns[column].Name].leaf
	end := len(f.leaves)
	if column+1 < len(f.Columns) {
		end = f.names[f.Columns[column+1].Name].leaf
	}
	for leaf := first; leaf < end; leaf++ {
		r := f.Leaf(leaf)
		for group := range f.groups {
			r.Recycle()
			if err := r.Verify(group); err != nil {
				return fmt.Errorf("row group %d, column %s: %w", group, strings.Join(f.leaves[leaf].Path, "."), err)
			}
		}
	}
	return nil
}

// Verify compares the pages of a row group with their checksums and the footer, if
// the file is sealed. Only the dictionary is decompressed: nothing else has the number
// of its entries.
func (r *LeafReader) Verify(group int) error {
	if !r.file.sealed {
		return nil
	}
	if err := r.Start(group); err != nil {
		return err
	}
	for len(r.rest) > 0 || r.unread() > 0 {
		h, stored, err := r.nextStored()
		if err != nil {
			return err
		}
		if h.kind != pageDictionary {
			continue
		}
		data, err := r.unpack(h, stored)
		if err == nil {
			err = r.startDict(h, data)
		}
		if err != nil {
			return err
		}
	}
	if r.total.levels != r.place.levels {
		return errShort
	}
	return nil
}

// VerifyRest compares the bytes between the column chunks, bloom filters and
// page indexes, with their checksum. The footer was compared when it was read.
func (f *File) VerifyRest() error {
	if !f.sealed {
		return nil
	}
	sum, at := uint32(0), int64(0)
	for i := range f.groups {
		for j := range f.groups[i].chunks {
			c := &f.groups[i].chunks[j]
			var err error
			if sum, err = f.sumRange(sum, at, c.offset); err != nil {
				return err
			}
			at = c.offset + c.size
		}
	}
	sum, err := f.sumRange(sum, at, f.end)
	if err == nil && sum != f.between {
		err = errRest
	}
	return err
}

var errRest = errors.New("bloom filters or page indexes do not have their checksum")

// sumRange adds the bytes from one offset to another to a checksum.
func (f *File) sumRange(sum uint32, from, to int64) (uint32, error) {
	if to < from {
		return 0, errRest
	}
	if to == from {
		return sum, nil
	}
	buf := make([]byte, to-from)
	if err := readFull(f.r, buf, from); err != nil {
		return 0, err
	}
	return crc32.Update(sum, crc32.IEEETable, buf), nil
}
