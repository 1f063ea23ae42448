package lake

import "slices"

// WriterOptions shape the files that a FileWriter makes. Zero values take the
// defaults, so that WriterOptions{} is Laptop.
type WriterOptions struct {
	// RowGroupRows is the number of rows of a row group, the unit that a
	// reader keeps in memory. 2,500 unless set.
	RowGroupRows int
	// RowGroupBytes is about what the rows of a row group may take in memory: it
	// ends before the row that would take more. 64 MiB unless set.
	RowGroupBytes int64
	// PageRows is the largest number of rows of a page, the unit that a
	// foreign reader can skip. 20,000 unless set.
	PageRows int
	// FileRows is the number of rows after which the maker of a partition
	// starts the next file: a FileWriter does not stop there by itself.
	// 1,000,000 unless set; always a multiple of RowGroupRows.
	FileRows int
	// Bloom names the top-level string columns that get a bloom filter, as
	// far as the table has them. document_id and client_id unless set; an
	// empty list that is not nil means none.
	Bloom []string
}

// Laptop are the options for one machine: little memory per open file.
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

// next is how many of the rows that are left go into a row group of some rows, and whether they end it. size is that of its rows,
// sizes those of the rows that are left, where they matter.
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
