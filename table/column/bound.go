package column

import "github.com/pingmill/pingmill/schema"

// tooLong reports whether a text of top-level column i is over the bound, and counts it if so.
func (b *Batch) tooLong(i int, v []byte) bool {
	if b.MaxText == 0 || len(v) <= b.MaxText {
		return false
	}
	b.LeaveOut(i)
	return true
}

// LeaveOut counts a value that top-level column i does not get because it is
// over a bound.
func (b *Batch) LeaveOut(i int) {
	if b.leftOut == nil {
		b.leftOut = map[string]int64{}
	}
	b.leftOut[b.Columns[i].Name]++
}

// LeftOut counts the values over a bound, by column, in the whole life of
// the batch: Reset does not reset it.
func (b *Batch) LeftOut() map[string]int64 { return b.leftOut }

// Clear makes the batch what it was when it was new, but for its memory.
func (b *Batch) Clear() {
	b.Reset()
	b.MaxText, b.leftOut = 0, nil
}

// Size returns about how many bytes the rows take in memory. It finishes the batch.
func (b *Batch) Size() (n int64) {
	b.Finish()
	for i := range b.Leaves {
		n += b.Leaves[i].Size()
	}
	return n
}

// Size returns about how many bytes the levels and values take in memory. It depends on them only, and adds up: rows in
// two parts have the size of the whole.
func (l *Leaf) Size() int64 {
	n := 2*int64(len(l.Def)+len(l.Rep)) + l.width()*int64(l.Values())
	for _, v := range l.Bytes {
		n += int64(len(v))
	}
	return n
}

// width returns the size of a value in bytes without its text.
func (l *Leaf) width() int64 {
	switch l.Kind {
	case schema.Boolean:
		return 1
	case schema.Int:
		return 4
	case schema.Decimal:
		return 16
	case schema.String, schema.Binary:
		return 24
	}
	return 8
}

// RowSizes returns the part of each row in the Size of a finished batch.
func (b *Batch) RowSizes() []int64 {
	sizes := make([]int64, b.Rows)
	for i := range b.Leaves {
		b.Leaves[i].AddSizes(sizes)
	}
	return sizes
}

// AddSizes adds the part of each row in the Size of a leaf.
func (l *Leaf) AddSizes(sizes []int64) {
	levels := int64(2 * (min(1, l.MaxDef) + min(1, l.MaxRep)))
	row, value := -1, 0
	for at := range l.Levels(len(sizes)) {
		if l.MaxRep == 0 || l.Rep[at] == 0 {
			row++
		}
		sizes[row] += levels
		if l.MaxDef == 0 || l.Def[at] == l.MaxDef {
			sizes[row] += l.width()
			if len(l.Bytes) > 0 {
				sizes[row] += int64(len(l.Bytes[value]))
			}
			value++
		}
	}
}
