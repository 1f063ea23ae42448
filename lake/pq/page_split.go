package pq

import (
	"github.com/pingmill/pingmill/column"
)

// pageBytes is the size of a data page before compression that is aimed at.
const pageBytes = 1 << 20

// page is a data page: a range of whole rows, and where it went.
type page struct {
	row      int // first row
	from, to column.Position
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
		return []page{{to: column.Position{Level: c.meta.levels, Value: c.values}}}
	}
	var pages []page
	var at column.Position
	for row := 0; row < c.rows; row += rows {
		p := page{row: row, from: at, to: at.After(c.leaf, min(rows, c.rows-row))}
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
