package trino

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// tokens are the tokens of a text from its first to its last, without comments and the semicolons at its end.
type tokens struct {
	text string
	list []lexer.Token
}

func tokensOf(text string) tokens {
	t := tokens{text, lexer.Tokens(lexer.Presto, text)}
	for len(t.list) > 0 && t.at(len(t.list)-1) == ";" {
		t.list = t.list[:len(t.list)-1]
	}
	return t
}

// at returns a word in upper case or a symbol, "" for other tokens.
func (t tokens) at(i int) string {
	if i < 0 || i >= len(t.list) || t.list[i].Kind > lexer.Word {
		return ""
	}
	return strings.ToUpper(t.list[i].Text(t.text))
}

// begins reports whether the text begins with words.
func (t tokens) begins(words ...string) bool {
	for i, w := range words {
		if t.at(i) != w {
			return false
		}
	}
	return true
}

// from returns the tokens from one on.
func (t tokens) from(i int) tokens { return tokens{t.text, t.list[min(i, len(t.list)):]} }

// written returns the text from the first token to the last.
func (t tokens) written() string {
	if len(t.list) == 0 {
		return ""
	}
	return t.text[t.list[0].Start:t.list[len(t.list)-1].End]
}

// name returns the name that a token writes, in lower case if it has no quotes.
func (t tokens) name(i int) (string, bool) {
	if i >= len(t.list) {
		return "", false
	}
	switch k := t.list[i]; {
	case k.Open:
		return "", false
	case k.Kind == lexer.Quoted:
		return k.Name(t.text), k.Name(t.text) != ""
	case k.Kind == lexer.Word:
		return strings.ToLower(k.Text(t.text)), true
	}
	return "", false
}

// path returns the parts of a dotted name and the number of its tokens.
func (t tokens) path() (parts []string, n int) {
	for {
		name, ok := t.name(n)
		if !ok {
			return nil, 0
		}
		parts = append(parts, name)
		if n++; t.at(n) != "." {
			return parts, n
		}
		n++
	}
}

// literal returns the text of the token as a string literal.
func (t tokens) literal(i int) (string, bool) {
	if i >= len(t.list) || t.list[i].Kind != lexer.Text || t.list[i].Open || !strings.HasPrefix(t.list[i].Text(t.text), "'") {
		return "", false
	}
	s := t.list[i].Text(t.text)
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'"), true
}

// arguments divides expressions at the commas between them. Brackets in each are balanced, so that none can end what it is
// put into.
func (t tokens) arguments() (list []tokens, err error) {
	var open []string
	from := 0
	closing := map[string]string{")": "(", "]": "[", "}": "{"}
	add := func(to int) error {
		if to == from {
			return &problem{syntaxError, "a parameter is empty"}
		}
		list = append(list, tokens{t.text, t.list[from:to]})
		from = to + 1
		return nil
	}
	for i, k := range t.list {
		switch w := t.at(i); {
		case k.Open:
			return nil, &problem{syntaxError, "a text has no closing quote"}
		case w == ";" || w == "?":
			return nil, &problem{syntaxError, "a parameter has no " + w}
		case w == "(" || w == "[" || w == "{":
			open = append(open, w)
		case closing[w] != "":
			if len(open) == 0 || open[len(open)-1] != closing[w] {
				return nil, &problem{syntaxError, "the brackets of a parameter do not match"}
			}
			open = open[:len(open)-1]
		case w == "," && len(open) == 0:
			if err := add(i); err != nil {
				return nil, err
			}
		}
	}
	if len(open) > 0 {
		return nil, &problem{syntaxError, "the brackets of a parameter do not match"}
	}
	return list, add(len(t.list))
}

// parameters returns the number of parameters of a statement.
func (t tokens) parameters() (n int) {
	for i := range t.list {
		if t.at(i) == "?" {
			n++
		}
	}
	return n
}

// bind returns a statement with expressions in the place of its parameters.
func (t tokens) bind(values []tokens) (string, error) {
	if n := t.parameters(); n != len(values) {
		return "", &problem{wrongParameters, fmt.Sprintf("the statement has %d parameters, and %d values were given", n, len(values))}
	}
	if len(t.list) == 0 {
		return "", &problem{syntaxError, "the statement is empty"}
	}
	var b strings.Builder
	done, n := t.list[0].Start, 0
	for i, k := range t.list {
		if t.at(i) != "?" {
			continue
		}
		b.WriteString(t.text[done:k.Start] + " " + values[n].value(slices.Contains(counts, t.at(i-1))) + " ")
		done = k.End
		n++
	}
	b.WriteString(t.text[done:t.list[len(t.list)-1].End])
	if b.Len() > maxText {
		return "", &problem{syntaxError, fmt.Sprintf("the statement has more than %d bytes with its values", maxText)}
	}
	return b.String(), nil
}

// counts are the words before a number that is no expression, and wholes the types of such a number.
var (
	counts = []string{"LIMIT", "OFFSET", "FIRST", "NEXT"}
	wholes = []string{"TINYINT", "SMALLINT", "INTEGER", "BIGINT"}
)

// value writes an expression so that it stays one wherever it is put. count means that only a number can be there.
func (t tokens) value(count bool) string {
	typed := len(t.list) == 2 && t.list[0].Kind == lexer.Word && t.list[1].Kind == lexer.Text
	if number, ok := t.literal(1); count && typed && ok && slices.Contains(wholes, t.at(0)) && digits(number) {
		return number
	}
	if len(t.list) == 1 || typed {
		return t.written()
	}
	return "(" + t.written() + ")"
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// probe returns a statement with something in the place of its parameters with which it can be parsed and planned.
func (t tokens) probe() (string, error) {
	values := make([]tokens, 0, t.parameters())
	for i := range t.list {
		if t.at(i) == "?" {
			text := "NULL"
			if slices.Contains(counts, t.at(i-1)) {
				text = "1"
			}
			values = append(values, tokensOf(text))
		}
	}
	return t.bind(values)
}

// check parses a statement that will run later.
func (t tokens) check() error {
	text, err := t.probe()
	if err != nil || isCommand(tokensOf(text)) {
		return err
	}
	_, err = syntax.Parse(text)
	return err
}
