package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// buffer is a text of one or more lines with a cursor.
type buffer struct {
	text string
	at   int // offset of the cursor in bytes, at a character boundary
	cut  string
	undo []state
}

// state is a text and its cursor.
type state struct {
	text string
	at   int
}

func (b *buffer) set(text string) { b.text, b.at = text, len(text) }

// maxUndo is the maximum number of changes that can be undone.
const maxUndo = 500

// longestText is the maximum length of a text in bytes.
const longestText = 1 << 20

// replace replaces bytes lo to hi by text and moves the cursor after it.
func (b *buffer) replace(lo, hi int, text string) {
	if lo == hi && text == "" || len(b.text)-(hi-lo)+len(text) > longestText {
		return
	}
	b.undo = append(b.undo, state{b.text, b.at})
	if len(b.undo) > maxUndo {
		b.undo = b.undo[1:]
	}
	b.text, b.at = b.text[:lo]+text+b.text[hi:], lo+len(text)
}

func (b *buffer) insert(text string) { b.replace(b.at, b.at, text) }

// kill cuts bytes lo to hi; yank inserts them.
func (b *buffer) kill(lo, hi int) {
	if lo < hi {
		b.cut = b.text[lo:hi]
		b.replace(lo, hi, "")
	}
}

func (b *buffer) yank() { b.insert(b.cut) }

func (b *buffer) takeBack() {
	if n := len(b.undo); n > 0 {
		b.text, b.at = b.undo[n-1].text, b.undo[n-1].at
		b.undo = b.undo[:n-1]
	}
}

// next and previous return the end of the grapheme after a position and the start of the one before.
func (b *buffer) next(at int) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(b.text[at:], -1)
	return at + len(cluster)
}

func (b *buffer) previous(at int) int {
	begin := b.lineStart(at)
	if begin == at && at > 0 {
		return at - 1 // the end of the line before
	}
	last := begin
	for g := uniseg.NewGraphemes(b.text[begin:at]); g.Next(); {
		from, _ := g.Positions()
		last = begin + from
	}
	return last
}

func (b *buffer) lineStart(at int) int { return strings.LastIndexByte(b.text[:at], '\n') + 1 }

func (b *buffer) lineEnd(at int) int {
	if n := strings.IndexByte(b.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(b.text)
}

func wordPart(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// wordEnd and wordStart return the end of the next word and the start of the previous one.
func (b *buffer) wordEnd(at int) int {
	inside := false
	for at < len(b.text) {
		c, size := utf8.DecodeRuneInString(b.text[at:])
		if !wordPart(c) && inside {
			break
		}
		inside = inside || wordPart(c)
		at += size
	}
	return at
}

func (b *buffer) wordStart(at int) int {
	inside := false
	for at > 0 {
		c, size := utf8.DecodeLastRuneInString(b.text[:at])
		if !wordPart(c) && inside {
			break
		}
		inside = inside || wordPart(c)
		at -= size
	}
	return at
}

// blankStart returns the start of the previous word, where words are separated by white space only.
func (b *buffer) blankStart(at int) int {
	before := strings.TrimRight(b.text[:at], " \n\t")
	return strings.LastIndexAny(before, " \n\t") + 1
}

// vertical moves the cursor one line up (-1) or down (1), and reports whether there is such a line.
func (b *buffer) vertical(lines int) bool {
	begin := b.lineStart(b.at)
	column := uniseg.GraphemeClusterCount(b.text[begin:b.at])
	switch {
	case lines < 0 && begin > 0:
		b.at = b.lineStart(begin - 1)
	case lines > 0 && b.lineEnd(b.at) < len(b.text):
		b.at = b.lineEnd(b.at) + 1
	default:
		return false
	}
	for end := b.lineEnd(b.at); column > 0 && b.at < end; column-- {
		b.at = b.next(b.at)
	}
	return true
}
