package column

// Retain keeps the rows of the batch that keep is true for, in their order, and
// returns how many it removed. It calls keep once for each row, from the first
// on, and finishes the batch. No text is copied: the memory of the batch's texts
// must stay valid.
func (b *Batch) Retain(keep func(row int) bool) (removed int) {
	b.Finish()
	var spans []span
	retained := 0
	for row := range b.Rows {
		if !keep(row) {
			continue
		}
		retained++
		if last := len(spans) - 1; last >= 0 && spans[last].end == row {
			spans[last].end++
		} else {
			spans = append(spans, span{row, row + 1})
		}
	}
	removed = b.Rows - retained
	if removed == 0 {
		return 0
	}
	for i := range b.Leaves {
		b.Leaves[i].retain(spans)
	}
	b.Filled(retained)
	return removed
}

// span are the rows from begin up to, without, end.
type span struct{ begin, end int }

// retain moves the rows of ascending spans to the front and forgets the others.
func (l *Leaf) retain(spans []span) {
	var read, written Position
	row := 0
	for _, s := range spans {
		from := read.After(l, s.begin-row)
		read, row = from.After(l, s.end-s.begin), s.end
		written = l.move(written, from, read)
	}
	if l.MaxDef > 0 {
		l.Def = l.Def[:written.Level]
	}
	if l.MaxRep > 0 {
		l.Rep = l.Rep[:written.Level]
	}
	l.truncate(written.Value)
}

// move copies what is between two positions forward to another and returns the
// position behind it.
func (l *Leaf) move(to, from, end Position) Position {
	if l.MaxDef > 0 {
		copy(l.Def[to.Level:], l.Def[from.Level:end.Level])
	}
	if l.MaxRep > 0 {
		copy(l.Rep[to.Level:], l.Rep[from.Level:end.Level])
	}
	t, f, e := to.Value, from.Value, end.Value
	move(l.Bools, t, f, e)
	move(l.Ints, t, f, e)
	move(l.Longs, t, f, e)
	move(l.Doubles, t, f, e)
	move(l.Decimals, t, f, e)
	move(l.Bytes, t, f, e)
	return Position{to.Level + end.Level - from.Level, t + e - f}
}

// move copies the values between two places forward, if the leaf uses the slice.
func move[T any](s []T, to, from, end int) {
	if len(s) > 0 {
		copy(s[to:], s[from:end])
	}
}

// truncate keeps the first n values.
func (l *Leaf) truncate(n int) {
	l.Bools, l.Ints, l.Longs = shorten(l.Bools, n), shorten(l.Ints, n), shorten(l.Longs, n)
	l.Doubles, l.Bytes, l.Decimals = shorten(l.Doubles, n), shorten(l.Bytes, n), shorten(l.Decimals, n)
}

func shorten[T any](s []T, n int) []T { return s[:min(n, len(s))] }
