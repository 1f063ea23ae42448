// Package params replaces the parameters of a query, {{name}}, by literals. Every value becomes one literal (a list:
// literals with commas between them), so that no value can change the query's structure.
//
// A place is {{name}} or {{name.member}}: the members from and to are the first and last day of a range, and dashed
// writes a day as 2018-03-01 instead of 20180301. Places inside comments, texts and quoted names are left unchanged.
package params

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
)

// Dialect is the language of a query. Texts and comments of the dialects end differently.
type Dialect = lexer.Dialect

const (
	Presto = lexer.Presto
	DuckDB = lexer.DuckDB
)

// Kind determines which values a parameter accepts and which literal they become.
type Kind string

const (
	Text   Kind = "text"
	Number Kind = "number"
	Day    Kind = "day"    // the text 20180301
	Days   Kind = "days"   // a range, whose members from and to are days
	Choice Kind = "choice" // a text of a list
	List   Kind = "list"   // texts or numbers with commas between them, for IN ({{name}})
)

// Kinds are all kinds.
var Kinds = []Kind{Text, Number, Day, Days, Choice, List}

// Parameter is a parameter of a query.
type Parameter struct {
	Name    string   `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_]*$" maxLength:"64"`
	Kind    Kind     `json:"kind" enum:"text,number,day,days,choice,list"`
	Title   string   `json:"title,omitempty" maxLength:"200" doc:"what pages call it; its name if there is none"`
	Default any      `json:"default,omitempty" doc:"a text, a number, a list of them or {from, to}; days may be relative: yesterday, newest-6, last 7 days"`
	Choices []string `json:"choices,omitempty" nullable:"false" doc:"the values that a choice, or each value of a list, may have"`
}

// Error describes an invalid parameter and its place in the text.
type Error struct {
	Name       string // of the parameter, "" if the error is about no parameter
	Message    string
	Start, End int // bytes, both 0 if there is no place
	Line       int // 1-based, 0 if there is no place
	Column     int // 1-based character of the line
	Text       string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d:%d: %s", e.Line, e.Column, e.Message)
	}
	return e.Message
}

// at returns an error with its place.
func at(sql string, start, end int, name, format string, args ...any) *Error {
	e := &Error{Name: name, Message: fmt.Sprintf(format, args...), Start: start, End: end}
	e.Line, e.Column, e.Text = locate(sql, start)
	return e
}

// locate returns line, character and the whole line of a byte offset.
func locate(sql string, offset int) (line, column int, text string) {
	start := strings.LastIndexByte(sql[:offset], '\n') + 1
	text, _, _ = strings.Cut(sql[start:], "\n")
	return 1 + strings.Count(sql[:start], "\n"), 1 + utf8.RuneCountInString(sql[start:offset]), strings.TrimSuffix(text, "\r")
}

var nameForm = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// Check validates declared parameters: names, kinds, choices and defaults. The error is an *Error.
func Check(declared []Parameter) error {
	seen := map[string]bool{}
	for _, p := range declared {
		switch {
		case !nameForm().MatchString(p.Name):
			return &Error{Name: p.Name, Message: fmt.Sprintf("no parameter can be named %q: write letters, digits and _", p.Name)}
		case seen[p.Name]:
			return &Error{Name: p.Name, Message: "two parameters are named " + p.Name}
		case !slices.Contains(Kinds, p.Kind):
			return &Error{Name: p.Name, Message: fmt.Sprintf("parameter %s: no kind %q", p.Name, p.Kind)}
		case p.Kind == Choice && len(p.Choices) == 0:
			return &Error{Name: p.Name, Message: fmt.Sprintf("parameter %s: a choice wants a list of choices", p.Name)}
		}
		seen[p.Name] = true
		if p.Default == nil {
			continue
		}
		if _, err := p.value(p.Default, anyDay, anyDay); err != nil {
			return &Error{Name: p.Name, Message: fmt.Sprintf("parameter %s: its default %s", p.Name, err)}
		}
	}
	return nil
}

// maxParameters is the maximum number of parameters of a query. They are looked for in lists, whose time grows with the
// square of their number.
const maxParameters = 1000

// Find returns the parameters of a text, without duplicates, in the order of their first places. Members and names
// suggest the kind: Days, Day or Text.
func Find(sql string, d Dialect) ([]Parameter, error) {
	places, err := scan(sql, d)
	if err != nil {
		return nil, err
	}
	var found []Parameter
	for _, p := range places {
		i := slices.IndexFunc(found, func(f Parameter) bool { return f.Name == p.name })
		if i < 0 && len(found) == maxParameters {
			return nil, at(sql, p.from, p.to, p.name, "the query has more than %d parameters", maxParameters)
		}
		if i < 0 {
			i, found = len(found), append(found, Parameter{Name: p.name, Kind: suggested(p.name)})
		}
		switch {
		case p.end():
			found[i].Kind = Days
		case p.dashed() && found[i].Kind != Days:
			found[i].Kind = Day
		}
	}
	return found, nil
}

// suggested returns the kind that a name suggests.
func suggested(name string) Kind {
	name = strings.ToLower(name)
	for _, word := range []string{"day", "date"} {
		if name == word || strings.HasSuffix(name, "_"+word) {
			return Day
		}
	}
	return Text
}
