package column

// Reorder puts the rows of a finished batch of scalars into another order: row i becomes row order[i] of before.
func Reorder(b *Batch, order []int) {
	var at []int // the value of each row
	for i := range b.Leaves {
		l := &b.Leaves[i]
		at = at[:0]
		for row, next := 0, 0; row < b.Rows; row++ {
			at = append(at, next)
			if l.MaxDef == 0 || l.Def[row] == l.MaxDef {
				next++
			}
		}
		values := make([]int, 0, l.Values())
		for _, row := range order {
			if l.MaxDef == 0 || l.Def[row] == l.MaxDef {
				values = append(values, at[row])
			}
		}
		l.Bools, l.Ints, l.Longs = reordered(l.Bools, values), reordered(l.Ints, values), reordered(l.Longs, values)
		l.Doubles, l.Bytes, l.Decimals = reordered(l.Doubles, values), reordered(l.Bytes, values), reordered(l.Decimals, values)
		l.Def = reordered(l.Def, order)
	}
}

func reordered[T any](values []T, order []int) []T {
	if len(values) == 0 {
		return values
	}
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}
