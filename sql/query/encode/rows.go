package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Writer writes rows of a result in a text format.
type Writer interface {
	// Row writes one row.
	Row(row []any) error
	// Close writes what comes behind the last.
	Close() error
}

// Unique returns the names of columns, a number added to those that repeat.
func Unique(columns []string) []string {
	seen, names := map[string]bool{}, make([]string, len(columns))
	for i, c := range columns {
		name := c
		for n := 1; seen[name]; n++ {
			name = fmt.Sprintf("%s_%d", c, n)
		}
		seen[name] = true
		names[i] = name
	}
	return names
}

// objects writes each row as an object on a line.
type objects struct {
	w                    io.Writer
	names                []string
	open, between, close string
	line                 []byte
	rows                 int
}

// NDJSON writes an object a line. Columns of the same name get numbers.
func NDJSON(w io.Writer, columns []string) Writer {
	return &objects{w: w, names: Unique(columns), between: "\n", close: "\n"}
}

// JSON writes one array with an object a line.
func JSON(w io.Writer, columns []string) Writer {
	return &objects{w: w, names: Unique(columns), open: "[\n", between: ",\n", close: "\n]\n"}
}

// Row implements Writer.
func (o *objects) Row(row []any) error {
	before := o.between
	if o.rows == 0 {
		before = o.open
	}
	o.rows++
	members := make(Object, len(row))
	for i, v := range row {
		members[i] = Member{Name: o.names[i], Value: v}
	}
	o.line = members.AppendJSON(append(o.line[:0], before...))
	_, err := o.w.Write(o.line)
	return err
}

// Close implements Writer.
func (o *objects) Close() error {
	end := o.close
	if o.rows == 0 && o.open != "" {
		end = strings.TrimSuffix(o.open, "\n") + o.close
	} else if o.rows == 0 {
		end = ""
	}
	_, err := io.WriteString(o.w, end)
	return err
}

// table writes CSV.
type table struct {
	w          io.Writer
	line, cell []byte
	safe       bool // no text is a formula
}

// CSV writes RFC 4180 with a header; lines end with LF, as the tools of Unix want them.
func CSV(w io.Writer, columns []string) (Writer, error) { return (&table{w: w}).begin(columns) }

// Spreadsheet writes CSV in which programs for spreadsheets find no formulas: what clients sent could be one. A text that begins as one
// gets an apostrophe before it, so it is another text for other readers; numbers stay as they are.
func Spreadsheet(w io.Writer, columns []string) (Writer, error) {
	return (&table{w: w, safe: true}).begin(columns)
}

func (t *table) begin(columns []string) (Writer, error) {
	for i, c := range columns {
		t.cell = t.text(t.cell[:0], c)
		t.field(i, t.cell, false)
	}
	return t, t.end()
}

// text appends a value as the text of a cell.
func (t *table) text(dst []byte, v any) []byte {
	if t.safe && formula(v) {
		dst = append(dst, '\'')
	}
	return AppendText(dst, v)
}

// formula reports whether a value is a text that programs for spreadsheets take for a formula, also in the wide forms of the signs.
func formula(v any) bool {
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.RawMessage:
		s = string(v)
	}
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first)
}

// Row implements Writer.
func (t *table) Row(row []any) error {
	for i, v := range row {
		t.cell = t.text(t.cell[:0], v)
		// An empty line would not be a row for most readers.
		t.field(i, t.cell, v == nil && len(row) > 1)
	}
	return t.end()
}

// Close implements Writer.
func (t *table) Close() error { return nil }

func (t *table) end() error {
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	t.line = t.line[:0]
	return err
}

func (t *table) field(i int, cell []byte, null bool) {
	if i > 0 {
		t.line = append(t.line, ',')
	}
	if null {
		return
	}
	if len(cell) > 0 && !slices.ContainsFunc(cell, special) && len(bytes.TrimSpace(cell)) == len(cell) {
		t.line = append(t.line, cell...)
		return
	}
	t.line = append(t.line, '"')
	for {
		at := bytes.IndexByte(cell, '"')
		if at < 0 {
			break
		}
		t.line = append(append(t.line, cell[:at]...), '"', '"')
		cell = cell[at+1:]
	}
	t.line = append(append(t.line, cell...), '"')
}

// special reports whether a cell with a character has to be in quotes.
func special(c byte) bool { return c == ',' || c == '"' || c == '\r' || c == '\n' }
