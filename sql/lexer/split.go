package lexer

import "strings"

// Split cuts sql after each semicolon that ends a statement. rest is the text after the last one. A statement includes
// the comments before it but not its semicolon. Split omits statements that have only comments.
func Split(d Dialect, sql string) (statements []Statement, rest Statement) {
	from, filled := 0, false
	for t := range Scan(d, sql) {
		switch {
		case t.Is(sql, ";"):
			if filled {
				statements = append(statements, Statement{from, sql[from:t.Start]})
			}
			from, filled = t.End, false
		case t.Kind != Comment:
			filled = true
		}
	}
	return statements, Statement{from, sql[from:]}
}

// Statement is one statement of a longer text.
type Statement struct {
	Start int // byte in the text
	SQL   string
}

// In returns the statement at its place in the text: lines and characters before it are blank, so that places in errors
// are valid in the text.
func (s Statement) In(text string) string {
	before := text[:s.Start]
	line := strings.LastIndexByte(before, '\n') + 1
	return strings.Repeat("\n", strings.Count(before, "\n")) + strings.Repeat(" ", len([]rune(before[line:]))) + s.SQL
}

// All returns the statements of a text. The last one may lack its semicolon.
func All(d Dialect, sql string) []Statement {
	statements, rest := Split(d, sql)
	if len(Tokens(d, rest.SQL)) > 0 {
		statements = append(statements, rest)
	}
	return statements
}

// Complete reports whether sql is blank or ends with a semicolon, ignoring blanks and comments: then Enter runs it.
func Complete(d Dialect, sql string) bool {
	var last Token
	found := false
	for t := range Scan(d, sql) {
		if t.Kind != Comment || t.Open && strings.HasPrefix(t.Text(sql), "/*") {
			last, found = t, true
		}
	}
	if found {
		return last.Is(sql, ";")
	}
	return strings.TrimSpace(sql) == ""
}
