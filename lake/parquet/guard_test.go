package parquet

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// guardColumns returns one column of every shape; the leaves are a 0, b 1 to 2 (key, value), c 3 to 4 (x, y), d 5 to 7
// (key, v, w), e 8 to 9 (p, q).
func guardColumns() []schema.Column {
	return []schema.Column{
		required("a", "int"), newColumn("b", "map<int,int>"), newColumn("c", "struct<x:int not null,y:int>"),
		newColumn("d", "map<int,struct<v:array<int>,w:int>>"), required("e", "struct<p:int not null,q:int>"),
	}
}

func required(name, typ string) schema.Column {
	c := newColumn(name, typ)
	c.NotNull = true
	return c
}

// guardBatch is two rows: everything once, then as much null as may be.
func guardBatch() *column.Batch {
	b := column.NewBatch(guardColumns())
	b.SetInt(0, 1)
	n := b.Start(1)
	b.Int(n.Key, 0, 1)
	b.Int(n.Elem, 0, 2)
	b.Int(n.Key, 1, 3)
	b.Null(n.Elem, 1)
	n = b.Start(2)
	b.Int(n.Fields[0], 0, 1)
	b.Null(n.Fields[1], 0)
	n = b.Start(3)
	for e := range 2 {
		rep := n.ElemRep(e, 0)
		b.Int(n.Key, rep, 1)
		v, w := n.Elem.Fields[0], n.Elem.Fields[1]
		b.Int(v.Elem, rep, 5)
		b.Int(v.Elem, v.ElemRep(1, rep), 6)
		b.Int(w, rep, 7)
	}
	n = b.Start(4)
	b.Int(n.Fields[0], 0, 1)
	b.Int(n.Fields[1], 0, 1)
	b.EndRow()
	b.SetInt(0, 2)
	n = b.Start(4)
	b.Int(n.Fields[0], 0, 1)
	b.Null(n.Fields[1], 0)
	b.EndRow()
	b.Finish()
	return b
}

func TestGuard(t *testing.T) {
	require.NoError(t, newGuard(column.NewBatch(guardColumns())).check(guardBatch()))
	for _, test := range []struct {
		name, want string
		spoil      func(l []column.Leaf)
	}{
		{"null in a required column", "column a: 1 values in 2 rows although it is required",
			func(l []column.Leaf) { l[0].Ints = l[0].Ints[:1] }},
		{"value without a level", "column c.y: 1 values where levels define 0",
			func(l []column.Leaf) { l[4].Ints = append(l[4].Ints, 1) }},
		{"level without a value", "column c.x: 0 values where levels define 1",
			func(l []column.Leaf) { l[3].Ints = nil }},
		{"missing level", "column c.y: 1 levels in 2 rows",
			func(l []column.Leaf) { l[4].Def = l[4].Def[:1] }},
		{"level too high", "column c.x: definition level 2, at most 1 is possible",
			func(l []column.Leaf) { l[3].Def[0] = 2 }},
		{"negative level", "column c.x: definition level -1, at most 1 is possible",
			func(l []column.Leaf) { l[3].Def[0] = -1 }},
		{"levels of different number", "column b.key_value.key: 2 repetition and 3 definition levels",
			func(l []column.Leaf) { l[1].Rep = l[1].Rep[:2] }},
		{"row too many", "column b.key_value.key: levels of 3 rows instead of 2",
			func(l []column.Leaf) { l[1].Rep[1] = 0 }},
		{"repetition of nothing", "column b.key_value.key: repetition level 1 at entry 1 has nothing to repeat",
			func(l []column.Leaf) { l[1].Def[1] = 1 }},
		{"repetition after nothing", "column b.key_value.key: repetition level 1 at entry 1 has nothing to repeat",
			func(l []column.Leaf) { l[1].Def[0] = 1 }},
		{"repetition too deep", "column b.key_value.key: repetition level 2 at entry 1 has nothing to repeat",
			func(l []column.Leaf) { l[1].Rep[1] = 2 }},
		{"start in the middle", "repetition level 1 at entry 0 has nothing to repeat",
			func(l []column.Leaf) { l[1].Rep[0] = 1 }},
		{"value of a missing key", "column b.key_value.value: its levels disagree with those of b.key_value.key",
			func(l []column.Leaf) { l[2].Def[2], l[2].Ints = 3, []int32{2, 3} }},
		{"map entry too few", "column b.key_value.value: its levels disagree with those of b.key_value.key",
			func(l []column.Leaf) {
				l[2].Def, l[2].Rep = append(l[2].Def[:1], 0), append(l[2].Rep[:1], 0)
			}},
		{"member of a null struct", "column c.y: its levels disagree with those of c.x",
			func(l []column.Leaf) { l[4].Def[1] = 1 }},
		{"deep entry too few", "column d.key_value.value.v.list.element: its levels disagree with those of d.key_value.key",
			func(l []column.Leaf) {
				v := &l[6]
				v.Def, v.Rep, v.Ints = append(v.Def[:2], v.Def[4:]...), append(v.Rep[:2], v.Rep[4:]...), v.Ints[:2]
			}},
		{"deep entry of a missing one", "column d.key_value.value.w: its levels disagree with those of d.key_value.value.v.list.element",
			func(l []column.Leaf) { l[7].Def[0], l[7].Ints = 2, l[7].Ints[:1] }},
	} {
		b := guardBatch()
		test.spoil(b.Leaves)
		err := newGuard(column.NewBatch(guardColumns())).check(b)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Checking four levels at a time finds the same as one by one, whatever and
// wherever the fault is.
func TestGuardLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	cols := []schema.Column{newColumn("i", "int"), newColumn("list", "array<int>"), newColumn("map", "map<int,int>"),
		newColumn("s", "struct<a:int not null,b:array<int>>")}
	good, bad := 0, 0
	for n := range 20_000 {
		b := column.NewBatch(cols)
		fillRandom(b, rng, rng.IntN(12))
		leaf := rng.IntN(len(b.Leaves))
		l := &b.Leaves[leaf]
		if n%3 > 0 && len(l.Def) > 0 {
			levels := l.Def
			if l.MaxRep > 0 && rng.IntN(2) == 0 {
				levels = l.Rep
			}
			levels[rng.IntN(len(levels))] = []int16{0, 0, 1, 1, 2, 3, 4, -1, 0x7fff, -0x8000}[rng.IntN(10)]
		}
		rule := newGuard(b).leaves[leaf]
		fast, slow := rule.good(l, b.Rows, l.Values()), rule.fault(l, b.Rows, l.Values())
		if fast != (slow == nil) {
			t.Fatalf("leaf %v, def %v, rep %v: fast says %v, slow says %v", l.Path, l.Def, l.Rep, fast, slow)
		}
		if fast {
			good++
		} else {
			bad++
		}
	}
	if good < 1000 || bad < 1000 {
		t.Errorf("%d good and %d bad batches", good, bad)
	}
}

func TestAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		n, def := rng.IntN(13), int16(1+rng.IntN(3))
		one, other, want := make([]int16, n), make([]int16, n), true
		for i := range n {
			one[i] = int16(rng.IntN(5))
			other[i] = one[i]
			if rng.IntN(8) == 0 {
				other[i] = int16(rng.IntN(5))
			}
			want = want && min(one[i], def) == min(other[i], def)
		}
		if got := alike(one, other, def); got != want {
			t.Fatalf("%v and %v up to %d: %v", one, other, def, got)
		}
	}
}
