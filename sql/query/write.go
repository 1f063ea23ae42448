package query

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// Format selects the form in which Rows.Write writes a result.
type Format string

// The formats. Nested values are JSON in tables and CSV; decimals are strings
// in JSON, so that no reader rounds them.
const (
	FormatTable Format = "table" // aligned columns and the number of rows
	FormatCSV   Format = "csv"   // RFC 4180 with a header, lines end with LF; null is empty, an empty text is ""
	FormatJSON  Format = "json"  // one array of objects
	// FormatSpreadsheet is CSV without texts that programs for spreadsheets run as formulas.
	FormatSpreadsheet Format = "spreadsheet"
	FormatNDJSON      Format = "ndjson"  // an object a line
	FormatParquet     Format = "parquet" // zstd; 128-bit sums become 64-bit
	FormatArrow       Format = "arrow"   // Arrow IPC stream, with the types of package columnar
)

// Formats are all formats, for help texts and flags.
var Formats = []Format{FormatTable, FormatCSV, FormatJSON, FormatNDJSON, FormatParquet, FormatArrow, FormatSpreadsheet}

// Binary reports whether a format is none that people read.
func (f Format) Binary() bool { return f == FormatParquet || f == FormatArrow }

// ParseFormat finds a format by its name.
func ParseFormat(s string) (Format, error) {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		if names[i] = string(f); strings.EqualFold(s, names[i]) {
			return f, nil
		}
	}
	return "", fmt.Errorf("no output format %q: want %s", s, strings.Join(names, ", "))
}

// WriteOptions adapt a result to its destination.
type WriteOptions struct {
	// Width is the terminal's width in characters, 0 when the table does not go
	// to a terminal. On a terminal long values are cut, and a result with more
	// columns than fit is shown row by row.
	Width int
	// Expanded defines when a table is shown row by row instead.
	Expanded Expanded
	// First, if not nil, is called after the first rows of an Arrow stream were written to the destination.
	First func() error `json:"-"`
}

// Expanded defines when a table has a column a line instead of a row.
type Expanded uint8

// The choices of Expanded.
const (
	ExpandedAuto Expanded = iota // where the columns do not fit the terminal
	ExpandedOff                  // never, and nothing is cut
	ExpandedOn                   // always, with long values in several lines
)

// String is on, off or auto.
func (e Expanded) String() string { return [...]string{"auto", "off", "on"}[e] }

// Write runs the query and writes all rows that Next has not given yet; n is their number. Parquet takes the whole
// result, and only of a SELECT.
func (r *Rows) Write(w io.Writer, f Format, opts WriteOptions) (n int64, err error) {
	if f == FormatParquet {
		return r.writeParquet(w)
	}
	written := &counter{w: w}
	b := bufio.NewWriterSize(written, 1<<16)
	r.full = func() bool { return r.most.Bytes > 0 && written.n+int64(b.Buffered())+r.held >= r.most.Bytes }
	switch f {
	case FormatTable:
		n, err = r.writeTable(b, opts)
	case FormatCSV:
		n, err = r.writeText(b, encode.CSV)
	case FormatSpreadsheet:
		n, err = r.writeText(b, encode.Spreadsheet)
	case FormatJSON:
		n, err = r.writeText(b, func(w io.Writer, names []string) (encode.Writer, error) { return encode.JSON(w, names), nil })
	case FormatNDJSON:
		n, err = r.writeText(b, func(w io.Writer, names []string) (encode.Writer, error) { return encode.NDJSON(w, names), nil })
	case FormatArrow:
		n, err = r.writeArrow(b, opts.First)
	default:
		_, err = ParseFormat(string(f))
	}
	if e := b.Flush(); err == nil && e != nil {
		err = fmt.Errorf("write result: %w", e)
	}
	return n, err
}

// each calls f for every row left. Write errors of a bufio.Writer stay with
// it; each looks for them now and then, so that a closed pipe ends the query.
func (r *Rows) each(b *bufio.Writer, f func(row []any)) (n int64, err error) {
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if r.full() {
			r.cut = CutBytes
			return n, nil
		}
		f(row)
		n++
		if _, err := b.Write(nil); err != nil {
			return n, fmt.Errorf("write result: %w", err)
		}
	}
}

// writeText writes rows in a text format.
func (r *Rows) writeText(b *bufio.Writer, format func(io.Writer, []string) (encode.Writer, error)) (int64, error) {
	if err := r.begin(); err != nil { // only then the columns of some statements are known
		return 0, err
	}
	w, err := format(b, r.names())
	if err != nil {
		return 0, fmt.Errorf("write result: %w", err)
	}
	n, err := r.each(b, func(row []any) { _ = w.Row(row) }) // each finds the errors of b
	if err != nil {
		return n, err
	}
	if err := w.Close(); err != nil {
		return n, fmt.Errorf("write result: %w", err)
	}
	return n, nil
}

// names returns the names of the columns.
func (r *Rows) names() []string {
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = c.Name
	}
	return names
}

// writeParquet lets DuckDB write the result to a file of its own and copies it.
func (r *Rows) writeParquet(w io.Writer) (int64, error) {
	if !r.query.rows || len(r.types) == 0 {
		return 0, &Error{Kind: "Not supported", Message: "parquet output of a statement that is not a SELECT"}
	}
	dir, err := os.MkdirTemp(r.db.tempDir, "result-")
	if err != nil {
		return 0, fmt.Errorf("write result: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "result.parquet")
	names := encode.Unique(r.names())
	columns := r.expressions(valueType.export)
	for i := range columns {
		columns[i] += " AS " + quoteName(names[i])
	}
	sql, shift, err := r.wrap("COPY (", columns)
	if err != nil {
		return 0, err
	}
	sql += ") TO " + quoteText(path) + " (FORMAT parquet, COMPRESSION zstd)"
	n, err := count(r.ctx, r.conn, sql)
	if err != nil {
		return 0, r.fail(err, sql, shift)
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("write result: %w", err)
	}
	defer file.Close()
	if err := r.fits(n, file); err != nil {
		return 0, err
	}
	if _, err := io.Copy(w, file); err != nil {
		return 0, fmt.Errorf("write result: %w", err)
	}
	return n, nil
}
