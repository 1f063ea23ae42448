package column

// Values returns the number of defined values of a leaf, which uses one of its slices.
func (l *Leaf) Values() int {
	return len(l.Bools) + len(l.Ints) + len(l.Longs) + len(l.Doubles) + len(l.Decimals) + len(l.Bytes)
}

// Position is a place between two rows of a leaf: the level entries and the
// values before it.
type Position struct{ Level, Value int }

// After returns the position a number of rows further on.
func (p Position) After(l *Leaf, rows int) Position {
	end := Position{p.Level + rows, p.Value + rows}
	if l.MaxRep > 0 {
		end.Level = p.Level + levelsOf(l.Rep[p.Level:], rows)
	}
	if l.MaxDef > 0 {
		end.Value = p.Value + count(l.Def[p.Level:end.Level], l.MaxDef)
	}
	return end
}

// levelsOf returns the number of levels that the first rows take.
func levelsOf(rep []int16, rows int) int {
	for i, r := range rep {
		if r == 0 {
			if rows == 0 {
				return i
			}
			rows--
		}
	}
	return len(rep)
}

func count(levels []int16, want int16) (n int) {
	for _, d := range levels {
		if d == want {
			n++
		}
	}
	return n
}
