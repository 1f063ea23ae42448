package queryservice

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// names returns the names of the columns.
func (r *Result) names() []string {
	names := make([]string, len(r.Fields))
	for i, f := range r.Fields {
		names[i] = f.Name
	}
	return names
}

func (r *Result) text(w encode.Writer) error {
	if err := r.Each(0, math.MaxInt64, w.Row); err != nil {
		return err
	}
	return w.Close()
}

// WriteCSV writes the result as package query does. It holds one batch in memory, like the other writers.
func (r *Result) WriteCSV(w io.Writer) error {
	return r.csv(encode.CSV(w, r.names()))
}

// WriteSpreadsheet writes CSV and escapes texts that spreadsheet programs would run as formulas.
func (r *Result) WriteSpreadsheet(w io.Writer) error {
	return r.csv(encode.Spreadsheet(w, r.names()))
}

// Spreadsheet returns the first rows as WriteSpreadsheet writes them, whole rows of at most the given number of bytes, and how
// many they are.
func (r *Result) Spreadsheet(most int) (csv []byte, rows int64, err error) {
	var b bytes.Buffer
	w, err := encode.Spreadsheet(&b, r.names())
	if err != nil {
		return nil, 0, err
	}
	err = r.Each(0, math.MaxInt64, func(row []any) error {
		end := b.Len()
		if err := w.Row(row); err != nil {
			return err
		}
		if b.Len() > most {
			b.Truncate(end)
			return io.EOF
		}
		rows++
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b.Bytes(), rows, err
}

func (r *Result) csv(out encode.Writer, err error) error {
	if err != nil {
		return err
	}
	return r.text(out)
}

// WriteNDJSON writes one JSON object per line.
func (r *Result) WriteNDJSON(w io.Writer) error { return r.text(encode.NDJSON(w, r.names())) }

// WriteJSON writes one array of JSON objects.
func (r *Result) WriteJSON(w io.Writer) error { return r.text(encode.JSON(w, r.names())) }

// Size returns the number of bytes that WriteArrow writes.
func (r *Result) Size() int64 {
	size := r.index.Schema.Size + 8
	for _, p := range r.index.Batches {
		size += p.Size
	}
	return size
}

// WriteArrow writes an Arrow IPC stream.
func (r *Result) WriteArrow(w io.Writer) error {
	for _, p := range append([]piece{r.index.Schema}, r.index.Batches...) {
		data, err := r.read(p)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	_, err := w.Write(endOfStream)
	return err
}
