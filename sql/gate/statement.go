package gate

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Statement is one query that the gate has let pass.
type Statement struct {
	SQL        string   // the query, without EXPLAIN and what is behind its end
	Explain    bool     // its plan is asked for, not its rows
	At         int      // where SQL begins in the text
	Tables     []string // those it reads, in lower case, each once
	ListsNames bool     // it is SHOW TABLES, or has one inside

	tree []byte
}

// Parse gives the tree of a text: json_serialize_sql(text) of a DuckDB whose storage_compatibility_version is
// latest, since trees for older versions lack a part of what the parser knows.
type Parse func(sql string) (tree []byte, err error)

// MostText is the longest text that is parsed, in bytes.
const MaxText = 4 << 20

// explainWord is EXPLAIN and the blanks before it, comments among them. It need not be exact: only what is behind is
// judged and explained, whatever was before.
var explainWord = regexp.MustCompile(`(?is)^(?:\s|--[^\r\n]*[\r\n]|/\*.*?\*/)*explain\b`)

var analyzeWord = regexp.MustCompile(`(?i)^\s*analyze\b`)

// Judge judges a text before anything of it is bound. The error is a Refusal, NoTable or Syntax, with a place in the text,
// or that of parse.
func Judge(sql string, g Grants, parse Parse) (*Statement, error) {
	if len(sql) > MaxText || strings.ContainsRune(sql, 0) {
		return nil, &Refusal{What: fmt.Sprintf("a query of %d bytes", len(sql)), Hint: fmt.Sprintf("at most %d, and none of them 0", MaxText), At: -1}
	}
	s := &Statement{SQL: sql}
	if n := len(explainWord.FindString(sql)); strings.TrimSpace(sql[n:]) != "" {
		s.SQL, s.Explain, s.At = sql[n:], n > 0, n
	}
	if s.Explain && analyzeWord.MatchString(s.SQL) {
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

// end cuts off what is behind the query: a semicolon, comments. What is left has the same tree.
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

// Holds reports whether a text selects from the query as a subquery and from nothing else: that what was judged
// means the same with other text around it.
func (s *Statement) Holds(sql string, parse Parse) (bool, error) {
	tree, err := parse(sql)
	if err != nil {
		return false, err
	}
	return within(tree, s.tree), nil
}

// placed gives an error the place in the whole text. The parser counts characters, the tree bytes.
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

// byteAt gives the byte of character n of a text, at most its end; -1 stays.
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
