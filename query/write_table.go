package query

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/query/encode"
)

// widthRows is how many rows the column widths are taken from; later, wider
// values stick out where the table does not go to a terminal.
const widthRows = 1000

// narrowest is the width below which columns are not cut: a table with too
// many columns is shown row by row instead.
const narrowest = 10

// table lays out rows.
type table struct {
	b       *bufio.Writer
	names   []string
	right   []bool // numbers
	widths  []int
	width   int  // of the terminal, 0 without one or where nothing is cut
	wrap    bool // records have long values in several lines
	records bool
	rows    int64
}

func (r *Rows) writeTable(b *bufio.Writer, opts WriteOptions) (int64, error) {
	if r.isPlan() {
		return r.writePlan(b)
	}
	t := &table{b: b, width: opts.Width, wrap: opts.Expanded == ExpandedOn, records: opts.Expanded == ExpandedOn}
	if opts.Expanded == ExpandedOff {
		t.width = 0
	}
	var first [][]string
	n, err := r.each(b, func(row []any) {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = cellText(v)
			r.held += int64(len(cells[i]))
		}
		if first = append(first, cells); len(first) == widthRows || len(t.names) > 0 {
			t.lines(r, first)
			first, r.held = first[:0], 0
		}
	})
	if err != nil {
		return n, err
	}
	t.lines(r, first)
	plural := "s"
	if n == 1 {
		plural = ""
	}
	before := ""
	if r.cut != "" {
		before = "first "
	}
	fmt.Fprintf(b, "(%s%s row%s)\n", before, humanize.Comma(n), plural)
	return n, nil
}

// isPlan says whether the result is that of EXPLAIN.
func (r *Rows) isPlan() bool {
	return !r.query.rows && len(r.Columns) == 2 && r.Columns[0].Name == "explain_key" && r.Columns[1].Name == "explain_value"
}

// writePlan writes the lines of plans.
func (r *Rows) writePlan(b *bufio.Writer) (int64, error) {
	return r.each(b, func(row []any) {
		text, _ := row[1].(string)
		for line := range strings.Lines(text) {
			b.WriteString(cellText(strings.TrimSuffix(line, "\n")) + "\n")
		}
	})
}

// cellText is a value in a table. Control characters are written as escapes:
// values come from anywhere and must not move the terminal's cursor.
func cellText(v any) string {
	if v == nil {
		return "NULL"
	}
	s := string(encode.AppendText(nil, v))
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if hidden(c) {
			quoted := fmt.Sprintf("%+q", c)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

func hidden(c rune) bool { return unicode.IsControl(c) || unicode.Is(unicode.Cf, c) }

// lines writes rows, the header before the first.
func (t *table) lines(r *Rows, rows [][]string) {
	if t.names == nil {
		t.layout(r, rows)
		if !t.records && len(t.names) > 0 {
			t.line(t.names)
			t.rule()
		}
	}
	for _, row := range rows {
		if t.rows++; t.records {
			t.record(row)
		} else {
			t.line(row)
		}
	}
}

// layout decides on widths from the names and the first rows.
func (t *table) layout(r *Rows, rows [][]string) {
	t.names, t.right, t.widths = []string{}, make([]bool, len(r.Columns)), make([]int, len(r.Columns))
	for i, c := range r.Columns {
		t.names = append(t.names, cellText(c.Name))
		t.right[i] = r.types[i].numeric()
		t.widths[i] = uniseg.StringWidth(t.names[i])
		for _, row := range rows {
			t.widths[i] = max(t.widths[i], uniseg.StringWidth(row[i]))
		}
	}
	if t.width > 0 && !t.records {
		t.fit()
	}
}

// fit cuts the widest columns until a line fits the terminal.
func (t *table) fit() {
	space := t.width - 3*len(t.widths) + 1 // " a | b "
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

func (t *table) total(most int) int {
	sum := 0
	for _, w := range t.widths {
		sum += min(w, most)
	}
	return sum
}

func (t *table) line(cells []string) {
	for i, c := range cells {
		if i > 0 {
			t.b.WriteString(" |")
		}
		c = t.cut(c, t.widths[i])
		fill := strings.Repeat(" ", max(0, t.widths[i]-uniseg.StringWidth(c)))
		switch {
		case t.right[i]:
			t.b.WriteString(" " + fill + c)
		case i == len(cells)-1:
			t.b.WriteString(" " + c)
		default:
			t.b.WriteString(" " + c + fill)
		}
	}
	t.b.WriteByte('\n')
}

func (t *table) rule() {
	for i, w := range t.widths {
		if i > 0 {
			t.b.WriteByte('+')
		}
		t.b.WriteString(strings.Repeat("-", w+2))
	}
	t.b.WriteByte('\n')
}

// record writes a row with a column a line.
func (t *table) record(cells []string) {
	names := 0
	for _, n := range t.names {
		names = max(names, uniseg.StringWidth(n))
	}
	if t.width > 0 {
		names = min(names, max(narrowest, t.width/2)) // longer names stick out
	}
	title := fmt.Sprintf("-[ row %s ]", humanize.Comma(t.rows))
	t.b.WriteString(title + strings.Repeat("-", max(0, min(t.width, 60)-len(title))) + "\n")
	for i, c := range cells {
		name := max(names, uniseg.StringWidth(t.names[i]))
		fill := strings.Repeat(" ", name-uniseg.StringWidth(t.names[i]))
		for n, part := range t.parts(c, max(narrowest, t.width-name-3)) {
			if n > 0 {
				t.b.WriteString(strings.Repeat(" ", name) + " | " + part + "\n")
			} else {
				t.b.WriteString(t.names[i] + fill + " | " + part + "\n")
			}
		}
	}
}

// parts are the lines of a value in a record.
func (t *table) parts(s string, width int) (lines []string) {
	if !t.wrap || t.width == 0 {
		return []string{t.cut(s, width)}
	}
	for uniseg.StringWidth(s) > width {
		n := fitting(s, width)
		lines, s = append(lines, s[:n]), s[n:]
	}
	return append(lines, s)
}

// cut shortens a cell to the width, on a terminal only.
func (t *table) cut(s string, width int) string {
	if t.width == 0 || uniseg.StringWidth(s) <= width {
		return s
	}
	return s[:fitting(s, width-1)] + "…"
}

// fitting is how many bytes of s are at most width wide, but at least one character.
func fitting(s string, width int) int {
	used, kept, state := 0, 0, -1
	for rest := s; rest != ""; {
		cluster, tail, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width && kept > 0 {
			break
		}
		used, kept, rest, state = used+w, kept+len(cluster), tail, next
	}
	return kept
}
