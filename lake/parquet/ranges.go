package parquet

// Range is a part of a file.
type Range struct{ Offset, Size int64 }

// Footer returns the range of the footer of a file of a size, if the given last bytes of the file have its length.
func Footer(last []byte, size int64) (Range, error) {
	n, err := footerSize(last, size)
	return Range{size - int64(tailBytes) - n, n + int64(tailBytes)}, err
}

// Chunks returns the ranges that a reader of a column, given by its place in Columns, reads beside the footer: its
// column chunks and their bloom filters.
func (f *File) Chunks(column int) (all []Range) {
	first := f.names[f.Columns[column].Name].leaf
	end := len(f.leaves)
	if column+1 < len(f.Columns) {
		end = f.names[f.Columns[column+1].Name].leaf
	}
	for i := range f.groups {
		for _, c := range f.groups[i].chunks[first:end] {
			all = append(all, Range{c.offset, c.size})
			if c.bloom > 0 && c.bloom < f.end {
				// A filter of unknown size has at most the size of the largest one with its header.
				size := c.bloomSize
				if size <= 0 {
					size = maxBloom + 64
				}
				all = append(all, Range{c.bloom, min(size, f.end-c.bloom)})
			}
		}
	}
	return all
}
