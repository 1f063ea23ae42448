package rowfile

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// randomMeta has any mix of present and absent members.
func randomMeta(r *rand.Rand) (m ping.Meta) {
	for f := range ping.NumMetaFields {
		switch {
		case r.IntN(3) == 0:
		case f.IsInt():
			m.SetInt(f, int64(r.Uint64()))
		default:
			m.SetString(f, []string{"", "a", "ÄÖ", "a much longer text than the others have"}[r.IntN(4)])
		}
	}
	return m
}

// TestGroups checks where row groups are cut.
func TestGroups(t *testing.T) {
	rows := func(parts ...[3]int) (all []row) { // sample, bytes of a body, how many
		for _, p := range parts {
			for range p[2] {
				all = append(all, row{sample: uint8(p[0]), bodyLen: uint32(p[1])})
			}
		}
		return all
	}
	const mb = 1 << 20
	for _, c := range []struct {
		rows []row
		want string
	}{
		{nil, "[]"},
		{rows([3]int{0, 10, 5}, [3]int{1, 10, 5}), "[10]"},
		{rows([3]int{0, mb / 2, 1}, [3]int{1, mb / 2, 1}, [3]int{2, 10, 1}), "[2 1]"},
		{rows([3]int{0, mb, 1}, [3]int{1, mb, 3}, [3]int{2, mb, 1}), "[1 3 1]"},
		{rows([3]int{0, mb, 40}), "[16 16 8]"},
		{rows([3]int{0, 40 * mb, 2}), "[1 1]"},
		{rows([3]int{0, 1, 20_000}), "[8192 8192 3616]"},
	} {
		sizes := []int{}
		for _, g := range groups(c.rows, Pings.leastGroup()) {
			sizes = append(sizes, len(g))
		}
		if got := fmt.Sprint(sizes); got != c.want {
			t.Errorf("%d rows are cut into %s instead of %s", len(c.rows), got, c.want)
		}
	}
}

// TestBlob checks the form in which rows wait, damaged ones included.
func TestBlob(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 42))
	for range 200 {
		in := Record{Meta: randomMeta(r)}
		for i := range in.Extra {
			if r.IntN(2) == 0 {
				in.Extra[i] = []byte(fmt.Sprint(r.IntN(9)))
			}
		}
		blob := Rejected.appendBlob([]byte("x"), &in)[1:]
		var out Record
		require.NoError(t, Rejected.readBlob(blob, &out))
		if a, b := in.Meta.AppendJSON(nil), out.Meta.AppendJSON(nil); string(a) != string(b) {
			t.Fatalf("metadata %s came back as %s", a, b)
		}
		if fmt.Sprint(in.Extra) != fmt.Sprint(out.Extra) {
			t.Fatalf("texts %s came back as %s", in.Extra, out.Extra)
		}
		if string(blobDocument(blob)) != string(in.Meta.Text(ping.DocumentID)) {
			t.Fatalf("document %s", blobDocument(blob))
		}
		for n := range blob {
			if err := Rejected.readBlob(blob[:n], &out); err == nil {
				t.Fatalf("%d bytes of %d are taken", n, len(blob))
			}
		}
	}
}

func TestDamagedBody(t *testing.T) {
	r := row{squeezed: true, bodyLen: 5, data: []byte("\xff\xff\xff")}
	if err := r.unsqueeze(make([]byte, 5)); err == nil {
		t.Error("a damaged body is taken")
	}
}
