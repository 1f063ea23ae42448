package ping

import (
	"fmt"
	"unicode/utf8"
)

// walker validates byte by byte. It is slower than checker, but knows the position of an error and the expected
// bytes.
type walker struct {
	b      []byte
	p      int
	depth  int
	object [MaxDepth]bool // by level, whether that is an object
	err    *SyntaxError
}

// walk returns the error in a document, or nil.
func walk(b []byte) *SyntaxError {
	w := walker{b: b}
	w.space()
	for w.value() && !w.next() {
	}
	return w.err
}

// fail records that the byte at p is not allowed there.
func (w *walker) fail(want string) bool {
	msg := "unexpected end of the document, want " + want
	if w.p < len(w.b) {
		msg = fmt.Sprintf("unexpected %q, want %s", w.b[w.p], want)
	}
	return w.failWith(msg)
}

func (w *walker) failWith(msg string) bool {
	w.err = &SyntaxError{w.p, msg}
	return false
}

func (w *walker) space() {
	for w.p < len(w.b) && isSpace(w.b[w.p]) {
		w.p++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// at reports whether the next byte is c.
func (w *walker) at(c byte) bool { return w.p < len(w.b) && w.b[w.p] == c }

// value passes a scalar or an empty container. Of other containers it passes the beginnings, up to the first
// such value. It returns false after an error.
func (w *walker) value() bool {
	for {
		switch {
		case w.at('{'), w.at('['):
			if empty, ok := w.open(); !ok || empty {
				return ok
			}
		case w.at('"'):
			return w.string()
		case w.p < len(w.b) && startsScalar(w.b[w.p]):
			return w.scalar()
		default:
			return w.fail("a value")
		}
	}
}

func startsScalar(c byte) bool {
	return isDigit(c) || c == '-' || c == 't' || c == 'f' || c == 'n'
}

// open passes an opening bracket and the blanks after it, and the closing bracket of an empty container.
func (w *walker) open() (empty, ok bool) {
	if w.depth == MaxDepth {
		return false, w.failWith(fmt.Sprintf("more than %d levels", MaxDepth))
	}
	object := w.b[w.p] == '{'
	w.object[w.depth] = object
	w.depth++
	w.p++
	w.space()
	if w.at(w.closing()) {
		w.p++
		w.depth--
		return true, true
	}
	return false, !object || w.key("a name or '}'")
}

// closing returns the bracket that closes the current container.
func (w *walker) closing() byte {
	if w.object[w.depth-1] {
		return '}'
	}
	return ']'
}

// key passes a name and its colon.
func (w *walker) key(want string) bool {
	if !w.at('"') {
		return w.fail(want)
	}
	if !w.string() {
		return false
	}
	w.space()
	if !w.at(':') {
		return w.fail("':'")
	}
	w.p++
	w.space()
	return true
}

// next moves from the end of a value to the next one. It returns true if there is none: at the end of the
// document or after an error.
func (w *walker) next() (done bool) {
	for {
		w.space()
		switch {
		case w.depth == 0:
			return w.p == len(w.b) || !w.fail("the end of the document")
		case w.at(w.closing()):
			w.p++
			w.depth--
		case w.at(','):
			w.p++
			w.space()
			return w.object[w.depth-1] && !w.key("a name")
		default:
			return !w.fail(fmt.Sprintf("',' or %q", w.closing()))
		}
	}
}

func (w *walker) scalar() (ok bool) {
	if w.p, ok = scalar(w.b, w.p); !ok {
		return w.fail("a number, true, false or null")
	}
	return true
}

// string skips a string; w.p is at its opening quote.
func (w *walker) string() (ok bool) {
	for w.p++; w.p < len(w.b); {
		switch c := w.b[w.p]; {
		case c == '"':
			w.p++
			return true
		case c == '\\':
			if w.p, ok = escape(w.b, w.p); !ok {
				return w.fail("an escape sequence")
			}
		case c < 0x20:
			return w.failWith(fmt.Sprintf("control character %q in a string", c))
		case c < utf8.RuneSelf:
			w.p++
		default:
			r, n := utf8.DecodeRune(w.b[w.p:])
			if r == utf8.RuneError && n == 1 {
				return w.failWith("invalid UTF-8")
			}
			w.p += n
		}
	}
	return w.fail("'\"'")
}
