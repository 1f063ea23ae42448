package queryservice

import (
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pingmill/pingmill/sql/query/encode"
	"github.com/pingmill/pingmill/sql/query/export"
)

// WriteParquet writes the result as a parquet file with the types of the stream, but intervals as text. It numbers
// columns of the same name.
func (r *Result) WriteParquet(w io.Writer) error {
	fields := slices.Clone(r.Fields)
	for i, name := range encode.Unique(r.names()) {
		fields[i].Name = name
	}
	out, err := export.NewWriter(w, fields, "pingmill")
	if err != nil {
		return err
	}
	err = r.Batches(0, math.MaxInt64, func(b arrow.RecordBatch, _ int64) error { return out.Write(b) })
	if err != nil {
		return err
	}
	return out.Close()
}
