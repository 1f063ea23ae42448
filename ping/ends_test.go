package ping

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// endsNaive does the same as ends byte by byte, without its bound.
func endsNaive(b []byte) (all []uint32) {
	eachBracket(b, func(at, depth int) {
		if closes := b[at] == '}' || b[at] == ']'; closes && (depth == 1 || depth == 2) {
			all = append(all, uint32(2*at+depth-1))
		}
	})
	return all
}

// checkValidated compares ScanValid of a valid object with what Scan found in it.
func checkValidated(t *testing.T, scanned *Doc) {
	t.Helper()
	all := endsNaive(scanned.b)
	for _, v := range versions() {
		v.run(func() {
			var d Doc
			if err := d.ScanValid(scanned.prog, scanned.b); err != nil || !slices.Equal(d.spans, scanned.spans) {
				t.Errorf("%s: ScanValid says %v, finds %v, want %v, in %.300q", v.name, err, d.spans, scanned.spans, d.b)
			}
			if want := all[:min(len(all), len(d.ends))]; !slices.Equal(d.ends[:d.found], want) {
				t.Errorf("%s: ends are %v, want %v, in %.300q", v.name, d.ends[:d.found], want, d.b)
			}
		})
	}
}

// Objects with more ends than are kept, and with parts of every kind and size between wanted members.
func TestEnds(t *testing.T) {
	parts := []string{
		`{}`, `[]`, `[{}]`, `{"x":{}}`, `[[[[]]]]`, `{"a":[{"b":1},{"c":[]}]}`, `1`, `"}]"`, `{"x":"\"}"}`, `[ 1 ]`, `{ "a" : { } }`,
		strings.Repeat("[", 70) + strings.Repeat("]", 70), `[` + strings.Repeat(`{"0":1},`, 700) + `0]`,
		`{"x":"` + strings.Repeat("y", 300) + `"}`,
	}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(19, seed))
		var s strings.Builder
		members := func() {
			for range r.IntN(1 + int(seed)/2) {
				s.WriteString(`"` + strings.Repeat("n", r.IntN(5)) + `":` + parts[r.IntN(len(parts)-r.IntN(3))] + `,`)
			}
		}
		s.WriteString("{")
		members()
		s.WriteString(`"payload":{`)
		members()
		s.WriteString(`"histograms":{`)
		members()
		s.WriteString(`"H":{"values":{"0":1}}},"info":{"reason":"daily"}},`)
		members()
		s.WriteString(`"a":{"b":{"c":{"d":1}}}}`)
		checkScan(t, []byte(s.String()), fuzzPaths)
	}
}

// Escapes and letters beyond ASCII, whole and broken, where one part of a document ends and another begins.
func TestTextsOfParts(t *testing.T) {
	const part = partBlocks * 64
	for _, text := range []string{`é`, `😀`, "\xc3", "\xa9", "\xf0\x9f\x98", `\\`, `\"`, `\u00e9`, `\u00e`, `\x`, `\\é`, `é\n`, `é\`} {
		for n := part - 12; n < part+4; n++ {
			for _, behind := range []string{"", `é`, `\n`, `\x`} {
				for _, between := range []int{0, part, 2 * part} {
					checkValidate(t, []byte(`["`+strings.Repeat("a", n)+text+strings.Repeat("b", between)+behind+`"]`))
				}
			}
		}
	}
}
