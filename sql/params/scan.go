package params

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// place is where a parameter stands.
type place struct {
	from, to int // bytes
	name     string
	members  []string
}

// end says whether the place is the first or last day of a range.
func (p place) end() bool {
	return slices.Contains(p.members, "from") || slices.Contains(p.members, "to")
}

func (p place) dashed() bool { return slices.Contains(p.members, "dashed") }

// before is the last token other than blanks and comments.
type before uint8

const (
	other before = iota
	aText
	aPlace
)

// scanner finds places outside of comments, texts and quoted names. Where it could disagree with the engine's lexer, it
// refuses parameters: what the engine reads as part of a text must never be a place.
type scanner struct {
	sql    string
	d      Dialect
	at     int
	before before
	places []place
	doubt  *Error // why the text cannot have parameters
}

func scan(sql string, d Dialect) ([]place, error) {
	s := scanner{sql: sql, d: d}
	for s.at < len(sql) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
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

func (s *scanner) next() error {
	rest := s.sql[s.at:]
	c := rest[0]
	switch {
	case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		s.at++
		return nil
	case strings.HasPrefix(rest, "--"):
		s.line()
		return nil
	case strings.HasPrefix(rest, "/*"):
		s.comment()
		return nil
	case strings.HasPrefix(rest, "{{"):
		if found, err := s.place(rest); found || err != nil {
			return err
		}
	case c == '\'':
		return s.quoted(s.at, false)
	case letter(c):
		return s.word()
	}
	s.before = other
	switch {
	case c == '"':
		s.until(s.at+1, '"', false)
	case c == '$' && s.d == DuckDB && s.dollar():
	case c == 0 || c >= utf8.RuneSelf: // an unusual blank may end a name
		s.refuse(s.at, "a text with parameters cannot have this character outside of quotes")
		fallthrough
	default:
		s.at++
	}
	return nil
}

// line skips a comment to the end of its line.
func (s *scanner) line() {
	n := strings.IndexAny(s.sql[s.at:], "\r\n")
	if n < 0 {
		s.at = len(s.sql)
		return
	}
	if s.at += n; s.sql[s.at] == '\r' && !strings.HasPrefix(s.sql[s.at:], "\r\n") {
		s.refuse(s.at, "a text with parameters cannot have a carriage return in a comment")
	}
}

// comment skips /* */, which nest in DuckDB's SQL only.
func (s *scanner) comment() {
	for depth := 0; s.at < len(s.sql); {
		switch rest := s.sql[s.at:]; {
		case strings.HasPrefix(rest, "/*") && (depth == 0 || s.d == DuckDB):
			depth++
			s.at += 2
		case strings.HasPrefix(rest, "*/"):
			s.at += 2
			if depth--; depth == 0 {
				return
			}
		default:
			s.at++
		}
	}
}

// word skips a name or keyword, or the text that it begins: E'…' has escapes in DuckDB's SQL.
func (s *scanner) word() error {
	start := s.at
	for s.at < len(s.sql) && (letter(s.sql[s.at]) || s.sql[s.at] >= '0' && s.sql[s.at] <= '9' || s.sql[s.at] == '$') {
		s.at++
	}
	word := s.sql[start:s.at]
	if strings.Contains(word, "$") {
		s.refuse(start, "a text with parameters cannot have a name with $ outside of quotes")
	}
	if s.d == DuckDB && strings.EqualFold(word, "e") && strings.HasPrefix(s.sql[s.at:], "'") {
		return s.quoted(start, true)
	}
	s.before = other
	return nil
}

// quoted skips a text, whose opening quote is at s.at.
func (s *scanner) quoted(start int, escapes bool) error {
	switch s.before {
	case aPlace:
		return at(s.sql, start, s.at+1, "", "a text cannot follow a parameter directly: write an operator such as || between them")
	case aText: // DuckDB may read the second as a part of the first, with its escapes
		s.refuse(start, "in a text with parameters, no text can follow another directly")
	}
	s.until(s.at+1, '\'', escapes)
	s.before = aText
	return nil
}

// until moves behind the next quote that is neither doubled nor escaped.
func (s *scanner) until(from int, quote byte, escapes bool) {
	for s.at = from; s.at < len(s.sql); s.at++ {
		switch c := s.sql[s.at]; {
		case escapes && c == '\\':
			s.at++
		case c == quote && s.at+1 < len(s.sql) && s.sql[s.at+1] == quote:
			s.at++
		case c == quote:
			s.at++
			return
		}
	}
	s.at = len(s.sql)
}

// dollar skips $tag$ … $tag$; a $ that opens none is left.
func (s *scanner) dollar() bool {
	n := s.at + 1
	for n < len(s.sql) && (letter(s.sql[n]) || n > s.at+1 && s.sql[n] >= '0' && s.sql[n] <= '9') {
		n++
	}
	if n == len(s.sql) || s.sql[n] != '$' {
		if n < len(s.sql) && s.sql[n] >= utf8.RuneSelf { // it may be part of the tag
			s.refuse(s.at, "a text with parameters cannot have this character outside of quotes")
		}
		return false
	}
	tag := s.sql[s.at : n+1]
	if end := strings.Index(s.sql[n+1:], tag); end >= 0 {
		s.at = n + 1 + end + len(tag)
	} else {
		s.at = len(s.sql)
	}
	return true
}

// maxPlace is longer than any place.
const maxPlace = 200

// place takes {{name}}. Anything with a quote, a colon or a comma inside is no place: DuckDB has braces of its own.
func (s *scanner) place(rest string) (found bool, err error) {
	end := strings.Index(rest[:min(len(rest), maxPlace)], "}}")
	if end < 0 || strings.ContainsAny(rest[2:end], "'\":,{}\n") {
		return false, nil
	}
	members := strings.Split(strings.TrimSpace(rest[2:end]), ".")
	name := members[0]
	p := place{from: s.at, to: s.at + end + 2, name: name, members: members[1:]}
	if !nameForm.MatchString(name) {
		return false, at(s.sql, p.from, p.to, "", "%s is no parameter: write {{name}} with letters, digits and _", rest[:end+2])
	}
	for i, m := range p.members {
		if fits := m == "dashed" && i == len(p.members)-1 || (m == "from" || m == "to") && i == 0; !fits {
			return false, at(s.sql, p.from, p.to, name, "a parameter has no member %s: there are from, to and dashed", m)
		}
	}
	if s.before != other {
		return false, at(s.sql, p.from, p.to, name, "a parameter cannot follow a text or another parameter directly: write an operator or comma between them")
	}
	s.places, s.at, s.before = append(s.places, p), p.to, aPlace
	return true, nil
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
