package parquet

import "github.com/pingmill/pingmill/table/column"

// pageBytes is the largest size of a data page before compression, but for a
// row that is larger alone.
const (
	pageBytes      = 1 << 20
	smallPageBytes = 8 << 20 // of Options.Small
)

func (o *Options) pageBytes() int {
	if o.Small {
		return smallPageBytes
	}
	return pageBytes
}

// page is a data page: a range of whole rows, and where it went.
type page struct {
	row      int // first row
	from, to column.Position
	bounds   bounds
	offset   int64 // in the file
	size     int   // with its header, as stored
}

// split divides a chunk into pages of whole rows. The next call may overwrite them.
func (e *chunkEncoder) split(c *chunk) []page {
	size := c.meta.levels*int(c.levelBits())/8 + c.size()
	if size <= e.options.pageBytes() && c.rows <= e.options.PageRows {
		e.page[0] = page{to: column.Position{Level: c.meta.levels, Value: c.values}}
		return e.page[:]
	}
	if c.leaf.MaxRep > 0 || isText(c.leaf.Kind) && c.indices == nil {
		return e.splitBySize(c)
	}
	// Rows are of one size at most.
	count := size/e.options.pageBytes() + 1
	rows := min(e.options.PageRows, max(1, (c.rows+count-1)/count))
	var pages []page
	var at column.Position
	for row := 0; row < c.rows; row += rows {
		p := page{row: row, from: at, to: at.After(c.leaf, min(rows, c.rows-row))}
		pages = append(pages, p)
		at = p.to
	}
	return pages
}

// splitBySize begins a page where the one before would become too large. Rows
// may be of any size: clients choose it.
func (e *chunkEncoder) splitBySize(c *chunk) []page {
	pages := []page{{}}
	var at column.Position
	bits := 0 // of the page begun
	for row := range c.rows {
		next := at.After(c.leaf, 1)
		more := c.bits(at, next)
		last := &pages[len(pages)-1]
		if row > last.row && (row-last.row == e.options.PageRows || bits+more > 8*e.options.pageBytes()) {
			pages = append(pages, page{row: row, from: at})
			last, bits = &pages[len(pages)-1], 0
		}
		last.to, bits, at = next, bits+more, next
	}
	return pages
}

// bits returns the size of a range, roughly.
func (c *chunk) bits(from, to column.Position) int {
	n := (to.Level - from.Level) * int(c.levelBits())
	if c.indices != nil {
		return n + (to.Value-from.Value)*int(indexWidth(c.entries))
	}
	if !isText(c.leaf.Kind) {
		return n + (to.Value-from.Value)*plainBits(c.leaf)
	}
	for _, v := range c.leaf.Bytes[from.Value:to.Value] {
		n += 8 * (4 + len(v))
	}
	return n
}

// levelBits returns the most that the levels of an entry take.
func (c *chunk) levelBits() uint { return bitWidth(int(c.leaf.MaxDef)) + bitWidth(int(c.leaf.MaxRep)) }

// size returns the number of bytes of the chunk's values, roughly.
func (c *chunk) size() int {
	if c.indices != nil {
		return len(c.indices) * int(indexWidth(c.entries)) / 8
	}
	return plainSize(c.leaf)
}
