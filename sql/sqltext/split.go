package sqltext

import "strings"

// Split cuts sql after each semicolon that ends a statement. rest is the text after the last one. A statement includes
// the comments before it but not its semicolon. Split omits statements that have only comments.
func Split(sql string) (statements []Statement, rest Statement) {
	from, filled := 0, false
	for _, t := range Scan(sql) {
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

// Empty reports whether the statement has only blanks and comments.
func (s Statement) Empty() bool {
	for _, t := range Scan(s.SQL) {
		if t.Kind != Comment {
			return false
		}
	}
	return true
}

// In returns the statement at its place in the text: lines and characters before it are blank, so that places in errors
// are valid in the text.
func (s Statement) In(text string) string {
	before := text[:s.Start]
	line := strings.LastIndexByte(before, '\n') + 1
	return strings.Repeat("\n", strings.Count(before, "\n")) + strings.Repeat(" ", len([]rune(before[line:]))) + s.SQL
}

// All returns the statements of a text. The last one may lack its semicolon.
func All(sql string) []Statement {
	statements, rest := Split(sql)
	if !rest.Empty() {
		statements = append(statements, rest)
	}
	return statements
}

// Complete reports whether sql is blank or ends with a semicolon, ignoring blanks and comments: then Enter runs it.
func Complete(sql string) bool {
	tokens := Scan(sql)
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].Kind == Comment && (!tokens[i].Open || strings.HasPrefix(tokens[i].Of(sql), "--")) {
			continue
		}
		return tokens[i].Is(sql, ";")
	}
	return strings.TrimSpace(sql) == ""
}
