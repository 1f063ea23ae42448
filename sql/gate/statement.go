package gate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
)

// Statement is one query that the gate has allowed.
type Statement struct {
	SQL        string   // the query, without EXPLAIN and without the text after its end
	Explain    bool     // the query requests its plan, not its rows
	At         int      // byte offset of SQL in the text
	Tables     []string // tables read, in lower case, without duplicates
	ListsNames bool     // it is or contains SHOW TABLES

	tree []byte
}

// Parse returns the tree of a text: json_serialize_sql(text) in a DuckDB whose storage_compatibility_version is latest,
// because trees for older versions omit some of the parser's output.
type Parse func(sql string) (tree []byte, err error)

// MaxText is the maximum length of a text in bytes.
const MaxText = 4 << 20

// Judge checks a text before it is bound. The error is a Refusal, NoTable or Syntax with a place in the text, or the
// error of parse.
func Judge(sql string, g Grants, parse Parse) (*Statement, error) {
	if len(sql) > MaxText || strings.ContainsRune(sql, 0) {
		return nil, &Refusal{What: fmt.Sprintf("a query of %d bytes", len(sql)), Hint: fmt.Sprintf("at most %d, and none of them 0", MaxText),
			At: -1}
	}
	s := &Statement{SQL: sql}
	words := firstWords(sql)
	if n := words[0].End; words[0].Is(sql, "explain") && strings.TrimSpace(sql[n:]) != "" {
		s.SQL, s.Explain, s.At = sql[n:], true, n
	}
	if s.Explain && words[1].Is(sql, "analyze") {
		return nil, &Refusal{What: "EXPLAIN ANALYZE", Hint: "EXPLAIN shows the plan; what a query has read is told when it ends", At: s.At}
	}
	var err error
	if s.tree, err = parse(s.SQL); err != nil {
		return nil, err
	}
	if err := s.check(g); err != nil {
		return nil, s.placed(err)
	}
	return s, s.end(parse)
}

// firstWords returns the first two tokens of a text; one that is missing is empty.
func firstWords(sql string) (words [2]lexer.Token) {
	n := 0
	for t := range lexer.Scan(lexer.DuckDB, sql) {
		if t.Kind == lexer.Comment {
			continue
		}
		words[n] = t
		if n++; n == len(words) {
			break
		}
	}
	return words
}

// end removes a semicolon and comments after the query. The remaining text has the same tree.
func (s *Statement) end(parse Parse) error {
	text := s.SQL
	for range 100 {
		at := strings.LastIndexByte(text, ';')
		if at < 0 {
			break
		}
		text = text[:at]
		tree, err := parse(text)
		if err != nil {
			return err
		}
		if same(tree, s.tree) {
			s.SQL = text
		}
	}
	return nil
}

// Holds reports whether a text selects from the query as a subquery and from nothing else, so that the checked query
// has the same meaning inside it.
func (s *Statement) Holds(sql string, parse Parse) (bool, error) {
	tree, err := parse(sql)
	if err != nil {
		return false, err
	}
	return within(tree, s.tree), nil
}

// placed converts the place of an error to the whole text. The parser counts characters, the tree bytes.
func (s *Statement) placed(err error) error {
	var refused *Refusal
	var missing *NoTable
	var syntax *Syntax
	switch {
	case errors.As(err, &refused):
		refused.At = s.place(refused.At)
	case errors.As(err, &missing):
		missing.At = s.place(missing.At)
	case errors.As(err, &syntax):
		syntax.At = s.place(byteAt(s.SQL, syntax.At))
	}
	return err
}

func (s *Statement) place(at int) int {
	if at < 0 {
		return -1
	}
	return s.At + at
}

// byteAt returns the byte offset of character n, at most the length of text; -1 for a negative n.
func byteAt(text string, n int) int {
	if n < 0 {
		return -1
	}
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
