package column

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// columns makes nullable columns c0, c1, … of types; a type that ends in "!" is
// required.
func columns(types ...string) []schema.Column {
	var cols []schema.Column
	for i, s := range types {
		name, notNull := strings.CutSuffix(s, "!")
		cols = append(cols, schema.Column{Name: fmt.Sprintf("c%d", i), Type: schema.MustType(name), NotNull: notNull})
	}
	return cols
}

func row(t testing.TB, s string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return m
}

// fill makes a finished batch of rows given as JSON.
func fill(t testing.TB, cols []schema.Column, rows ...string) *Batch {
	t.Helper()
	b := NewBatch(cols)
	for _, r := range rows {
		require.NoError(t, b.AppendJSONRow(row(t, r)))
	}
	b.Finish()
	return b
}

// rendered writes all rows of a batch, one a line.
func rendered(b *Batch) string {
	w := NewRowWriter(b)
	var out []byte
	for range b.Rows {
		out = append(w.AppendRow(out), '\n')
	}
	return string(out)
}

// values shows the defined values of a leaf.
func values(l *Leaf) string {
	switch l.Kind {
	case schema.Boolean:
		return fmt.Sprint(l.Bools)
	case schema.Int:
		return fmt.Sprint(l.Ints)
	case schema.Long:
		return fmt.Sprint(l.Longs)
	case schema.Double:
		return fmt.Sprint(l.Doubles)
	case schema.Decimal:
		var texts []string
		for _, d := range l.Decimals {
			texts = append(texts, d.Text(l.Scale))
		}
		return fmt.Sprint(texts)
	}
	return fmt.Sprintf("%s", l.Bytes)
}

// The levels of every shape, worked out by hand: each nullable node and each
// repeated group adds a definition level, each repeated group a repetition level.
func TestLevels(t *testing.T) {
	type leaf struct {
		path                   string
		maxDef, maxRep         int16
		defs, reps, defined    string
		precision, scale, kind int
	}
	for _, c := range []struct {
		typ    string
		rows   []string
		leaves []leaf
	}{
		{"string", []string{`null`, `"a"`, `""`}, []leaf{{"c0", 1, 0, "[0 1 1]", "[]", "[a ]", 0, 0, 4}}},
		{"long!", []string{`7`, `-9223372036854775808`}, []leaf{{"c0", 0, 0, "[]", "[]", "[7 -9223372036854775808]", 0, 0, 2}}},
		{"boolean", []string{`true`, `null`, `false`}, []leaf{{"c0", 1, 0, "[1 0 1]", "[]", "[true false]", 0, 0, 0}}},
		{"decimal(37,6)", []string{`"1.5"`, `null`, `-0.000001`}, []leaf{{"c0", 1, 0, "[1 0 1]", "[]", "[1.500000 -0.000001]", 37, 6, 5}}},
		{"array<string not null>", []string{`null`, `[]`, `["a"]`, `["b","c"]`, `null`}, []leaf{
			{"c0.list.element", 2, 1, "[0 1 2 2 2 0]", "[0 0 0 0 1 0]", "[a b c]", 0, 0, 4}}},
		{"array<int>", []string{`[1,null,3]`, `[]`, `null`, `[null]`}, []leaf{
			{"c0.list.element", 3, 1, "[3 2 3 1 0 2]", "[0 1 1 0 0 0]", "[1 3]", 0, 0, 1}}},
		{"array<double>!", []string{`[]`, `[0.5]`, `[null,1]`}, []leaf{
			{"c0.list.element", 2, 1, "[0 2 1 2]", "[0 0 0 1]", "[0.5 1]", 0, 0, 3}}},
		{"map<string,int>", []string{`{}`, `{"a":1,"b":null}`, `null`}, []leaf{
			{"c0.key_value.key", 2, 1, "[1 2 2 0]", "[0 0 1 0]", "[a b]", 0, 0, 4},
			{"c0.key_value.value", 3, 1, "[1 3 2 0]", "[0 0 1 0]", "[1]", 0, 0, 1}}},
		{"map<string,map<int,int>>", []string{`null`, `{"a":{"1":2,"3":null},"b":{},"c":null}`, `{}`, `{"d":{"4":5}}`}, []leaf{
			{"c0.key_value.key", 2, 1, "[0 2 2 2 1 2]", "[0 0 1 1 0 0]", "[a b c d]", 0, 0, 4},
			{"c0.key_value.value.key_value.key", 4, 2, "[0 4 4 3 2 1 4]", "[0 0 2 1 1 0 0]", "[1 3 4]", 0, 0, 1},
			{"c0.key_value.value.key_value.value", 5, 2, "[0 5 4 3 2 1 5]", "[0 0 2 1 1 0 0]", "[2 5]", 0, 0, 1}}},
		{"struct<x:int,y:struct<z:string not null>>", []string{`null`, `{}`, `{"x":1,"y":null}`, `{"y":{"z":"a"}}`}, []leaf{
			{"c0.x", 2, 0, "[0 1 2 1]", "[]", "[1]", 0, 0, 1},
			{"c0.y.z", 2, 0, "[0 1 1 2]", "[]", "[a]", 0, 0, 4}}},
		{"array<struct<e:string,l:array<int not null>> not null>", []string{`[{"e":"x","l":[1,2]},{"l":[]},{}]`, `[]`, `null`, `[{"l":[3]}]`},
			[]leaf{
				{"c0.list.element.e", 3, 1, "[3 2 2 1 0 2]", "[0 1 1 0 0 0]", "[x]", 0, 0, 4},
				{"c0.list.element.l.list.element", 4, 2, "[4 4 3 2 1 0 4]", "[0 2 1 1 0 0 0]", "[1 2 3]", 0, 0, 1}}},
		{"array<array<int>>", []string{`[[1,2],[],null,[3]]`}, []leaf{
			{"c0.list.element.list.element", 5, 2, "[5 5 3 2 5]", "[0 2 1 1 1]", "[1 2 3]", 0, 0, 1}}},
	} {
		var rows []string
		for _, v := range c.rows {
			rows = append(rows, `{"c0":`+v+`}`)
		}
		b := fill(t, columns(c.typ), rows...)
		if len(b.Leaves) != len(c.leaves) {
			t.Fatalf("%s: %d leaves", c.typ, len(b.Leaves))
		}
		for i, w := range c.leaves {
			l := &b.Leaves[i]
			got := leaf{strings.Join(l.Path, "."), l.MaxDef, l.MaxRep, fmt.Sprint(l.Def), fmt.Sprint(l.Rep), values(l), l.Precision, l.Scale,
				int(l.Kind)}
			if got != w {
				t.Errorf("%s: got %+v, want %+v", c.typ, got, w)
			}
			if n := l.Levels(b.Rows); l.MaxDef > 0 && n != len(l.Def) || l.MaxDef == 0 && n != b.Rows {
				t.Errorf("%s: %d levels", c.typ, n)
			}
		}
	}
}

