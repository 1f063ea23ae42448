package parquet

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestProject: a projected file has the rows of the leaves that are kept, and nothing of the others.
func TestProject(t *testing.T) {
	for seed := range uint64(4) {
		b := nestedBatch(seed, 300)
		var buf, out bytes.Buffer
		require.NoError(t, writeGroups(&buf, Options{PageRows: 50, Bloom: []string{"c1"}}, b.Columns, b, nestedBatch(seed+10, 70)))
		data := buf.Bytes()
		keep := func(path []string) bool {
			name := strings.Join(path, ".")
			return strings.HasPrefix(name, "c15.b.d") || slices.Contains([]string{"c1", "c12", "c17_required"}, path[0])
		}
		require.NoError(t, Project(&out, bytes.NewReader(data), int64(len(data)), keep))
		cols := []schema.Column{
			newColumn("c1", "int"), newColumn("c12", "map<string,map<string,boolean>>"),
			newColumn("c15", "struct<b:struct<d:array<double>>>"), b.Columns[35],
		}
		require.Equal(t, "c17_required", cols[3].Name)
		got, all := readAll(t, out.Bytes(), cols, 100), readAll(t, data, b.Columns, 100)
		n := 0
		for i := range all.Leaves {
			if keep(all.Leaves[i].Path) {
				sameLeaf(t, &got.Leaves[n], &all.Leaves[i])
				n++
			}
		}
		require.Equal(t, len(got.Leaves), n)
		require.Less(t, out.Len(), len(data)/3)
		sameLeaves(t, arrowRead(t, out.Bytes(), cols), got)
	}
}

// TestProjectFails: what is no whole file, or has nothing to keep, is an error.
func TestProjectFails(t *testing.T) {
	data := smallFile(t, 1, 40, 7)
	all := func([]string) bool { return true }
	err := Project(&bytes.Buffer{}, bytes.NewReader(data), int64(len(data)), func([]string) bool { return false })
	require.ErrorContains(t, err, "no leaf is kept")
	for n := 0; n < len(data); n += 101 {
		require.Error(t, Project(&bytes.Buffer{}, bytes.NewReader(data[:n]), int64(n), all))
	}
}

// FuzzProject: whatever a file holds, projecting it ends, and a file that could be opened can be opened after it.
func FuzzProject(f *testing.F) {
	f.Add(smallFile(f, 1, 3, 0))
	f.Add(smallFile(f, 2, 40, 7))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		odd := func(path []string) bool { return len(path[0])%2 == 1 || len(path) > 1 }
		if Project(&out, bytes.NewReader(data), int64(len(data)), odd) != nil {
			return
		}
		if _, err := Open(bytes.NewReader(data), int64(len(data))); err != nil {
			return
		}
		if _, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
			t.Fatal(err)
		}
	})
}
