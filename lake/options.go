package lake

import "slices"

// WriterOptions configure the files of a FileWriter. Zero values select the defaults, so WriterOptions{}
// equals Laptop.
type WriterOptions struct {
	// RowGroupRows is the number of rows of a row group, which a reader holds in memory. Default 2,500.
	RowGroupRows int
	// RowGroupBytes is the approximate memory of a row group's rows: the group ends before the row that would
	// exceed it. Default 64 MiB.
	RowGroupBytes int64
	// PageRows is the largest number of rows of a page, which other readers can skip. Default 20,000.
	PageRows int
	// FileRows is the number of rows after which the caller starts the next file of a partition; a FileWriter
	// itself does not stop there. Default 1,000,000; rounded up to a multiple of RowGroupRows.
	FileRows int
	// Bloom names the top-level string columns that get a bloom filter, if the table has them. Default
	// document_id and client_id; an empty list that is not nil means none.
	Bloom []string
}

// Laptop returns the options for one machine, with little memory per open file.
func Laptop() WriterOptions { return WriterOptions{}.withDefaults() }

func (o WriterOptions) withDefaults() WriterOptions {
	if o.RowGroupRows <= 0 {
		o.RowGroupRows = 2_500
	}
	if o.RowGroupBytes <= 0 {
		o.RowGroupBytes = 64 << 20
	}
	if o.PageRows <= 0 {
		o.PageRows = 20_000
	}
	if o.FileRows <= 0 {
		o.FileRows = 1_000_000
	}
	o.FileRows = (o.FileRows + o.RowGroupRows - 1) / o.RowGroupRows * o.RowGroupRows
	if o.Bloom == nil {
		o.Bloom = []string{"document_id", "client_id"}
	}
	o.Bloom = slices.Clone(o.Bloom)
	return o
}

// next returns how many of the left rows to add to a row group that has begun rows, and whether they complete it. size
// is the size of the group's rows; sizes lists the sizes of the remaining rows, if they may fill the group.
func (o *WriterOptions) next(begun int, size *int64, sizes []int64, left int) (rows int, ends bool) {
	most := o.RowGroupRows - begun
	rows = min(left, most)
	for i := range min(rows, len(sizes)) {
		if *size += sizes[i]; *size > o.RowGroupBytes && i+begun > 0 {
			return i, true
		}
	}
	return rows, rows == most
}
