package pretty

import (
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/lexer"
)

// clauses are the words that begin a line in a query. With them go the words before and behind that belong to them.
var clauses = words("SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT WITH VALUES WINDOW QUALIFY JOIN " +
	"INNER LEFT RIGHT FULL CROSS NATURAL")

// capitals are words that are no names without quotes in either dialect, so that their case means nothing.
var capitals = words(
	`SELECT FROM WHERE GROUP BY HAVING ORDER UNION INTERSECT EXCEPT WITH VALUES JOIN INNER LEFT RIGHT FULL CROSS NATURAL OUTER ON USING
	AND OR NOT IN IS NULL LIKE BETWEEN EXISTS CASE WHEN THEN ELSE END AS DISTINCT CAST TRUE FALSE`)

// joins may be one behind the other at the beginning of a clause.
var joins = words("INNER LEFT RIGHT FULL CROSS NATURAL OUTER JOIN")

// lists and conditions are the clauses whose items are divided by commas, and by AND and OR.
var (
	lists      = words("SELECT FROM GROUP ORDER WITH VALUES WINDOW")
	conditions = words("WHERE HAVING QUALIFY")
)

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(text) {
		all[w] = true
	}
	return all
}

type writer struct {
	all    []token
	b      strings.Builder
	column int
	remark bool // the line ends with a comment: nothing may follow in it
}

// line begins a line.
func (w *writer) line(level int) {
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
	indent := strings.Repeat(step, level)
	w.b.WriteString(indent)
	w.column, w.remark = len(indent), false
}

// put writes a token behind another.
func (w *writer) put(i int, blank bool, level int) {
	t := w.all[i]
	if w.remark {
		w.line(level)
		blank = false
	}
	text := t.text
	if w.keyword(i) {
		text = t.word
	}
	if blank {
		w.b.WriteByte(' ')
		w.column++
	}
	w.b.WriteString(text)
	w.column += utf8.RuneCountInString(text)
	w.remark = strings.HasPrefix(t.text, "--") && t.kind == lexer.Comment
}

// keyword reports whether a token is a word of the language, and cannot be a name.
func (w *writer) keyword(i int) bool {
	word, before, after := w.all[i].word, "", ""
	if i > 0 {
		before = w.all[i-1].text
	}
	if i+1 < len(w.all) {
		after = w.all[i+1].text
	}
	switch {
	case word == "" || before == ".":
		return false
	case word == "LEFT" || word == "RIGHT": // functions, too
		return after != "("
	case word == "PARTITION":
		return before == "(" && strings.EqualFold(after, "BY")
	case word == "OVER":
		return before == ")" && after == "("
	}
	return capitals[word]
}

// block writes a query, from one token up to another.
func (w *writer) block(from, to, level int) {
	for from < to {
		next := w.clause(from, to)
		w.line(level)
		w.inClause(from, next, level)
		from = next
	}
}

// clause returns the end of the clause that begins at from.
func (w *writer) clause(from, to int) int {
	i := from
	for i < to && joins[w.all[i].word] {
		i++
	}
	if i == from {
		i++
	}
	if w.all[from].kind == lexer.Symbol && w.all[from].close > from {
		i = w.all[from].close + 1
	}
	for ; i < to; i++ {
		t := w.all[i]
		if t.kind == lexer.Symbol && t.close > i {
			i = t.close
			continue
		}
		called := i+1 < to && w.all[i+1].text == "(" && !w.all[i+1].apart // left(…), values(…) are functions
		if clauses[t.word] && w.all[i-1].text != "." && !called && w.all[i-1].word != "DISTINCT" {
			return i
		}
	}
	return to
}

// inClause writes a clause: in one line if it fits.
func (w *writer) inClause(from, to, level int) {
	if w.fits(from, to) {
		w.tokens(from, to, level)
		return
	}
	head := from
	for head < to && (head == from || joins[w.all[head].word] || w.all[head].word == "BY" || w.all[head].word == "DISTINCT" ||
		w.all[head].word == "ALL") && w.all[head].word != "" {
		head++
	}
	first := w.all[from].word
	switch {
	case lists[first] && head < to:
		w.tokens(from, head, level)
		w.items(head, to, level+1, func(i int) bool { return w.all[i].text == "," }, true)
	case conditions[first] && head < to:
		w.tokens(from, head, level)
		w.items(head, to, level+1, w.connects(head, to), false)
	default:
		w.tokens(from, to, level)
	}
}

