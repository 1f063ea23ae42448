package column

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// pickColumns have every kind of leaf, in structs, lists and maps too, required or not.
func pickColumns() []schema.Column {
	var columns []schema.Column
	for i, typ := range []string{
		"string", "long", "boolean", "double", "int", "date", "struct<a:string,b:struct<c:long,d:boolean>>", "array<string>",
		"map<string,struct<a:string>>",
	} {
		columns = append(columns, schema.Column{Name: fmt.Sprint("c", i), Type: schema.MustType(typ)})
	}
	return append(columns, schema.Column{Name: "needed", Type: schema.MustType("string"), NotNull: true})
}

func number(n int) json.Number { return json.Number(fmt.Sprint(n)) }

// pickBatch returns a batch with random rows, of which some columns may have no value at all.
func pickBatch(t *testing.T, r *rand.Rand, rows int) *Batch {
	b := NewBatch(pickColumns())
	full := r.IntN(3)
	has := func() bool { return full == 0 || full == 1 && r.IntN(2) == 0 }
	for n := range rows {
		row := map[string]any{"needed": fmt.Sprint("row", n)}
		for name, v := range map[string]any{
			"c0": fmt.Sprint("text", n%3), "c1": number(n), "c2": n%2 == 0, "c3": number(n), "c4": number(n), "c5": "2018-03-01",
			"c6": map[string]any{"a": "x", "b": map[string]any{"c": number(n)}}, "c7": []any{"p", "q"},
			"c8": map[string]any{"k": map[string]any{"a": "y"}},
		} {
			if has() {
				row[name] = v
			}
		}
		require.NoError(t, b.AppendJSONRow(row))
	}
	return b
}

// TestPick compares Pick with CopyNode, which sets the values one by one.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		one, other := pickBatch(t, r, 1+r.IntN(20)), pickBatch(t, r, 1+r.IntN(20))
		a, b := NewIndex(one), NewIndex(other)
		got, want := NewBatch(schema.Nullable(pickColumns())), NewBatch(schema.Nullable(pickColumns()))
		for from := 0; from < 30; from += 10 {
			rows := [2][]int32{}
			for range 10 {
				rows[0] = append(rows[0], int32(r.IntN(one.Rows+2))-2)
				rows[1] = append(rows[1], int32(r.IntN(other.Rows+2))-2)
			}
			for i := range got.Columns {
				lists := []Picked{{a, one.Node(i), rows[0]}, {b, other.Node(i), rows[1]}}
				if i == 3 {
					lists[0].Node = nil
				}
				Pick(got, got.Node(i), from, lists...)
				for k := range 10 {
					want.Rows = from + k
					if row := rows[0][k]; row >= 0 && i != 3 {
						a.CopyNode(want, want.Node(i), one.Node(i), int(row))
					} else if row := rows[1][k]; row >= 0 && rows[0][k] < 0 {
						b.CopyNode(want, want.Node(i), other.Node(i), int(row))
					}
				}
			}
			got.Rows, want.Rows = from+10, from+10
		}
		got.Finish()
		want.Finish()
		x, y := NewRowWriter(got), NewRowWriter(want)
		for row := range got.Rows {
			require.Equal(t, string(y.AppendRow(nil)), string(x.AppendRow(nil)), row)
		}
		for i := range got.Leaves {
			require.Equal(t, want.Leaves[i].Def, got.Leaves[i].Def, got.Leaves[i].Path)
		}
	}
}

// TestAppendRows appends parts of batches.
func TestAppendRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		all, n := pickBatch(t, r, 20), r.IntN(21)
		got := NewBatch(pickColumns())
		AppendRows(got, all, 0, n)
		AppendRows(got, all, n, all.Rows)
		require.Equal(t, all.Rows, got.Rows)
		x, y := NewRowWriter(got), NewRowWriter(all)
		for row := range all.Rows {
			require.Equal(t, string(y.AppendRow(nil)), string(x.AppendRow(nil)), row)
		}
	}
}
