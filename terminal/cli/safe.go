package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a character is invisible or changes how others are displayed. Line ends and tabs do not
// count.
func hidden(c rune) bool {
	return c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029')
}

// Safe escapes control characters and the like, so that data cannot control a terminal.
func Safe(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, size := utf8.DecodeRuneInString(s)
		switch {
		case c == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case hidden(c):
			quoted := fmt.Sprintf("%+q", c)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// SafeWriter writes text through Safe. Close writes the rest of an incomplete character.
type SafeWriter struct {
	To   io.Writer
	left []byte // the beginning of a character
}

// Write writes to To; n counts bytes of p.
func (w *SafeWriter) Write(p []byte) (n int, err error) {
	text := append(w.left, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if c := text[len(text)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-back:]) {
				whole = len(text) - back
			}
			break
		}
	}
	w.left = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(w.To, Safe(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes the rest. It does not close To.
func (w *SafeWriter) Close() error {
	_, err := io.WriteString(w.To, Safe(string(w.left)))
	w.left = nil
	return err
}
