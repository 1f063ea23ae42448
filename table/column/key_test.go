package column

import (
	"bytes"
	"testing"
)

func TestAppendKey(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300)
	keys := [][][]byte{
		{nil, nil}, {nil, {}}, {{}, nil}, {{}, {}}, {{0}, nil}, {nil, {0}}, {{1}, {}}, {{}, {1}}, {{1, 0}, {}},
		{[]byte("ab"), []byte("c")}, {[]byte("a"), []byte("bc")}, {long, nil}, {long[:299], {0}},
	}
	seen := map[string]int{}
	for i, k := range keys {
		b := AppendKey([]byte("before"), k...)
		if !bytes.HasPrefix(b, []byte("before")) {
			t.Errorf("key %d: %q", i, b)
		}
		if j, is := seen[string(b)]; is {
			t.Errorf("keys %d and %d are %q", j, i, b)
		}
		seen[string(b)] = i
		rest := string(b[len("before"):])
		for _, want := range k {
			var got []byte
			if got, rest = KeyPart(rest); !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("key %d: the part is %q, want %q", i, got, want)
			}
		}
		if rest != "" {
			t.Errorf("key %d: %q is left", i, rest)
		}
	}
}
