package ping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// closing is skipContainer bracket by bracket.
func closing(b string, p int) int {
	depth := 0
	for i := p; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// Containers end where counting brackets says, wherever they begin in a block and however deep they are.
func TestSkipContainer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var s strings.Builder
		open, gap := 1+rng.IntN(4), rng.IntN(60) // of 8 brackets; between brackets
		for range rng.IntN(60) {
			kind := "[{]}"[rng.IntN(2):]
			if rng.IntN(8) >= open+2 {
				kind = kind[2:]
			}
			s.WriteString(kind[:1])
			s.WriteString(strings.Repeat("1", rng.IntN(gap+1)))
		}
		b := s.String()
		var d Doc
		d.load([]byte(b))
		for p, c := range b {
			if c != '{' && c != '[' {
				continue
			}
			if got, want := d.skipContainer(p), closing(b, p); got != want {
				t.Fatalf("container at %d of %s ends at %d, not %d", p, b, got, want)
			}
		}
	}
}

// Names with the same words, or near the ends of a document, are distinguished.
func TestAlikeNames(t *testing.T) {
	long := strings.Repeat("abcdefgh", 6)
	wanted := []string{"", "a", "\x00a", "a\x00", "abcdefgh", "abcdefghabcdefgh", long[:24], long[:32], long, long[:16] + "_" + long[17:]}
	for i := range wanted {
		var set PathSet
		var slots []Slot
		for _, other := range wanted[:i+1] {
			slots = append(slots, set.Add(other))
		}
		program := set.Compile()
		for j, is := range wanted {
			key := strings.ReplaceAll(is, "\x00", `\u0000`)
			for _, format := range []string{`{"%s":1}`, ` {"%s" : 1,"x":2}`, `{"y":"a long text before and","%s":1,"x":"a long text behind"}`} {
				var d Doc
				if err := d.Scan(program, fmt.Appendf(nil, format, key)); err != nil {
					t.Fatal(err)
				}
				for k, slot := range slots {
					if found := d.Value(slot).Kind() == Number; found != (k == j) {
						t.Errorf("%q found as %q among %d: %v", is, wanted[k], i+1, found)
					}
				}
			}
		}
	}
}

// Escapes are found in whatever part they are.
func TestEscapesInParts(t *testing.T) {
	var set PathSet
	slot, text := set.Add(`a"b`), set.Add("text")
	program := set.Compile()
	for before := range 3 * partBytes / 500 {
		filler := strings.Repeat("x", before*500)
		b := fmt.Appendf(nil, `{"f":"%s","a\"b":1,"g":"%s","text":"%s\\"}`, filler, filler, filler)
		for _, scan := range []func(*Doc) error{
			func(d *Doc) error { return d.Scan(program, b) }, func(d *Doc) error { return d.ScanValid(program, b) },
		} {
			var d Doc
			if err := scan(&d); err != nil {
				t.Fatal(err)
			}
			if got, _ := d.Value(text).Str(nil); d.Value(slot).Kind() != Number || string(got) != filler+`\` {
				t.Fatalf("escapes behind %d bytes: %v, text of %d bytes", len(filler), d.Value(slot).Kind(), len(got))
			}
		}
	}
}
