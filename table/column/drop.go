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
			levels = levelsOf(l.Rep, rows)
			l.Rep = l.Rep[:levels]
		}
		l.Def = l.Def[:levels]
		values = count(l.Def, l.MaxDef)
	}
	l.truncate(values)
	l.rows = rows
}
