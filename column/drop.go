package column

// DropRow removes the values of the row that EndRow has not completed, also
// a value that lacks its levels, as after a panic. It looks at all rows.
func (b *Batch) DropRow() {
	for i := range b.Leaves {
		if l := &b.Leaves[i]; l.rows > b.Rows {
			l.cut(b.Rows)
		}
	}
}

// cut shortens a leaf to its first rows.
func (l *Leaf) cut(rows int) {
	values := rows
	if l.MaxDef > 0 {
		levels := min(rows, len(l.Def))
		if l.MaxRep > 0 {
			levels = rowStart(l.Rep, rows)
			l.Rep = l.Rep[:levels]
		}
		l.Def = l.Def[:levels]
		values = 0
		for _, def := range l.Def {
			if def == l.MaxDef {
				values++
			}
		}
	}
	l.Bools, l.Ints, l.Longs = shorten(l.Bools, values), shorten(l.Ints, values), shorten(l.Longs, values)
	l.Doubles, l.Bytes, l.Decimals = shorten(l.Doubles, values), shorten(l.Bytes, values), shorten(l.Decimals, values)
	l.rows = rows
}

// rowStart is where the row of a number begins, or would.
func rowStart(rep []int16, row int) int {
	for i, r := range rep {
		if r != 0 {
			continue
		}
		if row == 0 {
			return i
		}
		row--
	}
	return len(rep)
}

func shorten[T any](s []T, n int) []T { return s[:min(n, len(s))] }
