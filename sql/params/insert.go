package params

import (
	"slices"
	"unicode/utf8"
)

// Insert adds text to e.SQL before byte pos, which is in no value. Places in it become byte ref of the original text, and Inserted
// returns its name for them. It returns false, and changes nothing, if the query would be too large.
func (e *Expanded) Insert(pos int, text string, ref int, name string) bool {
	if len(e.SQL)+len(text) > maxSQL {
		return false
	}
	from := e.Offset(pos)
	i := 0
	for i < len(e.pieces) && e.pieces[i].end <= pos {
		i++
	}
	for j := i; j < len(e.pieces); j++ {
		e.pieces[j].start += len(text)
		e.pieces[j].end += len(text)
	}
	e.pieces = slices.Insert(e.pieces, i, piece{from: from, to: from, start: pos, end: pos + len(text), at: ref, name: name})
	e.SQL = e.SQL[:pos] + text + e.SQL[pos:]
	return true
}

// Inserted returns the name of the inserted text at line and character (from 1) of e.SQL, "" if the place is in none.
func (e *Expanded) Inserted(line, column int) string {
	at := e.byteOf(line, column)
	for _, p := range e.pieces {
		if p.start <= at && at < p.end {
			return p.name
		}
	}
	return ""
}

// byteOf returns the byte of line and character (from 1) of e.SQL.
func (e *Expanded) byteOf(line, column int) int {
	at := 0
	for ; line > 1 && at < len(e.SQL); at++ {
		if e.SQL[at] == '\n' {
			line--
		}
	}
	for ; column > 1 && at < len(e.SQL) && e.SQL[at] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(e.SQL[at:])
		at += size
	}
	return at
}
