package parquet

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// emptyLeaves returns leaves of some rows without values, with the levels of missing values.
func emptyLeaves(types []string, rows int, level func(row int) int) []column.Leaf {
	var cols []schema.Column
	for i, name := range types {
		cols = append(cols, schema.Column{Name: string(rune('a' + i)), Type: schema.MustType(name)})
	}
	b := column.NewBatch(cols)
	for i := range b.Leaves {
		l := &b.Leaves[i]
		for row := range rows {
			l.Def = append(l.Def, int16(min(level(row), int(l.MaxDef)-1)))
			if l.MaxRep > 0 {
				l.Rep = append(l.Rep, 0)
			}
		}
	}
	return b.Leaves
}

// TestEmptyChunks: a chunk that repeats the previous one has the same bytes as one written alone.
func TestEmptyChunks(t *testing.T) {
	types := []string{"int", "string", "struct<x:int,y:string>", "array<long>", "boolean", "map<string,int>", "map<string,map<int,int>>",
		"double", "decimal(37,6)", "int"}
	var leaves []column.Leaf
	var rows []int
	for _, n := range []int{1, 7, 300, 7} {
		for _, level := range []func(int) int{
			func(int) int { return 0 }, func(row int) int { return row % 2 }, func(row int) int { return row % 3 }, func(int) int { return 1 },
		} {
			for _, l := range emptyLeaves(types, n, level) {
				leaves, rows = append(leaves, l), append(rows, n)
			}
		}
	}
	for _, o := range []Options{{PageRows: 1000}, {PageRows: 100}, {PageRows: 1000, OneCodec: true}} {
		repeats, err := newChunkEncoder(o)
		require.NoError(t, err)
		repeated := 0
		out := &sink{w: io.Discard}
		for i := range leaves {
			before := len(out.out)
			c := chunk{leaf: &leaves[i], rows: rows[i], out: &sink{}, meta: &chunkMeta{}}
			if repeats.repeatEmpty(&c) {
				repeated++
			}
			var got, want chunkMeta
			require.NoError(t, repeats.encode(out, &leaves[i], rows[i], form{}, &got))
			alone, err := newChunkEncoder(o)
			require.NoError(t, err)
			other := &sink{w: io.Discard, offset: int64(before)}
			require.NoError(t, alone.encode(other, &leaves[i], rows[i], form{}, &want))
			require.Equal(t, other.out, out.out[before:], leaves[i].Path)
			require.Equal(t, want, got, leaves[i].Path)
			alone.release(nil, nil)
		}
		require.Greater(t, repeated, len(leaves)/4)
		repeats.release(nil, nil)
	}
}
