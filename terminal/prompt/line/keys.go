package line

import (
	"strings"
	"unicode/utf8"
)

// key is typed text or a named key.
type key struct {
	name   string // such as ctrl-a, up, esc; "" for a text
	text   string
	pasted bool
}

// sequences maps the sequences that terminals send after ESC to key names.
var sequences = map[string]string{
	"[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
	"[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
	"[3~": "delete", "[Z": "shift-tab", "[1;5C": "word-right", "[1;5D": "word-left", "[1;3C": "word-right", "[1;3D": "word-left",
	"[5~": "page-up", "[6~": "page-down", "[200~": "paste",
	"b": "word-left", "f": "word-right", "d": "alt-d", "\x7f": "alt-backspace", "\b": "alt-backspace", "\r": "alt-enter", "\n": "alt-enter",
	"<": "page-up", ">": "page-down",
}

// controls names the control characters that are not ctrl- and a letter.
var controls = map[byte]string{'\r': "enter", '\n': "enter", '\t': "tab", '\b': "backspace", 0x7f: "backspace", 0x1f: "ctrl-_"}

const (
	pasteEnd = "\x1b[201~"
	// longestSequence is the maximum length of a key's sequence in bytes.
	longestSequence = 32
)

// decode returns the first key of input and its size in bytes. size is 0 if the key is incomplete. all reports that no
// more input follows soon, so a single ESC is a key.
func decode(input []byte, all bool) (k key, size int) {
	c := input[0]
	switch {
	case c == 0x1b:
		return decodeEscape(input, all)
	case controls[c] != "":
		return key{name: controls[c]}, 1
	case c < ' ':
		return key{name: "ctrl-" + string(rune(c+'a'-1))}, 1
	}
	n := 0
	for n < len(input) && input[n] >= ' ' && input[n] != 0x7f {
		if !utf8.FullRune(input[n:]) {
			break
		}
		_, size := utf8.DecodeRune(input[n:])
		n += size
	}
	if n == 0 && (all || len(input) >= utf8.UTFMax) {
		return key{}, 1
	}
	return key{text: strings.ToValidUTF8(string(input[:n]), "")}, n
}

// decodeEscape decodes a key that begins with ESC.
func decodeEscape(input []byte, all bool) (key, int) {
	rest := string(input[1:])
	if rest == "" {
		if all {
			return key{name: "esc"}, 1
		}
		return key{}, 0
	}
	n := 1
	switch rest[0] {
	case '[':
		for n < len(rest) && (rest[n] < 0x40 || rest[n] > 0x7e) {
			n++
		}
		n++
	case 'O':
		n = 2
	case 0x1b:
		return key{name: "esc"}, 1
	}
	if n > len(rest) {
		if all || n > longestSequence {
			return key{}, len(input)
		}
		return key{}, 0
	}
	name := sequences[rest[:n]]
	if name != "paste" {
		return key{name: name}, 1 + n
	}
	end := strings.Index(rest[n:], pasteEnd)
	if end < 0 {
		return key{}, 0 // the rest is missing
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(rest[n : n+end])
	return key{text: strings.ToValidUTF8(text, ""), pasted: true}, 1 + n + end + len(pasteEnd)
}
