package syntax

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse: whatever the text, there is a tree whose spans are inside it and
// whose text gives the same text again, or an *Error with a place in it.
func FuzzParse(f *testing.F) {
	for _, c := range formatted {
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
		q, ok := s.(*Query)
		if !ok {
			return
		}
		first := Format(q)
		again, err := Parse(first)
		if err != nil {
			var e *Error
			if errors.As(err, &e) && strings.Contains(e.Message, "levels deep") {
				return // by the brackets that Format adds
			}
			t.Fatalf("%q\nis written as %q: %v", text, first, err)
		}
		if second := Format(again.(*Query)); second != first {
			t.Fatalf("%q\nis written as %q\nthen as %q", text, first, second)
		}
	})
}
