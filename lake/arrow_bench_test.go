package lake

import (
	"bytes"
	"github.com/pingmill/pingmill/lake/pq"
	"os"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/pingmill/pingmill/column"
)

func arrowWrite(tb testing.TB, w *bytes.Buffer, b *column.Batch, opts ...parquet.WriterProperty) {
	root, err := parquetSchema(b.Columns)
	if err != nil {
		tb.Fatal(err)
	}
	props := parquet.NewWriterProperties(append([]parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1)}, opts...)...)
	fw, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(props))
	if err != nil {
		tb.Fatal(err)
	}
	rg, err := fw.AppendRowGroupChecked()
	if err != nil {
		tb.Fatal(err)
	}
	for i := range b.Leaves {
		l := &b.Leaves[i]
		cw, err := rg.NextColumn()
		if err != nil {
			tb.Fatal(err)
		}
		def, rep := l.Def, l.Rep
		if l.MaxDef == 0 {
			def = nil
		}
		if l.MaxRep == 0 {
			rep = nil
		}
		switch cw := cw.(type) {
		case *file.Int32ColumnChunkWriter:
			_, err = cw.WriteBatch(l.Ints, def, rep)
		case *file.Int64ColumnChunkWriter:
			_, err = cw.WriteBatch(l.Longs, def, rep)
		case *file.BooleanColumnChunkWriter:
			_, err = cw.WriteBatch(l.Bools, def, rep)
		case *file.Float64ColumnChunkWriter:
			_, err = cw.WriteBatch(l.Doubles, def, rep)
		case *file.ByteArrayColumnChunkWriter:
			_, err = cw.WriteBatch(l.Bytes, def, rep)
		default:
			tb.Fatalf("%T", cw)
		}
		if err != nil {
			tb.Fatal(err)
		}
		if err := cw.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	if err := rg.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := fw.Close(); err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkArrow(bm *testing.B) {
	for _, rows := range []int{100, 10000} {
		b := newWide().batch(rows)
		for name, opts := range map[string][]parquet.WriterProperty{
			"default":      nil,
			"nodict":       {parquet.WithDictionaryDefault(false)},
			"pageindex":    {parquet.WithPageIndexEnabled(true)},
			"nostats":      {parquet.WithStats(false)},
			"uncompressed": {parquet.WithCompression(compress.Codecs.Uncompressed)},
		} {
			bm.Run(name+map[int]string{100: "100", 10000: "10000"}[rows], func(bm *testing.B) {
				var buf bytes.Buffer
				arrowWrite(bm, &buf, b, opts...)
				t := cpu()
				for bm.Loop() {
					buf.Reset()
					arrowWrite(bm, &buf, b, opts...)
				}
				bm.ReportMetric(float64((cpu()-t).Microseconds())/float64(rows*bm.N), "cpuµs/row")
				bm.ReportMetric(float64(buf.Len())/float64(rows), "B/row")
				bm.ReportMetric(float64(bm.Elapsed().Microseconds())/float64(rows*bm.N), "µs/row")
			})
		}
	}
	_ = os.Stdout
	_ = pprof.StartCPUProfile
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkOwn(bm *testing.B) {
	for _, rows := range []int{100, 10000} {
		b := newWide().batch(rows)
		bm.Run(map[int]string{100: "100", 10000: "10000"}[rows], func(bm *testing.B) {
			var buf bytes.Buffer
			f, err := pq.NewWriter(&buf, b.Columns, pq.Options{Bloom: []string{"document_id", "client_id"}})
			if err != nil {
				bm.Fatal(err)
			}
			if err := f.Group(b.Leaves, rows); err != nil {
				bm.Fatal(err)
			}
			buf.Reset()
			t := cpu()
			for bm.Loop() {
				buf.Reset()
				f, err := pq.NewWriter(&buf, b.Columns, pq.Options{Bloom: []string{"document_id", "client_id"}})
				if err != nil {
					bm.Fatal(err)
				}
				if err := f.Group(b.Leaves, rows); err != nil {
					bm.Fatal(err)
				}
				if _, err := f.Close(); err != nil {
					bm.Fatal(err)
				}
			}
			bm.ReportMetric(float64(buf.Len())/float64(rows), "B/row")
			bm.ReportMetric(float64((cpu()-t).Microseconds())/float64(rows*bm.N), "cpuµs/row")
		})
	}
}
