package archive

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// batchRows is how many values of a column are decoded at a time.
const batchRows = 64

var errShort = errors.New("fewer values than rows")

// textColumn reads a text column of a row group, value by value.
type textColumn struct {
	constant []byte                           // the value of every row
	reader   *file.ByteArrayColumnChunkReader // nil if that is known
	required bool

	values   [batchRows]parquet.ByteArray
	def      [batchRows]int16
	rows     int // in def
	row, val int // read of them
}

// open begins a column chunk.
func (c *textColumn) open(rg *file.RowGroupReader, i int) error {
	c.constant, c.rows, c.row, c.val = nil, 0, 0, 0
	r, err := rg.Column(i)
	if err != nil {
		return err
	}
	var ok bool
	if c.reader, ok = r.(*file.ByteArrayColumnChunkReader); !ok {
		return fmt.Errorf("it is %s instead of text", r.Type())
	}
	c.required = r.Descriptor().MaxDefinitionLevel() == 0
	return nil
}

// next is the next row's value, nil when absent. It is valid until the next
// call.
func (c *textColumn) next() ([]byte, error) {
	if c.reader == nil {
		return c.constant, nil
	}
	if c.row == c.rows {
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
	c.row++
	if !c.required && c.def[c.row-1] == 0 {
		return nil, nil
	}
	c.val++
	return c.values[c.val-1], nil
}

// fill reads on within a page, so that the values can stay in its memory.
func (c *textColumn) fill() (err error) {
	defer guard(&err)
	def := c.def[:]
	if c.required {
		def = nil
	}
	n, _, err := c.reader.ReadBatchInPage(batchRows, c.values[:], def, nil)
	if err == nil && n == 0 {
		err = errShort
	}
	c.rows, c.row, c.val = int(n), 0, 0
	return err
}

func (c *textColumn) close() {
	if c.reader != nil {
		c.reader.Close()
		c.reader = nil
	}
}

// intColumn reads an integer column of a row group, value by value.
type intColumn struct {
	reader   *file.Int64ColumnChunkReader
	values   [batchRows]int64
	def      [batchRows]int16
	rows     int
	row, val int
}

func (c *intColumn) open(rg *file.RowGroupReader, i int) error {
	c.rows, c.row, c.val = 0, 0, 0
	r, err := rg.Column(i)
	if err != nil {
		return err
	}
	var ok bool
	if c.reader, ok = r.(*file.Int64ColumnChunkReader); !ok {
		return fmt.Errorf("it is %s instead of integers", r.Type())
	}
	return nil
}

func (c *intColumn) next() (v int64, ok bool, err error) {
	if c.row == c.rows {
		if err := c.fill(); err != nil {
			return 0, false, err
		}
	}
	c.row++
	if c.def[c.row-1] == 0 {
		return 0, false, nil
	}
	c.val++
	return c.values[c.val-1], true, nil
}

func (c *intColumn) fill() (err error) {
	defer guard(&err)
	n, _, err := c.reader.ReadBatchInPage(batchRows, c.values[:], c.def[:], nil)
	if err == nil && n == 0 {
		err = errShort
	}
	c.rows, c.row, c.val = int(n), 0, 0
	return err
}

func (c *intColumn) close() {
	if c.reader != nil {
		c.reader.Close()
		c.reader = nil
	}
}
