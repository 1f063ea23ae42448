package parquet

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// TestPart: a part has the same bytes as a file of the same columns that is written alone, and so has the whole file.
func TestPart(t *testing.T) {
	groups := slices.Concat([]*column.Batch{nestedBatch(1, 1), nestedBatch(2, 400)}, slices.Repeat([]*column.Batch{nestedBatch(3, 2500)}, 20))
	all := groups[0].Columns
	var cols []schema.Column
	var leaves []int
	for i := 0; i < len(all); i += 3 {
		cols = append(cols, all[i])
		for n := range groups[0].Node(i).Leaves {
			leaves = append(leaves, groups[0].Node(i).Leaf+n)
		}
	}
	o := Options{PageRows: 1000, Bloom: []string{"c3", "c4", "c4_required"}}
	start := func(w io.Writer, cols []schema.Column) *Writer {
		l, err := NewLayout(cols)
		require.NoError(t, err)
		f, err := NewWriter(w, l, o)
		require.NoError(t, err)
		return f
	}
	write := func(w io.Writer, cols []schema.Column, leaf func(b *column.Batch, i int) *column.Leaf, part *Part) {
		f := start(w, cols)
		for _, b := range groups {
			require.NoError(t, f.GroupOf(b.Rows, func(i int) *column.Leaf { return leaf(b, i) }, part))
		}
		_, err := f.Close()
		require.NoError(t, err)
	}
	every := func(b *column.Batch, i int) *column.Leaf { return &b.Leaves[i] }
	var whole, alone, got, part bytes.Buffer
	write(&whole, all, every, nil)
	write(&alone, cols, func(b *column.Batch, i int) *column.Leaf { return &b.Leaves[leaves[i]] }, nil)
	p := &Part{start(&part, cols), leaves}
	write(&got, all, every, p)
	_, err := p.Close()
	require.NoError(t, err)
	require.True(t, bytes.Equal(whole.Bytes(), got.Bytes()), "the whole file has other bytes beside a part")
	require.True(t, bytes.Equal(alone.Bytes(), part.Bytes()), "the part has other bytes than alone")
	require.Greater(t, part.Len(), 2*flushBytes, "too small to be written in pieces")
}
