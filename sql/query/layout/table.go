// Package layout shows rows as text for people: a table, or a row as a record with a
// column a line.
package layout

import (
	"bufio"
	"strings"

	"github.com/rivo/uniseg"
)

// widthRows is the number of rows that decide the column widths; later, wider
// values stick out where the table does not go to a terminal.
const widthRows = 1000

// narrowest is the width below which columns are not cut: a table with too
// many columns is shown row by row instead.
const narrowest = 10

// Column is one of a table.
type Column struct {
	Name  string
	Right bool // its values are numbers
}

// Table writes rows.
type Table struct {
	// Width is the width of the terminal in columns; 0 cuts nothing.
	Width int
	// Expanded makes it records, with long values in several lines.
	Expanded bool

	b       *bufio.Writer
	columns []Column
	widths  []int
	records bool
	rows    int64
	first   [][]any // rows that are not laid out yet
	held    int64
	begun   bool
}

// New returns a table on b. Columns may be set by Begin later.
func New(b *bufio.Writer, width int, expanded bool) *Table {
	return &Table{Width: width, Expanded: expanded, b: b, records: expanded}
}

// Held returns the approximate size of the rows that are not written yet, in bytes.
func (t *Table) Held() int64 { return t.held }

// Add buffers a row for writing. columns are the table's columns, the same for all rows.
func (t *Table) Add(columns []Column, row []any) {
	t.columns = columns
	t.first = append(t.first, row)
	if !t.begun {
		for _, v := range row {
			t.held += int64(len(Cell(v)))
		}
	}
	if t.begun || len(t.first) == widthRows {
		t.flush()
	}
}

// End writes what is left, the heading where there are no rows.
func (t *Table) End(columns []Column) {
	t.columns = columns
	t.flush()
}

func (t *Table) flush() {
	cells := make([][]string, len(t.first))
	for i, row := range t.first {
		cells[i] = make([]string, len(row))
		for j, v := range row {
			cells[i][j] = Cell(v)
		}
	}
	if !t.begun {
		t.begun = true
		t.measure(cells)
		if !t.records && len(t.columns) > 0 {
			t.head()
		}
	}
	for i, row := range cells {
		if t.rows++; t.records {
			t.record(t.first[i], row)
		} else {
			t.line(row)
		}
	}
	t.first, t.held = t.first[:0], 0
}

// measure decides on widths from the names and the first rows.
func (t *Table) measure(rows [][]string) {
	t.widths = make([]int, len(t.columns))
	for i, c := range t.columns {
		t.widths[i] = uniseg.StringWidth(Cell(c.Name))
		for _, row := range rows {
			t.widths[i] = max(t.widths[i], uniseg.StringWidth(row[i]))
		}
	}
	if t.Width > 0 && !t.records {
		t.fit()
	}
}

// fit cuts the widest columns until a line fits the terminal.
func (t *Table) fit() {
	space := t.Width - 3*len(t.widths) + 1 // " a | b "
	most := 0
	for _, w := range t.widths {
		most = max(most, w)
	}
	for most > narrowest && t.total(most) > space {
		most--
	}
	t.records = t.total(most) > space && len(t.widths) > 1
	for i := range t.widths {
		t.widths[i] = min(t.widths[i], most)
	}
}

func (t *Table) total(most int) int {
	sum := 0
	for _, w := range t.widths {
		sum += min(w, most)
	}
	return sum
}

// head writes the names and a rule.
func (t *Table) head() {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = Cell(c.Name)
	}
	t.line(names)
	for i, w := range t.widths {
		if i > 0 {
			t.b.WriteByte('+')
		}
		t.b.WriteString(strings.Repeat("-", w+2))
	}
	t.b.WriteByte('\n')
}

func (t *Table) line(cells []string) {
	for i, c := range cells {
		if i > 0 {
			t.b.WriteString(" |")
		}
		c = t.cut(c, t.widths[i])
		fill := strings.Repeat(" ", max(0, t.widths[i]-uniseg.StringWidth(c)))
		switch {
		case t.columns[i].Right:
			t.b.WriteString(" " + fill + c)
		case i == len(cells)-1:
			t.b.WriteString(" " + c)
		default:
			t.b.WriteString(" " + c + fill)
		}
	}
	t.b.WriteByte('\n')
}

// cut shortens a cell to the width, on a terminal only.
func (t *Table) cut(s string, width int) string {
	if t.Width == 0 || uniseg.StringWidth(s) <= width {
		return s
	}
	return s[:fitting(s, width-1)] + "…"
}

// fitting counts the bytes of the longest beginning of s that is at most width wide, but at least one character.
func fitting(s string, width int) int {
	used, size, state := 0, 0, -1
	for rest := s; rest != ""; {
		cluster, tail, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width && size > 0 {
			break
		}
		used, size, rest, state = used+w, size+len(cluster), tail, next
	}
	return size
}
