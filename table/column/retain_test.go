package column

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// retainTypes and retainRows are columns of every shape and rows with every kind
// of null and emptiness in them.
var (
	retainTypes = []string{"string", "long!", "boolean", "decimal(37,6)", "double!", "int", "string!", "array<string not null>",
		"array<array<int>>", "map<string,map<int,int>>", "struct<x:int,y:struct<z:string not null>>",
		"array<struct<e:string,l:array<boolean not null>> not null>!"}
	retainRows = []string{
		`{"c0":"a","c1":1,"c2":true,"c3":"1.5","c4":0.5,"c5":-1,"c6":"","c7":["x","y"],"c8":[[1,2],[],null,[3]],"c9":{"a":{"1":2,"3":null},` +
			`"b":{},"c":null},"c10":{"x":1,"y":{"z":"q"}},"c11":[{"e":"x","l":[true,false]},{"l":[]},{}]}`,
		`{"c1":2,"c4":1,"c6":"b","c11":[]}`,
		`{"c0":"","c1":3,"c2":false,"c4":2,"c5":7,"c6":"c","c7":[],"c8":[],"c9":{},"c10":{},"c11":[{"l":[false]}]}`,
		`{"c1":4,"c3":"-0.000001","c4":3,"c6":"d","c7":["z"],"c8":[null],"c9":{"d":{"4":5}},"c10":{"y":null},"c11":[{"e":null},{"e":"y",` +
			`"l":null}]}`,
	}
)

// retained checks the rows that stay, given as numbers in retainRows, against a
// batch that never had the others: byte for byte, and level for level.
func retained(t *testing.T, rows []byte, keep func(row int) bool) {
	t.Helper()
	cols := columns(retainTypes...)
	all, want := NewBatch(cols), NewBatch(cols)
	for i, r := range rows {
		for _, b := range []*Batch{all, want} {
			if b == want && !keep(i) {
				continue
			}
			require.NoError(t, b.AppendJSONRow(row(t, retainRows[int(r)%len(retainRows)])))
		}
	}
	want.Finish()
	next := 0
	removed := all.Retain(func(i int) bool {
		if i != next {
			t.Errorf("asked for row %d, not %d", i, next)
		}
		next++
		return keep(i)
	})
	if next != len(rows) || removed != len(rows)-want.Rows || all.Rows != want.Rows {
		t.Errorf("asked for %d of %d rows, removed %d, left %d, want %d", next, len(rows), removed, all.Rows, want.Rows)
	}
	if got, want := rendered(all), rendered(want); got != want {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
	for i := range all.Leaves {
		got, want := &all.Leaves[i], &want.Leaves[i]
		if fmt.Sprint(got.Def, got.Rep, values(got)) != fmt.Sprint(want.Def, want.Rep, values(want)) {
			t.Errorf("%s: levels %v %v, want %v %v", strings.Join(got.Path, "."), got.Def, got.Rep, want.Def, want.Rep)
		}
	}
	// The batch can be filled on.
	require.NoError(t, all.AppendJSONRow(row(t, retainRows[0])))
	if got := rendered(all); !strings.HasSuffix(got, rendered(fill(t, cols, retainRows[0]))) {
		t.Errorf("a row appended afterwards: got\n%s", got)
	}
}

func TestRetain(t *testing.T) {
	rows := bytes.Repeat([]byte{0, 1, 2, 3, 3, 1, 0, 2}, 5)
	for name, keep := range map[string]func(int) bool{
		"all":    func(int) bool { return true },
		"none":   func(int) bool { return false },
		"first":  func(i int) bool { return i == 0 },
		"last":   func(i int) bool { return i == len(rows)-1 },
		"even":   func(i int) bool { return i%2 == 0 },
		"middle": func(i int) bool { return i > 3 && i < 30 },
		"ends":   func(i int) bool { return i < 4 || i > 33 },
	} {
		t.Run(name, func(t *testing.T) { retained(t, rows, keep) })
	}
	retained(t, nil, func(int) bool { return true })
}

// Rows go from any batch without a trace in those that stay. A byte is a row and
// whether it stays.
func FuzzRetain(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{7, 7, 7, 0, 0, 3, 2, 5, 4, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 200)]
		rows := bytes.Clone(data)
		for i := range rows {
			rows[i] /= 2
		}
		retained(t, rows, func(i int) bool { return data[i]%2 == 1 })
	})
}
