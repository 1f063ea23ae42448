// Package pretty lays SQL out for people: a clause a line, long lists and conditions an item a line, words of the language in capitals.
// It knows tokens and no grammar, so it takes text of either dialect that is being written. Only blanks and the
// letters' case of words that are no names are others than before.
package pretty

import (
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/lexer"
)

// width is the length beyond which a line is broken if possible.
const width = 88

// step is the indentation of a level.
const step = "  "

// token is a token of the text with what was before it.
type token struct {
	text   string
	kind   lexer.Kind
	word   string // in capitals, of a word
	apart  bool   // there was a blank before it
	behind bool   // of a comment: it stands behind something in its line
	close  int    // of an opening bracket: the index of its closing one, or the last token's
}

// SQL lays a text out. What is no text of tokens that this package understands comes back as it is.
func SQL(text string) string {
	all, ok := tokens(text)
	if !ok {
		return text
	}
	var statements []string
	from := 0
	for i := 0; i <= len(all); i++ {
		if i < len(all) && (all[i].text != ";" || all[i].kind != lexer.Symbol) {
			continue
		}
		if i > from {
			w := &writer{all: all}
			w.block(from, i, 0)
			s := strings.TrimRight(w.b.String(), " \n")
			if i < len(all) {
				if w.remark {
					s += "\n"
				}
				s += ";"
			}
			statements = append(statements, s)
		}
		from = i + 1
	}
	out := strings.Join(statements, "\n\n")
	if !same(all, out) {
		return text
	}
	return out
}

// same reports whether a text has the same tokens. Empty statements and semicolons may be missing.
func same(all []token, text string) bool {
	other, ok := tokens(text)
	if !ok {
		return false
	}
	i := 0
	next := func(list []token, i int) int {
		for i < len(list) && list[i].text == ";" {
			i++
		}
		return i
	}
	j := 0
	for {
		i, j = next(all, i), next(other, j)
		if i == len(all) || j == len(other) {
			return i == len(all) && j == len(other)
		}
		a, b := all[i], other[j]
		if a.kind != b.kind || a.text != b.text && (a.kind != lexer.Word || !strings.EqualFold(a.text, b.text)) {
			return false
		}
		i, j = i+1, j+1
	}
}

// tokens cuts a text, whose dialect is unknown.
func tokens(text string) (all []token, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	end := 0 // of the token before
	for s := range lexer.Scan(lexer.Either, text) {
		if s.Open && !strings.HasPrefix(s.Text(text), "--") {
			return nil, false
		}
		t := token{text: s.Text(text), kind: s.Kind, apart: s.Start == 0 || end < s.Start}
		if s.Kind == lexer.Word {
			t.word = strings.ToUpper(t.text)
		}
		if s.Kind == lexer.Comment && len(all) > 0 {
			t.text = strings.TrimRight(t.text, " \t\r")
			t.behind = !strings.Contains(text[end:s.Start], "\n")
		}
		end = s.End
		all = append(all, t)
	}
	return all, brackets(all)
}

// maxDepth limits the nesting of brackets. The layout of each level is indented, so that a megabyte of brackets would
// become gigabytes.
const maxDepth = 100

// brackets finds the closing ones.
func brackets(all []token) bool {
	var open []int
	for i, t := range all {
		if t.kind != lexer.Symbol {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			if open = append(open, i); len(open) > maxDepth {
				return false
			}
		case ")", "]", "}":
			if len(open) == 0 {
				return false
			}
			all[open[len(open)-1]].close = i
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// binary reports whether an operator stands behind something that it may be applied to.
func binary(a, b token) bool {
	if b.kind != lexer.Symbol || !spaced[b.text] {
		return false
	}
	switch a.kind {
	case lexer.Word:
		return !capitals[a.word] || a.word == "NULL" || a.word == "TRUE" || a.word == "FALSE" || a.word == "END"
	case lexer.Number: // 1e-5
		return b.apart || !strings.HasSuffix(strings.ToLower(a.text), "e")
	case lexer.Quoted, lexer.Text, lexer.Parameter:
		return true
	}
	return a.text == ")" || a.text == "]"
}
