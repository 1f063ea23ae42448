package cli

import (
	"strings"
	"testing"
)

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext é日": "plain\n\ttext é日",
		"\x1b]0;x\x07":     `\x1b]0;x\a`,
		"a\u009bb":         `a\u009bb`,
		"a\u202eb":         `a\u202eb`,
		"\xff\x9b":         `\xff\x9b`,
		"\r":               `\r`,
	} {
		if got := Safe(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		for cut := range len(in) + 1 { // however it is written
			var out strings.Builder
			w := &SafeWriter{To: &out}
			for _, part := range []string{in[:cut], in[cut:]} {
				if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatalf("wrote %d of %q: %v", n, part, err)
				}
			}
			if err := w.Close(); err != nil || out.String() != want {
				t.Errorf("%q cut at %d: %q, %v, want %q", in, cut, out.String(), err, want)
			}
		}
	}
}
