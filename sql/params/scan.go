package params

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/lexer"
)

// place holds the position of a parameter in the text.
type place struct {
	from, to int // bytes
	name     string
	members  []string
}

// end reports whether the place is the first or last day of a range.
func (p place) end() bool {
	return slices.Contains(p.members, "from") || slices.Contains(p.members, "to")
}

func (p place) dashed() bool { return slices.Contains(p.members, "dashed") }

// scanner finds places outside of comments, texts and quoted names. It refuses parameters in texts with rare forms that
// an engine could read in another way than package lexer: what it reads as part of a text must never be a place.
type scanner struct {
	sql    string
	before lexer.Kind // of the last token, blanks and comments aside
	passed int        // bytes
	places []place
	doubt  *Error // why the text cannot have parameters
}

func scan(sql string, d Dialect) ([]place, error) {
	s := scanner{sql: sql}
	for t := range lexer.Scan(d, sql) {
		s.unusual(s.passed, t.Start)
		if err := s.token(t); err != nil {
			return nil, err
		}
		s.passed = t.End
	}
	s.unusual(s.passed, len(sql))
	if len(s.places) > 0 && s.doubt != nil {
		return nil, s.doubt
	}
	return s.places, nil
}

func (s *scanner) refuse(start int, message string) {
	if s.doubt == nil {
		s.doubt = at(s.sql, start, start+1, "", "%s", message)
	}
}

// unusual refuses characters outside of ASCII and zero bytes: an unusual blank may end a name.
func (s *scanner) unusual(from, to int) {
	if n := strings.IndexFunc(s.sql[from:to], func(r rune) bool { return r == 0 || r >= utf8.RuneSelf }); n >= 0 {
		s.refuse(from+n, "a text with parameters cannot have this character outside of quotes")
	}
}

// token takes the next token.
func (s *scanner) token(t lexer.Token) error {
	text := t.Text(s.sql)
	switch t.Kind {
	case lexer.Comment:
		if behind := s.sql[t.End:]; text[0] == '-' && strings.HasPrefix(behind, "\r") && !strings.HasPrefix(behind, "\r\n") {
			s.refuse(t.End, "a text with parameters cannot have a carriage return in a comment")
		}
		return nil // what was before it counts
	case lexer.Parameter:
		return s.place(t)
	case lexer.Text:
		if quote := strings.IndexAny(text, "'$"); text[quote] == '\'' {
			return s.text(t, quote)
		}
		s.unusual(t.Start, t.Start+1+strings.IndexByte(text[1:], '$')) // an unusual blank may be part of the tag
		s.before = lexer.Symbol
		return nil
	case lexer.Word:
		if strings.Contains(text, "$") {
			s.refuse(t.Start, "a text with parameters cannot have a name with $ outside of quotes")
		}
		s.unusual(t.Start, t.End)
	case lexer.Symbol:
		if malformed(s.sql[t.Start:]) > 0 {
			return s.place(t)
		}
		s.unusual(t.Start, t.End)
	}
	s.before = t.Kind
	return nil
}

// text takes a text in quotes.
func (s *scanner) text(t lexer.Token, quote int) error {
	switch s.before {
	case lexer.Parameter:
		return at(s.sql, t.Start, t.Start+quote+1, "", "a text cannot follow a parameter directly: write an operator such as || between them")
	case lexer.Text: // DuckDB may read the second as a part of the first, with its escapes
		s.refuse(t.Start, "in a text with parameters, no text can follow another directly")
	}
	s.before = lexer.Text
	return nil
}

// maxPlace is longer than any place.
const maxPlace = 200

// malformed returns the number of bytes of the {{…}} that rest begins with, 0 if there is none. Anything with a quote, a
// colon or a comma inside is no place: DuckDB has braces of its own.
func malformed(rest string) int {
	if !strings.HasPrefix(rest, "{{") {
		return 0
	}
	end := strings.Index(rest[:min(len(rest), maxPlace)], "}}")
	if end < 0 || strings.ContainsAny(rest[2:end], "'\":,{}\n") {
		return 0
	}
	return end + 2
}

// place takes {{name}}.
func (s *scanner) place(t lexer.Token) error {
	n := malformed(s.sql[t.Start:])
	text := s.sql[t.Start : t.Start+n]
	members := strings.Split(strings.TrimSpace(text[2:n-2]), ".")
	name := members[0]
	p := place{from: t.Start, to: t.Start + n, name: name, members: members[1:]}
	if !nameForm().MatchString(name) {
		return at(s.sql, p.from, p.to, "", "%s is no parameter: write {{name}} with letters, digits and _", text)
	}
	for i, m := range p.members {
		if fits := m == "dashed" && i == len(p.members)-1 || (m == "from" || m == "to") && i == 0; !fits {
			return at(s.sql, p.from, p.to, name, "a parameter has no member %s: there are from, to and dashed", m)
		}
	}
	if s.before == lexer.Text || s.before == lexer.Parameter {
		return at(s.sql, p.from, p.to, name,
			"a parameter cannot follow a text or another parameter directly: write an operator or comma between them")
	}
	s.places, s.before = append(s.places, p), lexer.Parameter
	return nil
}
