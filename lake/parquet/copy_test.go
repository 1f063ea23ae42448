package parquet

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/table/column"
)

// copyGroups writes a file with some row groups of another one.
func copyGroups(w io.Writer, data []byte, cols *column.Batch, o Options, groups ...int) error {
	s, err := OpenSource(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	l, err := NewLayout(cols.Columns)
	if err != nil {
		return err
	}
	f, err := NewWriter(w, l, o)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := s.Read(g); err != nil {
			return err
		}
		if err := f.CopyGroup(s); err != nil {
			return err
		}
	}
	_, err = f.Close()
	return err
}

// copiedFile has three row groups with bloom filters, of which the first has pages enough for page indexes.
func copiedFile(t *testing.T) (data []byte, o Options, groups []*column.Batch) {
	t.Helper()
	groups = []*column.Batch{sealedBatch(120), sealedBatch(20), sealedBatch(90)}
	o = Options{PageRows: 25, Bloom: []string{"f"}, CreatedBy: "test version 1", Metadata: map[string]string{"k": "v"}}
	var buf bytes.Buffer
	require.NoError(t, writeGroups(&buf, o, groups[0].Columns, groups...))
	return buf.Bytes(), o, groups
}

// TestCopyGroup: a copy of all row groups has the same bytes, and one of some of them is the file that is written from their rows.
func TestCopyGroup(t *testing.T) {
	data, o, groups := copiedFile(t)
	for _, some := range [][]int{{0, 1, 2}, {1, 2}, {2}, {2, 0}} {
		var want, got bytes.Buffer
		var batches []*column.Batch
		for _, g := range some {
			batches = append(batches, groups[g])
		}
		require.NoError(t, writeGroups(&want, o, groups[0].Columns, batches...))
		require.NoError(t, copyGroups(&got, data, groups[0], o, some...))
		require.Equal(t, want.Bytes(), got.Bytes(), some)
		require.NoError(t, verifyAll(got.Bytes()))
	}
	var nested, got bytes.Buffer
	b := nestedBatch(3, 200)
	require.NoError(t, writeGroups(&nested, Options{CreatedBy: "x"}, b.Columns, b, b))
	require.NoError(t, copyGroups(&got, nested.Bytes(), b, Options{CreatedBy: "x"}, 0, 1))
	require.Equal(t, nested.Bytes(), got.Bytes())
}

// TestCopyGroupDamaged: no flipped bit of a file is copied.
func TestCopyGroupDamaged(t *testing.T) {
	data, o, groups := copiedFile(t)
	for at := range len(data) {
		data[at] ^= 1 << (at % 8)
		if err := copyGroups(io.Discard, data, groups[0], o, 0, 1, 2); err == nil {
			t.Errorf("byte %d of %d is not noticed", at, len(data))
		}
		data[at] ^= 1 << (at % 8)
	}
	require.NoError(t, copyGroups(io.Discard, data, groups[0], o, 0, 1, 2))
}
