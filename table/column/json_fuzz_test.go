package column

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// checkLevels holds for every finished batch: levels are in range, every row
// begins once in every leaf and each value has its level.
func checkLevels(t *testing.T, b *Batch) {
	t.Helper()
	for i := range b.Leaves {
		l := &b.Leaves[i]
		entries, begins, defined := len(l.Def), 0, 0
		if l.MaxDef == 0 {
			entries, defined = b.Rows, b.Rows
		}
		for j, d := range l.Def {
			if d < 0 || d > l.MaxDef || l.MaxRep > 0 && (l.Rep[j] < 0 || l.Rep[j] > l.MaxRep || j == 0 && l.Rep[j] > 0) {
				t.Fatalf("%v: entry %d has definition level %d of %d", l.Path, j, d, l.MaxDef)
			}
			if d == l.MaxDef {
				defined++
			}
		}
		for _, r := range l.Rep {
			if r == 0 {
				begins++
			}
		}
		if l.MaxRep == 0 && (len(l.Rep) > 0 || entries != b.Rows) || l.MaxRep > 0 && (len(l.Rep) != entries || begins != b.Rows) {
			t.Fatalf("%v: %d definition and %d repetition levels, %d of them zero, of %d rows", l.Path, len(l.Def), len(l.Rep), begins, b.Rows)
		}
		n := []int{len(l.Bools), len(l.Ints), len(l.Longs), len(l.Doubles), len(l.Bytes), len(l.Decimals)}
		want := make([]int, 6)
		want[l.Kind] = defined
		if !slices.Equal(n, want) {
			t.Fatalf("%v: %v values, want %v", l.Path, n, want)
		}
	}
}

// checkRow appends a row, writes it, and appends what was written again.
func checkRow(t *testing.T, cols []schema.Column, doc []byte) bool {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil || v == nil {
		return false
	}
	b := NewBatch(cols)
	b.EndRow()
	ok := b.AppendJSONRow(v) == nil
	require.NoError(t, b.AppendJSONRow(map[string]any{}))
	b.Finish()
	checkLevels(t, b)
	if !ok {
		return false
	}
	w := NewRowWriter(b)
	w.AppendRow(nil)
	text := w.AppendRow(nil)
	if err := ping.Validate(text); err != nil {
		t.Fatalf("%q is written as %q: %v", doc, text, err)
	}
	if again := strings.TrimSuffix(rendered(fill(t, cols, string(text))), "\n"); again != string(text) {
		t.Fatalf("%q is written as\n%s, then as\n%s", doc, text, again)
	}
	return true
}

func FuzzJSONRow(f *testing.F) {
	for _, s := range [][2]string{
		{"string", `{"c0":"\ud83d\u0000é"}`}, {"int", `{"c0":-0}`}, {"double", `{"c0":1e-330}`},
		{"decimal(38,38)", `{"c0":"0.00000000000000000000000000000000000001"}`},
		{"decimal(5,2)", `{"c0":"-Inf"}`}, {"map<int,map<string,array<boolean>>>", `{"c0":{"1":{"a":[true,null]},"-2":{},"3":null}}`},
		{"array<struct<a:int not null,b:array<struct<c:long>>> not null>", `{"c0":[{"a":1,"b":[{"c":2},null]},{"a":3}]}`},
		{"struct<a:struct<b:struct<c:map<string,string>>>>", `{"c0":{"a":{"b":{"c":{}}}}}`},
		{"array<array<array<long not null> not null>>", `{"c0":[[[1],[]],[],null]}`},
	} {
		f.Add(s[0], []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, typ string, doc []byte) {
		if len(typ) > 400 { // its depth is the document's, and the validator ends at 512
			return
		}
		ty, err := schema.ParseType(typ)
		if err != nil || !distinct(ty) {
			return
		}
		checkRow(t, []schema.Column{{Name: "c0", Type: ty}, {Name: "c1", Type: schema.MustType("string")}}, doc)
	})
}

// distinct reports whether no struct has two members of a name, which JSON could not distinguish.
func distinct(t schema.Type) bool {
	seen := map[string]bool{}
	for _, f := range t.Fields {
		if seen[f.Name] || !distinct(f.Type) {
			return false
		}
		seen[f.Name] = true
	}
	return (t.Elem == nil || distinct(*t.Elem)) && (t.Key == nil || distinct(*t.Key))
}

// Random rows of random types.
func TestRandomRows(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(23, seed))
		cols := []schema.Column{{Name: "c0", Type: randomType(r, 0)}, {Name: "c1", Type: randomType(r, 2)}}
		doc := `{"c0":` + randomValue(r, cols[0].Type) + `,"c1":` + randomValue(r, cols[1].Type) + `}`
		if !checkRow(t, cols, []byte(doc)) {
			t.Fatalf("%s, %s: refused %s", cols[0].Type, cols[1].Type, doc)
		}
	}
}

func randomType(r *rand.Rand, depth int) schema.Type {
	kind := schema.Kind(r.IntN(9))
	if depth > 3 {
		kind = schema.Kind(r.IntN(6))
	}
	t := schema.Type{Kind: kind}
	sub := func() *schema.Type { s := randomType(r, depth+1); return &s }
	switch kind {
	case schema.Decimal:
		t.Precision, t.Scale = 20, r.IntN(20)
	case schema.Array:
		t.Elem, t.ElemNotNull = sub(), r.IntN(2) == 0
	case schema.Map:
		t.Key, t.Elem = &schema.Type{Kind: []schema.Kind{schema.String, schema.Int}[r.IntN(2)]}, sub()
	case schema.Struct:
		for i := range 1 + r.IntN(3) {
			t.Fields = append(t.Fields, schema.Field{Name: strconv.Itoa(i), Type: *sub(), NotNull: r.IntN(2) == 0})
		}
	}
	return t
}

func randomValue(r *rand.Rand, t schema.Type) string {
	orNull := func(t schema.Type, notNull bool) string {
		if !notNull && r.IntN(4) == 0 {
			return "null"
		}
		return randomValue(r, t)
	}
	var parts []string
	switch t.Kind {
	case schema.Array:
		for range r.IntN(4) {
			parts = append(parts, orNull(*t.Elem, t.ElemNotNull))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case schema.Map:
		for i := range r.IntN(4) {
			parts = append(parts, strconv.Quote(strconv.Itoa(i*i*r.IntN(3)))+":"+orNull(*t.Elem, false))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case schema.Struct:
		for _, f := range t.Fields {
			parts = append(parts, strconv.Quote(f.Name)+":"+orNull(f.Type, f.NotNull))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case schema.Boolean:
		return strconv.FormatBool(r.IntN(2) == 0)
	case schema.String:
		return strconv.Quote(strings.Repeat("é\n", r.IntN(4)))
	case schema.Decimal:
		return strconv.Quote(strings.TrimSuffix("-"[r.IntN(2):]+"0."+strings.Repeat("7", t.Scale), "."))
	}
	return strconv.Itoa(r.IntN(1<<20) - 1<<19)
}
