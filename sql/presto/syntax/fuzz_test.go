package syntax

import (
	"errors"
	"reflect"
	"testing"
)

// FuzzParse: any text gives a tree with spans inside of the text, which is Equal between line ends, or
// an *Error with a place in the text.
func FuzzParse(f *testing.F) {
	for _, c := range queries {
		f.Add(c[0])
	}
	for _, c := range expressions {
		f.Add("SELECT " + c[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Start < 0 || e.End > len(text) || e.Start > e.End {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		checkSpans(t, reflect.ValueOf(s), Span{0, len(text)}, text)
		again, err := Parse("\n" + text + "\n")
		if err != nil || !Equal(s, again, nil) {
			t.Fatalf("%q between line ends is another statement: %v", text, err)
		}
	})
}
