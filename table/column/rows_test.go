package column

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestSetRows: columns that are set at once are those that are set row by row.
func TestSetRows(t *testing.T) {
	cols := []schema.Column{
		{Name: "id", Type: schema.Type{Kind: schema.String}, NotNull: true},
		{Name: "text", Type: schema.Type{Kind: schema.String}},
		{Name: "long", Type: schema.Type{Kind: schema.Long}},
		{Name: "late", Type: schema.Type{Kind: schema.Long}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	longs := func(l *Leaf) *[]int64 { return &l.Longs }
	one, all := NewBatch(cols), NewBatch(cols)
	for part := range 20 {
		n := r.IntN(8)
		order := r.Perm(n)
		ids, texts, values, has := make([][]byte, n), make([][]byte, n), make([]int64, n), make([]bool, n)
		for i := range n {
			ids[i], values[i], has[i] = fmt.Append(nil, part, i), r.Int64(), r.IntN(2) == 0
			if has[i] {
				texts[i] = fmt.Append(nil, "text", i)
			}
		}
		from := one.Rows
		for _, at := range order {
			one.SetShared(0, ids[at])
			if has[at] {
				one.SetShared(1, texts[at])
				one.SetLong(2, values[at])
				if part%5 == 3 {
					one.SetLong(3, values[at])
				}
			}
			one.EndRow()
		}
		all.SetTexts(0, from, order, ids)
		all.SetTexts(1, from, order, texts)
		SetRows(all, 2, from, order, values, has, longs)
		if part%5 == 3 {
			SetRows(all, 3, from, order, values, has, longs)
		}
		all.Rows = from + n
		require.Equal(t, one.Rows, all.Rows)
	}
	one.Finish()
	all.Finish()
	require.NotZero(t, one.Rows)
	for i := range one.Leaves {
		require.Equal(t, one.Leaves[i].Def, all.Leaves[i].Def)
		require.Equal(t, one.Leaves[i].Bytes, all.Leaves[i].Bytes)
		require.Equal(t, one.Leaves[i].Longs, all.Leaves[i].Longs)
	}
}
