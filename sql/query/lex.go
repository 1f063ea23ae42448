package query

import (
	"strings"

	"github.com/pingmill/pingmill/sql/sqltext"
)

// tokenKind is the kind of a token, as detailed as rewriting needs.
type tokenKind uint8

const (
	tokEnd    tokenKind = iota // end of text; carries what trails the last token
	tokWord                    // keyword or unquoted name
	tokQuoted                  // "quoted name"
	tokString                  // 'text', E'text', $$text$$
	tokNumber
	tokSymbol // one character, or ->
)

var tokenKinds = map[sqltext.Kind]tokenKind{
	sqltext.Word: tokWord, sqltext.Quoted: tokQuoted, sqltext.Text: tokString, sqltext.Number: tokNumber, sqltext.Symbol: tokSymbol,
}

// token is a piece of SQL together with the blanks and comments before it:
// the lead ends where the token starts. Tokens of a text cover it whole.
type token struct {
	kind             tokenKind
	lead, start, end int
}

// lex returns the tokens of src as DuckDB's parser finds them; the last one has kind tokEnd. It never fails: an
// unterminated token ends with the text, and DuckDB reports the error.
func lex(src string) []token {
	var all []token
	lead := 0
	for t := range sqltext.Each(src, true) {
		switch {
		case t.Kind == sqltext.Comment:
			continue
		case t.Start < lead: // the end of ->
			continue
		case t.Of(src) == "-" && strings.HasPrefix(src[t.End:], ">") && !strings.HasPrefix(src[t.End:], ">>"):
			t.End++
		}
		all = append(all, token{tokenKinds[t.Kind], lead, t.Start, t.End})
		lead = t.End
	}
	return append(all, token{tokEnd, lead, len(src), len(src)})
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
