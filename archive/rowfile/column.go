package rowfile

import (
	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/table/column"
)

// batchRows is the number of values of a column that are decoded at a time.
const batchRows = 64

// columnReader reads a column of a row group, value by value.
type columnReader struct {
	pages    *parquet.LeafReader
	same     bool   // all rows have one value, and nothing is read
	constant []byte // that value, nil when absent

	leaf       column.Leaf // some rows
	rows       int         // in leaf
	row, value int         // read of them
}

// start begins a row group of a file.
func (c *columnReader) start(f *parquet.File, index, group int) error {
	c.same, c.rows, c.row, c.value = false, 0, 0, 0
	c.open(f, index)
	return c.pages.Start(group)
}

// repeat begins a row group whose rows all have one text, nil for none. Its pages are
// only compared with their checksums.
func (c *columnReader) repeat(f *parquet.File, index, group int, text []byte) error {
	c.same, c.constant = true, text
	c.open(f, index)
	return c.pages.Verify(group)
}

func (c *columnReader) open(f *parquet.File, index int) {
	if c.pages == nil {
		c.pages = f.Leaf(index)
	}
	c.pages.OpenLeaf(f, index)
}

// absent begins a row group of a file without the column.
func (c *columnReader) absent() { c.same, c.constant = true, nil }

// next goes to the next row and reports whether it has a value, which is the last one before c.value.
func (c *columnReader) next() (bool, error) {
	if c.row == c.rows {
		if err := c.fill(); err != nil {
			return false, err
		}
	}
	c.row++
	if c.leaf.MaxDef > 0 && c.leaf.Def[c.row-1] == 0 {
		return false, nil
	}
	c.value++
	return true, nil
}

// fill reads on within a page, so that the texts can stay in its memory.
func (c *columnReader) fill() (err error) {
	l := &c.leaf
	l.Def, l.Longs, l.Bytes = l.Def[:0], l.Longs[:0], l.Bytes[:0]
	c.row, c.value = 0, 0
	c.pages.Recycle()
	c.rows, err = c.pages.ReadPage(l, batchRows)
	return err
}

// text returns the next row's text, nil when absent. It is valid until the next call.
func (c *columnReader) text() ([]byte, error) {
	if c.same {
		return c.constant, nil
	}
	ok, err := c.next()
	if !ok || err != nil {
		return nil, err
	}
	return c.leaf.Bytes[c.value-1], nil
}

// ahead returns the n-th text behind the one that text gave, if it has been read already, and valid for as long as
// that.
func (c *columnReader) ahead(n int) []byte {
	if c.same || c.value+n-1 >= len(c.leaf.Bytes) {
		return nil
	}
	return c.leaf.Bytes[c.value+n-1]
}

// number returns the next row's integer, if it has one.
func (c *columnReader) number() (n int64, ok bool, err error) {
	if ok, err = c.next(); !ok || err != nil {
		return 0, false, err
	}
	return c.leaf.Longs[c.value-1], true, nil
}

// close releases the file, and large pages.
func (c *columnReader) close() {
	if c.pages != nil {
		clear(c.leaf.Bytes)
		c.pages.Open(nil)
	}
}
