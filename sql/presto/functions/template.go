package functions

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/presto/duck"
)

var (
	ownNames = lazy.Regexp(`#([a-z]+)`)
	typeMark = lazy.Regexp(`<([A-Z])?>`)
)

// bodyMark begins a lambda applied to arguments while a template is filled in. No SQL has it.
const bodyMark = "\x03"

// with makes the translation of a template that has more than $1, $2, …:
//   - #x is a parameter of a lambda of the template's own, with a name that no other call has;
//   - &2(x, y) is the body of argument 2, a lambda, for x and y;
//   - <T> is DuckDB's name of the type that T stands for, <> that of the result.
func with(template string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) { return Result{SQL: c.fill(template, duck.Fill)}, nil }
}

// aggregate is with for aggregates: arguments stay where they are.
func aggregate(template string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) { return Result{SQL: c.fill(template, duck.Replace)}, nil }
}

func (c *Call) fill(template string, fill func(string, []string, int) string) string {
	args := sqls(c.Args)
	h := fnv.New32a()
	_, _ = h.Write([]byte(duck.Unmark(strings.Join(args, ",")) + template))
	name := "_" + strconv.FormatUint(uint64(h.Sum32()), 36)
	template = ownNames().ReplaceAllString(template, name+"$1")
	template = typeMark().ReplaceAllStringFunc(template, func(m string) string {
		if m == "<>" {
			return c.Type.DuckDB()
		}
		return c.Vars[m[1:2]].DuckDB()
	})
	return c.applyBodies(fill(strings.ReplaceAll(template, "&", bodyMark), args, 0))
}

// applyBodies writes the bodies of lambdas, from the last to the first: their arguments may have some.
func (c *Call) applyBodies(sql string) string {
	for {
		at := strings.LastIndex(sql, bodyMark)
		if at < 0 {
			return sql
		}
		open := at + strings.IndexByte(sql[at:], '(')
		n, _ := strconv.Atoi(sql[at+1 : open])
		args, end := bracketed(sql, open)
		sql = sql[:at] + "(" + c.Args[n-1].Lambda.Apply(args...) + ")" + sql[end:]
	}
}

// bracketed returns what is between the commas of the bracket at open, and the end of the bracket.
func bracketed(sql string, open int) (parts []string, end int) {
	depth, start := 0, open+1
	for i := open; i < len(sql); i = tokenEnd(sql, i) {
		switch c := sql[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth == 0 {
				return append(parts, strings.TrimSpace(sql[start:i])), i + 1
			}
		case c == ',' && depth == 1:
			parts = append(parts, strings.TrimSpace(sql[start:i]))
			start = i + 1
		}
	}
	return parts, len(sql)
}
