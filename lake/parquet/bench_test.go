package parquet

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/pingmill/pingmill/lake/parquet/arrowgo"
	"github.com/pingmill/pingmill/table/column"
)

// perRow reports the time of a row, for tables of different widths.
func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows*b.N), "ns/row")
}

// Wide rows are written by this package and, for comparison, by the column
// writers of arrow-go with and without dictionaries.
func BenchmarkWrite(b *testing.B) {
	for _, rows := range []int{100, 1000, 10_000} {
		batch := newWide().batch(rows)
		for name, write := range map[string]func(io.Writer) error{
			"pingmill":      func(w io.Writer) error { return writeFile(w, batch, Options{}) },
			"arrow":         func(w io.Writer) error { return arrowWrite(w, batch) },
			"arrow-no-dict": func(w io.Writer) error { return arrowWrite(w, batch, parquet.WithDictionaryDefault(false)) },
		} {
			b.Run(fmt.Sprintf("%s/rows=%d", name, rows), func(b *testing.B) {
				var buf bytes.Buffer
				for b.Loop() {
					buf.Reset()
					if err := write(&buf); err != nil {
						b.Fatal(err)
					}
				}
				perRow(b, rows)
				b.ReportMetric(float64(buf.Len())/float64(rows), "B/row")
			})
		}
	}
}

// All columns of wide rows are read, in steps of 1,000 rows.
func BenchmarkRead(b *testing.B) {
	const rows = 10_000
	batch := newWide().batch(rows)
	var buf bytes.Buffer
	if err := writeFile(&buf, batch, Options{}); err != nil {
		b.Fatal(err)
	}
	b.Run("pingmill", func(b *testing.B) {
		got := column.NewBatch(batch.Columns)
		for b.Loop() {
			if err := readSteps(buf.Bytes(), got, 1000, func() {}); err != nil {
				b.Fatal(err)
			}
		}
		perRow(b, rows)
	})
	b.Run("arrow", func(b *testing.B) {
		r := arrowgo.NewReader()
		got := column.NewBatch(batch.Columns)
		for b.Loop() {
			f, err := r.Open(bytes.NewReader(buf.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			got.Reset()
			if err := r.File(f, got); err != nil {
				b.Fatal(err)
			}
		}
		perRow(b, rows)
	})
}
