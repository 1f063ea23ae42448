package pq

import (
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// pageBytes is the size of a data page before compression that is aimed at.
const pageBytes = 1 << 20

// position is a place between two rows of a leaf.
type position struct{ level, value int }

// page is a data page: a range of whole rows, and where it went.
type page struct {
	row      int // first row
	from, to position
	bounds   bounds
	offset   int64 // in the file
	size     int   // with its header, as stored
}

// split divides a chunk into pages of equally many rows.
func (e *chunkEncoder) split(c *chunk) []page {
	rows := e.pageRows
	size := c.meta.levels*int(bitWidth(int(c.leaf.MaxDef))+bitWidth(int(c.leaf.MaxRep)))/8 + c.size()
	if pages := size/pageBytes + 1; pages > 1 {
		rows = min(rows, max(1, (c.rows+pages-1)/pages))
	}
	if rows >= c.rows {
		return []page{{to: position{c.meta.levels, c.values}}}
	}
	var pages []page
	var at position
	for row := 0; row < c.rows; row += rows {
		p := page{row: row, from: at, to: at.after(c.leaf, min(rows, c.rows-row))}
		pages = append(pages, p)
		at = p.to
	}
	return pages
}

// size is the number of bytes of the chunk's values, roughly.
func (c *chunk) size() int {
	if c.indices != nil {
		return len(c.indices) * int(indexWidth(c.entries)) / 8
	}
	return plainSize(c.leaf)
}

// after is the position a number of rows further on.
func (p position) after(l *column.Leaf, rows int) position {
	end := position{p.level + rows, p.value + rows}
	if l.MaxRep > 0 {
		end.level = p.level + levelsOf(l.Rep[p.level:], rows)
	}
	if l.MaxDef > 0 {
		end.value = p.value + count(l.Def[p.level:end.level], l.MaxDef)
	}
	return end
}

// levelsOf is the number of levels that the first rows take.
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

// values returns the number of defined values of a leaf.
func values(l *column.Leaf) int {
	switch l.Kind {
	case schema.Boolean:
		return len(l.Bools)
	case schema.Int:
		return len(l.Ints)
	case schema.Long:
		return len(l.Longs)
	case schema.Double:
		return len(l.Doubles)
	case schema.Decimal:
		return len(l.Decimals)
	default:
		return len(l.Bytes)
	}
}
