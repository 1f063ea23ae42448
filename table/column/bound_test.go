package column

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
)

func TestMaxText(t *testing.T) {
	b := NewBatch([]schema.Column{
		{Name: "id", Type: schema.MustType("string"), NotNull: true},
		{Name: "s", Type: schema.MustType("string")},
		{Name: "m", Type: schema.MustType("map<string,string>")},
	})
	b.MaxText = 3
	for _, v := range []string{"abc", "abcd"} {
		b.SetBytes(0, []byte(v))
		b.SetBytes(1, []byte(v))
		n := b.Start(2)
		b.Str(n.Key, 0, []byte(v))
		b.Str(n.Elem, 0, []byte(v))
		b.EndRow()
	}
	w := NewRowWriter(b)
	got := string(w.AppendRow(w.AppendRow(nil)))
	if want := `{"id":"abc","s":"abc","m":{"abc":"abc"}}{"id":"abcd","s":null,"m":{"abcd":null}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.Reset()
	if l := b.LeftOut(); len(l) != 2 || l["s"] != 1 || l["m"] != 1 {
		t.Errorf("left out: %v", l)
	}
}

// The size of a batch is the sum of its rows, and grows with their values.
func TestSize(t *testing.T) {
	b := NewBatch([]schema.Column{
		{Name: "n", Type: schema.MustType("int")},
		{Name: "s", Type: schema.MustType("string"), NotNull: true},
		{Name: "list", Type: schema.MustType("array<struct<a:string,b:boolean>>")},
	})
	for i := range 4 {
		b.SetBytes(1, []byte(strings.Repeat("x", 100*i)))
		if i%2 == 0 {
			b.SetInt(0, 1)
			n := b.Start(2)
			for j := range i {
				b.Str(n.Elem.Fields[0], n.ElemRep(j, 0), []byte("text"))
				b.Null(n.Elem.Fields[1], n.ElemRep(j, 0))
			}
			if i == 0 {
				b.Empty(n, 0)
			}
		}
		b.EndRow()
	}
	all := b.Size()
	sum := int64(0)
	for i, n := range b.RowSizes() {
		if n < int64(100*i) || n > int64(100*i+200) {
			t.Errorf("row %d has %d bytes", i, n)
		}
		sum += n
	}
	if sum != all {
		t.Errorf("rows have %d bytes, the batch %d", sum, all)
	}
}
