package ping

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"
)

// depthOf counts levels in a valid document.
func depthOf(b []byte) (deepest int) {
	depth, inside := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

func oracle(b []byte) bool {
	return json.Valid(b) && utf8.Valid(b) && depthOf(b) <= MaxDepth
}

// accepts is indexValidate of a whole document at once, without a second opinion.
func accepts(b []byte, blocks []block, flags indexFlags) bool {
	var c checker
	c.init()
	class := make([]classes, len(blocks))
	var s indexState
	s.add(b, slices.Clone(blocks), class)
	class[len(class)-1] = classes{white: ^uint64(0)}
	return c.check(b, 0, blocks, class) && c.end(b, flags)
}

// checkValidate compares all ways to validate b with encoding/json.
func checkValidate(t *testing.T, b []byte) {
	t.Helper()
	want := oracle(b)
	if err := walk(b); (err == nil) != want {
		t.Errorf("walk says %v, want valid %t: %.300q", err, want, b)
	}
	for _, v := range versions() {
		v.run(func() {
			blocks := newBlocks(len(b))
			flags := index(b, blocks)
			if got := accepts(b, blocks, flags); got != want {
				t.Errorf("%s: checker says %t, want %t: %.300q", v.name, got, want, b)
			}
			flags2, err := indexValidate(b, blocks)
			if (err == nil) != want || want && flags2 != flags {
				t.Errorf("%s: indexValidate says %04b, %v, want %04b, valid %t: %.300q", v.name, flags2, err, flags, want, b)
			}
			if err := Validate(b); (err == nil) != want {
				t.Errorf("%s: Validate says %v, want valid %t: %.300q", v.name, err, want, b)
			}
		})
	}
}

func FuzzValidate(f *testing.F) {
	for _, s := range append(validTexts, invalidTexts...) {
		f.Add(uint8(0), []byte(s))
		f.Add(uint8(62), []byte(s))
	}
	f.Fuzz(func(t *testing.T, blanks uint8, b []byte) {
		checkValidate(t, b)
		checkValidate(t, append(bytes.Repeat([]byte{' '}, int(blanks)), b...))
	})
}

func BenchmarkValidate(b *testing.B) {
	docs, size := pingLike()
	blocks := newBlocks(len(docs[0]) * 2)
	bench := func(name string, f func(d []byte) bool) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range docs {
					if !f(d) {
						b.Fatal("refused")
					}
				}
			}
		})
	}
	for _, v := range versions() {
		v.run(func() {
			bench("validate/"+v.name, func(d []byte) bool { return Validate(d) == nil })
			bench("indexValidate/"+v.name, func(d []byte) bool {
				_, err := indexValidate(d, blocks[:(len(d)+63)/64+1])
				return err == nil
			})
		})
	}
	bench("walk", func(d []byte) bool { return walk(d) == nil })
	bench("encoding/json", json.Valid)
}
