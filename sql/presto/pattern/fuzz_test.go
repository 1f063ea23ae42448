package pattern

import (
	"testing"
	"unicode/utf8"
)

// FuzzPattern: any pattern is read or refused, and both engines find the same match in a text for which the first is asked.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{`(\d+)([a-z]+)`, `(?i)a|b[^c-e]{2,}?`, `(?<n>x)\k<n>`, `(?<=a)b(?!c)`, `[]a\d-]`, `\Qa.b\E$`, `(?m)^a$`,
		`(a*)+b`, `\p{L}\x{20AC}\u0041`} {
		f.Add(p, "1a 2b\naab")
	}
	f.Fuzz(func(t *testing.T, text, s string) {
		if len(text) > 40 || len(s) > 40 || !utf8.ValidString(text) || !utf8.ValidString(s) {
			return
		}
		p, err := read(text)
		if err != nil || p.takes(s) != nil || !p.suits(s) {
			return
		}
		want := p.fast.FindStringSubmatchIndex(s)
		var got []Span
		if err := p.eachSlowly(s, 0, func(m []Span) bool { got = m; return false }); err != nil {
			return
		}
		if (want == nil) != (got == nil) {
			t.Fatalf("%q in %q: %v and %v", text, s, want, got)
		}
		for i, g := range got {
			if g != (Span{want[2*i], want[2*i+1]}) {
				t.Fatalf("%q in %q: %v and %v", text, s, want, got)
			}
		}
	})
}
