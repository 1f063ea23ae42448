package layout

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// Cell returns a value in a table. Control characters are written as escapes: values come from anywhere and must not
// move the terminal's cursor.
func Cell(v any) string {
	if v == nil {
		return "NULL"
	}
	return Safe(string(encode.AppendText(nil, v)))
}

// Safe writes control characters of a text, and invisible ones, as escapes.
func Safe(s string) string {
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

// titleWidth limits the width of the line above a record.
const titleWidth = 60

// record writes a row with a column a line.
func (t *Table) record(row []any, cells []string) {
	names := 0
	for _, c := range t.columns {
		names = max(names, uniseg.StringWidth(Cell(c.Name)))
	}
	if t.Width > 0 {
		names = min(names, max(narrowest, t.Width/2)) // longer names stick out
	}
	title := fmt.Sprintf("-[ row %s ]", humanize.Comma(t.rows))
	t.b.WriteString(title + strings.Repeat("-", max(0, min(t.Width, titleWidth)-len(title))) + "\n")
	for i, c := range t.columns {
		before := Cell(c.Name)
		before += strings.Repeat(" ", max(0, names-uniseg.StringWidth(before)))
		width := max(narrowest, t.Width-uniseg.StringWidth(before)-len(" | "))
		if !t.Expanded || t.Width == 0 {
			t.b.WriteString(before + " | " + t.cut(cells[i], width) + "\n")
			continue
		}
		for _, line := range block(row[i], cells[i], width) {
			t.b.WriteString(before + " | " + line + "\n")
			before = strings.Repeat(" ", uniseg.StringWidth(before))
		}
	}
}

// block returns a value in lines of a width: an array or object that does not fit in one has a line for each of its
// parts, a text is broken anywhere.
func block(v any, text string, width int) (lines []string) {
	if uniseg.StringWidth(text) <= width {
		return []string{text}
	}
	const inset = "  "
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			lines = append(lines, parts("", e, width-len(inset))...)
		}
		return framed("[", lines, "]", inset)
	case encode.Object:
		for _, m := range v {
			name := string(encode.AppendJSON(nil, m.Name)) + ": "
			lines = append(lines, parts(Safe(name), m.Value, width-len(inset))...)
		}
		return framed("{", lines, "}", inset)
	}
	for uniseg.StringWidth(text) > width {
		n := fitting(text, width)
		lines, text = append(lines, text[:n]), text[n:]
	}
	return append(lines, text)
}

// parts returns the lines of a part of a value, behind its name.
func parts(name string, v any, width int) []string {
	text := Safe(string(encode.AppendJSON(nil, v)))
	lines := block(v, name+text, max(narrowest, width))
	if len(lines) > 1 && (lines[0] == "[" || lines[0] == "{") {
		lines[0] = name + lines[0]
	}
	return lines
}

// framed puts lines between brackets.
func framed(open string, lines []string, end, inset string) []string {
	all := []string{open}
	for _, l := range lines {
		all = append(all, inset+l)
	}
	return append(all, end)
}
