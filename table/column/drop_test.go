package column

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestDropRow: a row that was begun leaves nothing, whichever of its columns had
// been set and wherever in them it ended.
func TestDropRow(t *testing.T) {
	cols := columns("long!", "string", "array<struct<a:long,b:array<string>>>", "map<string,int>", "boolean", "double", "int!")
	good := []string{
		`{"c0":1,"c1":"x","c2":[{"a":1,"b":["p","q"]},null,{"a":null,"b":[]}],"c3":{"k":3},"c4":true,"c5":1.5,"c6":1}`,
		`{"c0":2,"c6":2}`,
		`{"c0":3,"c1":"y","c2":[],"c3":{},"c4":false,"c6":3}`,
		`{"c0":4,"c1":null,"c2":null,"c3":{"k":null,"l":1},"c4":null,"c5":0.5,"c6":4}`,
	}
	want := rendered(fill(t, cols, good...))
	for _, bad := range good {
		for broken := range 3 {
			b := NewBatch(cols)
			for _, r := range good {
				spoil(t, b, row(t, bad), broken)
				b.DropRow()
				require.NoError(t, b.AppendJSONRow(row(t, r)))
			}
			spoil(t, b, row(t, bad), broken)
			b.DropRow()
			b.Finish()
			if got := rendered(b); got != want {
				t.Errorf("after %s, %d:\n%swant\n%s", bad, broken, got, want)
			}
		}
	}
}

// spoil begins a row and does not complete it: as far as its last level, without
// that, or without the last column.
func spoil(t *testing.T, b *Batch, values map[string]any, broken int) {
	t.Helper()
	if broken == 2 {
		delete(values, "c5")
	}
	require.NoError(t, b.AppendJSONRow(values))
	b.Rows--
	for i := range b.Leaves {
		if l := &b.Leaves[i]; broken == 1 && l.rows > b.Rows && l.MaxDef > 0 {
			if n := len(l.Def); n > 0 && l.MaxRep == 0 {
				l.Def = l.Def[:n-1] // a value without its level
			} else if n > 0 && l.Kind == schema.Long {
				l.Def, l.Rep = l.Def[:n-1], l.Rep[:n-1]
			}
		}
	}
}