func TestNodes(t *testing.T) {
	b := NewBatch(columns("int", "map<string,array<struct<a:int,b:long not null> not null>>", "string!"))
	n := b.Node(1)
	if n.Leaf != 1 || n.Leaves != 3 || n.Key.Leaf != 1 || n.Elem.Leaf != 2 || n.Elem.Leaves != 2 || b.Node(2).Leaf != 4 {
		t.Errorf("node %+v", n)
	}
	s := n.Elem.Elem
	if s.Nullable || s.FieldNames[1] != "b" || s.Fields[1].Nullable || !s.Fields[0].Nullable || s.Fields[1].Leaf != 3 {
		t.Errorf("struct %+v", s)
	}
	for i, want := range []int{0, 1, 1, 1, 2} {
		if got := b.Leaves[i].Column; got != want {
			t.Errorf("leaf %d is of column %d, want %d", i, got, want)
		}
	}
	if n.ElemRep(0, 0) != 0 || n.ElemRep(1, 0) != 1 || n.Elem.ElemRep(0, 1) != 1 || n.Elem.ElemRep(2, 1) != 2 {
		t.Error("wrong repetition levels")
	}
}

// Columns that a row does not set are null, whatever comes before and after.
func TestUnsetColumns(t *testing.T) {
	b := NewBatch(columns("boolean", "int", "long", "double", "string", "string", "map<string,int>", "struct<x:int>"))
	b.EndRow()
	b.SetInt(1, 1)
	b.EndRow()
	b.SetBool(0, true)
	b.SetLong(2, 1<<40)
	b.SetDouble(3, 0.25)
	b.SetBytes(4, []byte("copied"))
	b.SetShared(5, []byte("kept"))
	b.Empty(b.Start(6), 0)
	n := b.Start(7)
	b.Null(n.Fields[0], 0)
	b.EndRow()
	b.EndRow()
	b.Finish()
	b.Finish()
	null := `{"c0":null,"c1":null,"c2":null,"c3":null,"c4":null,"c5":null,"c6":null,"c7":null}`
	want := null + "\n" + strings.Replace(null, `"c1":null`, `"c1":1`, 1) + "\n" +
		`{"c0":true,"c1":null,"c2":1099511627776,"c3":0.25,"c4":"copied","c5":"kept","c6":{},"c7":{"x":null}}` + "\n" + null + "\n"
	if got := rendered(b); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := rendered(b); got != want {
		t.Errorf("again\n%swant\n%s", got, want)
	}
}

