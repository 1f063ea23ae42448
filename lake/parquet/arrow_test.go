package parquet

import (
	"bytes"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/parquet/arrowgo"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// arrowRead reads a file leaf by leaf with arrow-go and checks its schema.
func arrowRead(t *testing.T, data []byte, cols []schema.Column) *column.Batch {
	t.Helper()
	r := arrowgo.NewReader()
	f, err := r.Open(bytes.NewReader(data))
	require.NoError(t, err)
	root, err := arrowgo.Schema(cols)
	require.NoError(t, err)
	if got := f.MetaData().Schema.Root(); !got.Equals(root) {
		t.Fatalf("schema is %v, want %v", got, root)
	}
	b := column.NewBatch(cols)
	require.NoError(t, r.File(f, b))
	return b
}

// arrowWrite writes a batch with arrow-go's column writers.
func arrowWrite(w io.Writer, b *column.Batch, opts ...parquet.WriterProperty) error {
	f, err := arrowgo.NewWriter(w, b.Columns, opts...)
	if err == nil {
		err = f.Group(b.Leaves)
	}
	if err == nil {
		err = f.Close()
	}
	return err
}
