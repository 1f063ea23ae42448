package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
)

// located gives an error of a running query in Presto's SQL a place if one expression of the text alone can have caused it. DuckDB
// reports no places of such errors.
func located(sql string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Line > 0 || e.Table != "" {
		return err
	}
	if at := causes(sql, e.Message); len(at) == 1 {
		placed := newError(sql, at[0], e.Kind, e.Message, e.Hint)
		placed.cause = e.cause
		return placed
	}
	return err
}

// castTo matches the messages of a value that cannot be cast, with the type.
var castTo = lazy.Regexp(`(?s)^(?:Cannot cast .*|Value cannot be cast) to ([A-Za-z]+)`)

// typeWords are the names of types in messages whose names in SQL are others.
var typeWords = map[string][]string{"int": {"int", "integer"}, "integer": {"int", "integer"}, "real": {"real"}, "float": {"real"}}

// causes returns the starts of all expressions that can have caused an error with a message: divisions, or casts to the type. It returns
// nothing for other errors.
func causes(sql, message string) (all []int) {
	tokens := lexer.Tokens(Presto, sql)
	if message == "Division by zero" || message == "/ by zero" {
		for i, t := range tokens {
			if t.Is(sql, "/") || t.Is(sql, "%") || t.Is(sql, "mod") && called(sql, tokens[i+1:]) {
				all = append(all, t.Start)
			}
		}
		return all
	}
	m := castTo().FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	kind := strings.ToLower(m[1])
	words := typeWords[kind]
	if words == nil {
		words = []string{kind}
	}
	for i, t := range tokens {
		switch {
		case !called(sql, tokens[i+1:]):
		case t.Is(sql, "cast"):
			if target := castTarget(sql, tokens[i+1:]); target == nil || slices.ContainsFunc(words, func(w string) bool { return target[w] }) {
				all = append(all, t.Start)
			}
		case kind == "date" && t.Is(sql, "date"): // the function
			all = append(all, t.Start)
		}
	}
	return all
}

func called(sql string, after []lexer.Token) bool { return len(after) > 0 && after[0].Is(sql, "(") }

// castTarget returns the words of the type of a cast whose tokens begin with its bracket, nil if it has none.
func castTarget(sql string, tokens []lexer.Token) map[string]bool {
	depth, words := 0, map[string]bool(nil)
	for _, t := range tokens {
		switch {
		case t.Is(sql, "("):
			depth++
		case t.Is(sql, ")"):
			if depth--; depth == 0 {
				return words
			}
		case depth == 1 && t.Is(sql, "as"):
			words = map[string]bool{}
		}
		if words != nil {
			words[strings.ToLower(t.Text(sql))] = true
		}
	}
	return words
}
