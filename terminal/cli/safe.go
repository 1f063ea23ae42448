package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden are characters that are not shown as they are, or that change how others
// are shown. Ends of lines and tabs are not among them.
func hidden(c rune) bool {
	return c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029')
}

// Safe writes control characters and such of a text as escapes: what comes from data must not
// drive a terminal.
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

// SafeWriter makes what is written through it Safe. Close writes what is left of a
// character that never became whole.
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

// Close writes what is left. To stays open.
func (w *SafeWriter) Close() error {
	_, err := io.WriteString(w.To, Safe(string(w.left)))
	w.left = nil
	return err
}
