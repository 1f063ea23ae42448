package ping

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// eachBracket gives the brackets of a valid document and how many levels are open behind them.
func eachBracket(b []byte, do func(at, depth int)) {
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
			do(i, depth)
		case c == '}' || c == ']':
			depth--
			do(i, depth)
		}
	}
}

// depthOf counts levels in a valid document.
func depthOf(b []byte) (deepest int) {
	eachBracket(b, func(_, depth int) { deepest = max(deepest, depth) })
	return deepest
}

func oracle(b []byte) bool {
	return json.Valid(b) && utf8.Valid(b) && depthOf(b) <= MaxDepth
}

// accepts is indexValidate of a whole document at once, without a second opinion. rare counts the rare bytes of an accepted document.
func accepts(b []byte, blocks []block, flags indexFlags) (rare []uint64, ok bool) {
	c := checker{ends: new(ends)}
	c.init()
	class := make([]classes, len(blocks))
	var s indexState
	s.add(b, slices.Clone(blocks), class)
	class[len(class)-1] = classes{white: ^uint64(0)}
	rare = make([]uint64, len(blocks))
	if !c.check(b, 0, blocks, class, rare) || !c.texts(b, 0, flags&(backslash|nonASCII)) || !c.end(b, flags) {
		return nil, false
	}
	return rare, true
}

// checkValidate compares all ways to validate b with encoding/json.
func checkValidate(t *testing.T, b []byte) {
	t.Helper()
	want := oracle(b)
	if err := walk(b); (err == nil) != want {
		t.Errorf("walk says %v, want valid %t: %.300q", err, want, b)
	}
	var wantRare []uint64
	for i, v := range versions() {
		v.run(func() {
			blocks := newBlocks(len(b))
			flags := index(b, blocks, nil)
			rare, got := accepts(b, blocks, flags)
			if got != want {
				t.Errorf("%s: checker says %t, want %t: %.300q", v.name, got, want, b)
			}
			if i == 0 {
				wantRare = rare
			} else if !slices.Equal(rare, wantRare) {
				t.Errorf("%s: rare bytes are %x, want %x: %.300q", v.name, rare, wantRare, b)
			}
			flags2, _, err := indexValidate(b, blocks, make([]uint64, len(blocks)), nil, new(ends))
			if (err == nil) != want || want && flags2 != flags {
				t.Errorf("%s: indexValidate says %04b, %v, want %04b, valid %t: %.300q", v.name, flags2, err, flags, want, b)
			}
			if err := Validate(b); (err == nil) != want {
				t.Errorf("%s: Validate says %v, want valid %t: %.300q", v.name, err, want, b)
			}
		})
	}
}

// checkWithin is checkValidate of b, and of b where the blocks around it are common ones.
func checkWithin(t *testing.T, b []byte) {
	t.Helper()
	checkValidate(t, b)
	around := strings.Repeat(`{"a":[1,"b"]},`, 25)
	checkValidate(t, []byte("["+around+string(b)+","+around+"0]"))
}

func FuzzValidate(f *testing.F) {
	for _, s := range append(validTexts, invalidTexts...) {
		f.Add(uint8(0), []byte(s))
		f.Add(uint8(62), []byte(s))
	}
	f.Fuzz(func(t *testing.T, blanks uint8, b []byte) {
		checkWithin(t, b)
		checkValidate(t, append(bytes.Repeat([]byte{' '}, int(blanks)), b...))
	})
}

func BenchmarkValidate(b *testing.B) {
	docs, size := pingLike()
	blocks := newBlocks(len(docs[0]) * 2)
	rare := make([]uint64, len(blocks))
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
				n := (len(d)+63)/64 + 1
				_, _, err := indexValidate(d, blocks[:n], rare[:n], nil, new(ends))
				return err == nil
			})
		})
	}
	bench("walk", func(d []byte) bool { return walk(d) == nil })
	bench("encoding/json", json.Valid)
}