// A batch after Reset holds none of its former values.
func TestReset(t *testing.T) {
	cols := columns("string", "array<string not null>", "map<string,map<int,int>>", "decimal(37,6)", "boolean", "double", "int", "long!")
	first := `{"c0":"` + strings.Repeat("a", 1000) + `","c1":["b","c"],"c2":{"d":{"1":2}},"c3":"1.000000","c4":true,"c5":0.5,"c6":3,"c7":4}`
	second := `{"c0":null,"c1":[],"c2":null,"c3":null,"c4":null,"c5":null,"c6":null,"c7":5}`
	b := NewBatch(cols)
	for i := range 5 {
		b.Reset()
		for _, r := range []string{first, second, first}[i%3:] {
			require.NoError(t, b.AppendJSONRow(row(t, r)))
		}
		want := strings.Join([]string{first, second, first}[i%3:], "\n") + "\n"
		if got := rendered(b); got != want {
			t.Fatalf("use %d: got\n%swant\n%s", i, got, want)
		}
	}
}

func TestArena(t *testing.T) {
	var a Arena
	for round := range 3 {
		var copies, want [][]byte
		for i := range 4000 {
			p := bytes.Repeat([]byte{byte(i), byte(round)}, i%700)
			if i%1000 == 999 {
				p = bytes.Repeat([]byte{byte(i)}, arenaChunk)
			}
			c := a.Copy(p)
			if c == nil || cap(c) != len(c) {
				t.Fatalf("a copy of %d bytes has cap %d", len(c), cap(c))
			}
			copies, want = append(copies, c), append(want, bytes.Clone(p))
			clear(p)
		}
		for i := range copies {
			if !bytes.Equal(copies[i], want[i]) {
				t.Fatalf("round %d: copy %d has changed", round, i)
			}
		}
		a.Reset()
	}
	if got := NewBatch(nil).Copy(nil); got == nil {
		t.Error("the copy of no bytes is nil")
	}
}

// Filled takes over levels that a reader wrote.
func TestFilled(t *testing.T) {
	b := NewBatch(columns("int", "array<long>"))
	b.Leaves[0].Def, b.Leaves[0].Ints = []int16{1, 0}, []int32{4}
	b.Leaves[1].Def, b.Leaves[1].Rep, b.Leaves[1].Longs = []int16{3, 2, 0}, []int16{0, 1, 0}, []int64{5}
	b.Filled(2)
	b.Finish()
	if got, want := rendered(b), `{"c0":4,"c1":[5,null]}`+"\n"+`{"c0":null,"c1":null}`+"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	b.SetInt(0, 6)
	b.EndRow()
	if got, want := rendered(b), `{"c0":6,"c1":null}`; !strings.Contains(got, want) {
		t.Errorf("got\n%swant at the end\n%s", got, want)
	}
}

// What a batch adopts stays as it is until Reset, and the memory goes round between batch and arena.
func TestAdopt(t *testing.T) {
	b, a := NewBatch(nil), &Arena{}
	for round := range 4 {
		b.Reset()
		var texts [][]byte
		var want []string
		for i := range 4000 {
			s := fmt.Sprintf("%d of round %d %s", i, round, strings.Repeat("x", i%200))
			want = append(want, s)
			if i%3 == 0 {
				texts = append(texts, b.Copy([]byte(s)))
			} else {
				texts = append(texts, a.Copy([]byte(s)))
			}
			if i%1000 == 999 {
				b.Adopt(a)
			}
		}
		for i := range 1000 { // into what the arena has now
			a.Copy([]byte(strings.Repeat("y", i)))
		}
		a.Reset()
		for i, s := range want {
			require.Equal(t, s, string(texts[i]))
		}
		require.Less(t, len(a.chunks)+len(b.arena.chunks), 20)
	}
}
