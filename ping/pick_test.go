package ping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pick finds what the list of the first members says, in objects with names that are wanted or not, escaped, in any order and
// more than once.
func TestPick(t *testing.T) {
	wanted := []string{"a", "b", "name", "c", "", "naïve", "a longer name than eight"}
	names, values := NewNames(wanted...), make([]Value, len(wanted))
	rng := rand.New(rand.NewPCG(3, 1))
	keys := append([]string{"x", `\u0061`, `na\u006de`, "nam", "names", `\"`}, wanted...)
	found := 0
	for range 5000 {
		var members []string
		for range rng.IntN(12) {
			members = append(members, fmt.Sprintf(`"%s":%s`, keys[rng.IntN(len(keys))], []string{"1", `{"a":2}`, "null", `"}"`}[rng.IntN(4)]))
		}
		doc, most := "{"+strings.Join(members, ", ")+" }", rng.IntN(14)
		v := scan(t, `{"v":`+doc+`}`, "v")
		names.Pick(v, values, most)
		want := make([]Value, len(wanted))
		first, _ := v.FirstMembers(nil, most)
		for _, m := range first {
			for i, name := range wanted {
				if string(m.Key) == name {
					want[i] = m.Value
					found++
				}
			}
		}
		require.Equal(t, want, values, "the first %d of %s", most, doc)
	}
	require.Greater(t, found, 5000)
	for _, doc := range []string{`[{"a":1}]`, `"a"`, "null"} {
		names.Pick(scan(t, `{"v":`+doc+`}`, "v"), values, 9)
		require.Equal(t, make([]Value, len(wanted)), values)
	}
}

// A value of a document that is scanned for other paths is as if it were the document.
func TestValueScan(t *testing.T) {
	var within PathSet
	deep, list := within.Add("a", "b"), within.Add("c")
	program := within.Compile()
	outer := scan(t, `{"v":{"c":[1,"}"],"a":{"b":"\u0041"},"d":{}},"a":{"b":7}}`, "v")
	d, err := outer.Scan(program)
	require.NoError(t, err)
	text, _ := d.Value(deep).Str(nil)
	require.Equal(t, "A", string(text))
	require.Equal(t, `[1,"}"]`, string(d.Value(list).Raw()))
	require.Equal(t, Object, outer.Get("d").Kind(), "of a value that was found before")

	for _, doc := range []string{`[]`, `1`, `null`, `"{}"`, `{"a":`, `{"a"}`} {
		var set PathSet
		slot := set.Add("v")
		var d Doc
		if d.Scan(set.Compile(), []byte(`{"v":`+doc+`}`)) == nil {
			_, err := d.Value(slot).Scan(program)
			require.ErrorIs(t, err, ErrUnbalanced, doc)
		}
	}
	_, err = Value{}.Scan(program)
	require.ErrorIs(t, err, ErrUnbalanced)
}