// connects says of AND and OR whether they connect conditions, and are not of a BETWEEN or a CASE.
func (w *writer) connects(from, to int) func(int) bool {
	at := map[int]bool{}
	between, cases := 0, 0
	for i := from; i < to; i++ {
		if t := w.all[i]; t.kind == lexer.Symbol && t.close > i {
			i = t.close
			continue
		}
		switch w.all[i].word {
		case "CASE":
			cases++
		case "END":
			cases--
		case "BETWEEN":
			between++
		case "AND", "OR":
			if between > 0 && w.all[i].word == "AND" {
				between--
			} else if cases == 0 {
				at[i] = true
			}
		}
	}
	return func(i int) bool { return at[i] }
}

// items writes a list an item a line. The dividing token stands behind an item, or before the next.
func (w *writer) items(from, to, level int, divides func(int) bool, behind bool) {
	start := from
	for i := from; i <= to; i++ {
		if i < to {
			if t := w.all[i]; t.kind == lexer.Symbol && t.close > i {
				i = t.close
				continue
			}
			if !divides(i) {
				continue
			}
		}
		end := i
		if behind && i < to {
			end++
			for end < to && w.all[end].kind == lexer.Comment && w.all[end].behind {
				end++
			}
		}
		if start < end {
			w.line(level)
			w.tokens(start, end, level)
		}
		start, i = end, max(i, end-1) // where the divider does not stand behind, it begins the next item
	}
}

// fits reports whether tokens fit in what is left of the line, and have no query or comment in them that wants lines of
// its own.
func (w *writer) fits(from, to int) bool {
	n := w.column
	for i := from; i < to && n <= width; i++ {
		t := w.all[i]
		if t.kind == lexer.Comment || strings.Contains(t.text, "\n") || w.query(i) && t.close-i > 12 {
			return i == to-1 && t.kind == lexer.Comment && t.behind && n <= width
		}
		n += utf8.RuneCountInString(t.text)
		if i > from && w.blank(i) {
			n++
		}
	}
	return n <= width
}

// query reports whether a token opens a query in brackets.
func (w *writer) query(i int) bool {
	t := w.all[i]
	if t.text != "(" || t.kind != lexer.Symbol || t.close <= i+1 {
		return false
	}
	first := w.all[i+1].word
	return first == "SELECT" || first == "WITH" || first == "VALUES"
}

// tokens writes tokens one behind the other, queries in brackets in lines of their own, and long lists in brackets, too.
func (w *writer) tokens(from, to, level int) {
	for i := from; i < to; i++ {
		t := w.all[i]
		if t.kind == lexer.Comment && i > from && !t.behind {
			w.line(level)
			w.put(i, false, level)
			continue
		}
		w.put(i, i > from && w.blank(i), level)
		if t.kind != lexer.Symbol || t.close <= i || t.close >= to {
			if t.kind == lexer.Comment && !t.behind && i+1 < to {
				w.line(level)
			}
			continue
		}
		if w.query(i) && !w.fits(i+1, t.close+1) {
			w.block(i+1, t.close, level+1)
			w.line(level)
			w.put(t.close, false, level)
			i = t.close
		}
	}
}

// blank reports whether there is a blank before a token.
func (w *writer) blank(i int) bool {
	a, b := w.all[i-1], w.all[i]
	if strings.HasSuffix(w.b.String(), " ") && w.column > 0 {
		return false
	}
	switch {
	case b.kind == lexer.Comment || a.kind == lexer.Comment:
		return true
	case b.text == "," || b.text == ")" || b.text == "]" || a.text == "(" || a.text == "[" || a.text == "." || b.text == ".":
		return b.apart && (a.text == "." && a.apart || b.text == "." || a.text == ".") && a.kind == lexer.Number
	case a.text == ",":
		return true
	case b.text == "(" || b.text == "[":
		return b.apart
	case binary(a, b):
		return true
	case i > 1 && binary(w.all[i-2], a):
		return b.apart || !strings.HasPrefix(a.text, ":")
	}
	return b.apart
}

// spaced are operators that have blanks around them.
var spaced = words("= <> != < > <= >= || -> => == <=> + - / %")
