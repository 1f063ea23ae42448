package lake

import (
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/lake/parquet"
)

// groupCopier copies row groups of a file to another one without decompressing them.
type groupCopier struct {
	from *parquet.Source // nil: the row groups cannot be copied
}

// newGroupCopier opens a file to copy row groups from. Row groups of files without checksums, or of another layout, are not
// copied.
func newGroupCopier(file *FileReader) (*groupCopier, error) {
	from, err := file.file.Source()
	switch {
	case errors.Is(err, parquet.ErrNotCopied):
		return &groupCopier{}, nil
	case err != nil:
		return nil, &readError{fmt.Errorf("open parquet file: %w", err)}
	case from.CreatedBy != createdBy:
		return &groupCopier{}, nil
	}
	return &groupCopier{from}, nil
}

// copy appends a row group to a file. It returns false if the rows have to be read.
func (c *groupCopier) copy(to *FileWriter, group int) (bool, error) {
	if c.from == nil {
		return false, nil
	}
	err := c.from.Read(group)
	if errors.Is(err, parquet.ErrNotCopied) {
		return false, nil
	}
	if err != nil {
		return false, &readError{err}
	}
	if err := to.endGroup(); err != nil {
		return false, err
	}
	if err := to.encoder.CopyGroup(c.from); err != nil {
		return false, to.fail(err)
	}
	to.info.RowGroups++
	to.info.Rows += int64(c.from.GroupRows(group))
	return true, nil
}

// endGroup ends the row group with the rows that were written so far.
func (f *FileWriter) endGroup() error {
	if f.err != nil {
		return f.err
	}
	if err := f.flush(); err != nil {
		return f.fail(err)
	}
	return nil
}
