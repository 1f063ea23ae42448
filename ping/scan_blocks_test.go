package ping

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every kind of token is at every place relative to the blocks of the index.
func TestScanBlockBorders(t *testing.T) {
	tokens := []string{
		`1`, `-12.5e+3`, `true`, `null`, `"x"`, `""`, `"\\"`, `"\""`, `"\\\\\\\""`, `"}{"`, `{}`, `[]`, `{"k":{"b":2}}`, `[[],{},"]"]`,
		`"` + strings.Repeat("y", 64) + `"`, `"` + strings.Repeat(`\\`, 33) + `"`, `"` + strings.Repeat(`\"`, 65) + `"`,
		strings.Repeat("[", 65) + strings.Repeat("]", 65), `[` + strings.Repeat(`{"k":[]},`, 20) + `0]`,
	}
	forms := []string{
		`%[1]s{"a":{"b":%[2]s}}`,
		`{"x":"%[1]s","a":{"b":%[2]s}}`,
		`{"x":{"y":[%[1]s0]},"a":{"b":%[2]s,"c":1}}`,
		`{"a":%[1]s{"b"%[1]s:%[1]s%[2]s%[1]s}%[1]s}`,
		`{"a":{"x%[1]s":0,"b":%[2]s}}`,
	}
	for _, token := range tokens {
		for _, form := range forms {
			for n := range 130 {
				doc := fmt.Sprintf(form, strings.Repeat(" ", n), token)
				for _, v := range versions() {
					v.run(func() { checkRaw(t, doc, token, "a", "b") })
				}
			}
		}
	}
}

// Names of every length, of which only one letter somewhere differs.
func TestScanLikeNames(t *testing.T) {
	for n := 1; n < 70; n++ {
		name := strings.Repeat("n", n)
		var set PathSet
		slot := set.Add(name)
		others := make([]Slot, n)
		doc := `{"` + name + `":"right"`
		for i := range n {
			other := name[:i] + "m" + name[i+1:]
			doc += fmt.Sprintf(`,"%s":%d,"%s":"wrong"`, other, i, name[:i]+"x"+name[i+1:])
			others[i] = set.Add(other)
		}
		doc += fmt.Sprintf(`,"%sn":0,"%s":1}`, name, name[:n-1])
		var d Doc
		require.NoError(t, d.Scan(set.Compile(), []byte(doc)))
		if got := string(d.Value(slot).Raw()); got != `"right"` {
			t.Fatalf("name of %d: %s", n, got)
		}
		for i, s := range others {
			if got := string(d.Value(s).Raw()); got != fmt.Sprint(i) {
				t.Fatalf("name of %d, changed at %d: %s", n, i, got)
			}
		}
	}
}

// Many wanted names, all of them there, none of them, and in any order.
func TestScanManyNames(t *testing.T) {
	var set PathSet
	var slots []Slot
	const n = 3000
	for i := range n {
		slots = append(slots, set.Add("payload", fmt.Sprintf("PROBE_%d_MS", i)))
	}
	p := set.Compile()
	var d Doc
	var doc strings.Builder
	doc.WriteString(`{"payload":{"first":0`)
	for i := n - 1; i >= 0; i -= 2 {
		fmt.Fprintf(&doc, `,"PROBE_%d_MS":%d,"PROBE_%d_US":-1`, i, i, i)
	}
	doc.WriteString(`}}`)
	require.NoError(t, d.Scan(p, []byte(doc.String())))
	for i, s := range slots {
		v, ok := d.Value(s).Int64()
		if ok != (i%2 == 1) || ok && v != int64(i) {
			t.Fatalf("probe %d: %d, %v", i, v, ok)
		}
	}
}

// Escapes of every kind in names, wanted names with characters that are always
// escaped, and names that only look alike before unescaping.
func TestScanEscapedNames(t *testing.T) {
	for _, c := range []struct{ name, key string }{
		{"a", `\u0061`}, {"ab", `\u0061\u0062`}, {"a.b", `a\u002Eb`}, {"a.b", `a\u002eb`}, {"a/b", `a\/b`}, {"a/b", `a/b`},
		{`a"b`, `a\"b`}, {`a\b`, `a\\b`}, {`a\b`, `a\u005cb`}, {"a\bb", `a\bb`}, {"a\nb", `a\nb`}, {"\t\r\f", `\t\r\f`},
		{"é", "é"}, {"é", `\u00e9`}, {"\u2028", `\u2028`}, {"😀", `\ud83d\ude00`}, {"😀", `\uD83D\uDE00`}, {"😀", "😀"},
		{"\ufffd", `\ud83d`}, {"\ufffdx", `\ude00x`}, {"\ufffd\ufffd", `\ude00\ud83d`}, {"\ufffda", `\ud83d\u0061`}, {"\ufffd", `\ufffd`},
		{"\x00", `\u0000`}, {"", ""}, {`\u0061`, `\\u0061`}, {`\`, `\\`}, {`\\`, `\\\\`},
	} {
		for _, doc := range []string{
			`{"` + c.key + `":1}`, `{"x":"\n","` + c.key + `":1,"y":2}`, `{"z":{"` + c.key + `":9},"` + c.key + `":0,"` + c.key + `":1}`,
		} {
			checkRaw(t, doc, "1", c.name)
		}
	}
	// The text of these names is not the wanted one, though their bytes are.
	for _, name := range []string{`a\b`, `a\n`, `\u0061`, `\\`, `x\"y`} {
		checkRaw(t, `{"`+name+`":1}`, "", name)
	}
}
