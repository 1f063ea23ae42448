package functions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// sql returns a translation of the type of the signature.
func sql(format string, args ...any) (Result, error) {
	return Result{SQL: fmt.Sprintf(format, args...)}, nil
}

// call returns a call of a function in DuckDB with all arguments.
func (c *Call) call(name string) (Result, error) {
	return sql("%s(%s)", name, strings.Join(sqls(c.Args), ", "))
}

// filled reports whether argument i is a constant text that is not empty: nearly always it is.
func (c *Call) filled(i int) bool { return c.Args[i].Constant && c.Args[i].Text != "" }

// upper writes ß as Presto does, which DuckDB makes ẞ.
const upper = "CASE WHEN contains($1, 'ß') THEN presto_upper($1) ELSE upper($1) END"

// lengthChar returns the length of a text that is filled up with spaces.
func lengthChar(c *Call) (Result, error) {
	return sql("CASE WHEN %s IS NOT NULL THEN CAST(%d AS BIGINT) END", c.Args[0].SQL, c.Args[0].Type.Precision)
}

// caseOfChar is lower or upper of a char, which stays one.
func caseOfChar(c *Call) (Result, error) {
	template := "lower($1)"
	if c.Name == "upper" {
		template = upper
	}
	return Result{SQL: duck.Fill(template, []string{c.Args[0].SQL}, 1), Type: c.Args[0].Type}, nil
}

// substr is DuckDB's where the two agree.
func substr(c *Call) (Result, error) {
	start, err := strconv.ParseInt(c.Args[1].Text, 10, 32)
	if agree := c.Args[1].Constant && err == nil && start > 0; agree {
		if len(c.Args) == 2 {
			return c.call("substring")
		}
		if n, err := strconv.ParseInt(c.Args[2].Text, 10, 32); c.Args[2].Constant && err == nil && n >= 0 {
			return c.call("substring")
		}
	}
	return c.call([]string{"presto_substr", "presto_substr3"}[len(c.Args)-2])
}

func replace(c *Call) (Result, error) {
	name := "presto_replace"
	if c.filled(1) {
		name = "replace"
	}
	if len(c.Args) == 2 {
		return sql("%s(%s, %s, '')", name, c.Args[0].SQL, c.Args[1].SQL)
	}
	return c.call(name)
}

func strpos(c *Call) (Result, error) {
	if c.filled(1) {
		return c.call("strpos")
	}
	return sql("presto_strpos(%s, %s, 1)", c.Args[0].SQL, c.Args[1].SQL)
}

func trim(c *Call) (Result, error) {
	set := duck.Text(scalar.Space)
	if len(c.Args) == 2 {
		set = c.Args[1].SQL
	}
	text := c.Args[0].SQL
	if c.Args[0].Type.Kind == types.Char {
		text = "rtrim(" + text + ", ' ')"
	}
	return sql("%s(%s, %s)", c.Name, text, set)
}

func join(c *Call) (Result, error) {
	return sql("presto_concat_ws(%s, CAST([%s] AS VARCHAR[]))", c.Args[0].SQL, strings.Join(sqls(c.Args[1:]), ", "))
}

// splitToMap makes a map of keys and values by turns.
func splitToMap(c *Call) (Result, error) {
	list, err := c.call("presto_split_to_map")
	return Result{SQL: duck.Once(list.SQL, func(l string) string {
		return fmt.Sprintf("CASE WHEN %[1]s IS NOT NULL THEN map(list_slice(%[1]s, 1, -1, 2), list_slice(%[1]s, 2, -1, 2)) END", l)
	})}, err
}

// splitToMultimap makes a map of arrays, each of a key and its values.
func splitToMultimap(c *Call) (Result, error) {
	list, err := c.call("presto_split_to_multimap")
	return Result{SQL: duck.Once(list.SQL, func(l string) string {
		return fmt.Sprintf("CASE WHEN %[1]s IS NOT NULL THEN map(list_transform(%[1]s, lambda e: e[1]), list_transform(%[1]s, lambda e: "+
			"list_slice(e, 2, -1))) END", l)
	})}, err
}

// formatKinds are the marks of the arguments of scalar's format.
var formatKinds = map[types.Kind]string{
	types.Tinyint: "i", types.Smallint: "i", types.Integer: "i", types.Bigint: "i", types.Real: "r", types.Double: "f", types.Decimal: "d",
	types.Boolean: "b", types.Varchar: "s", types.Char: "s", types.JSON: "s", types.UUID: "s", types.Date: "D", types.Timestamp: "T",
	types.Time: "O",
}

// maxFormatted limits the values that format takes.
const maxFormatted = 20

// textFormatForms returns a form for each number of values, which may be of different types.
func textFormatForms() []Form {
	var forms []Form
	variables := "ABCDFGHIJKLMOPQRSTUVW" // E and N mean more
	for n := 1; n <= maxFormatted; n++ {
		forms = append(forms, Form{Signature: "(varchar, " + strings.Join(strings.Split(variables[:n], ""), ", ") + ") -> varchar", Write: format,
			Nulls: true})
	}
	return forms
}

func format(c *Call) (Result, error) {
	args := make([]string, len(c.Args)-1)
	for i, a := range c.Args[1:] {
		kind := formatKinds[a.Type.Kind]
		switch {
		case a.Type.Kind == types.Unknown:
			args[i] = "NULL"
		case kind == "":
			return Result{}, fmt.Errorf("format does not take a value of type %s: cast it to varchar", a.Type)
		default:
			args[i] = "'" + kind + "' || CAST(" + a.SQL + " AS VARCHAR)"
		}
	}
	return sql("presto_format(%s, CAST([%s] AS VARCHAR[]))", c.Args[0].SQL, strings.Join(args, ", "))
}

// regexpLike is DuckDB's, which is faster, for patterns that both understand alike.
func regexpLike(c *Call) (Result, error) {
	if c.Args[1].Constant {
		native, err := scalar.NativePattern(c.Args[1].Text)
		if err != nil {
			return Result{}, err
		}
		if native != "" {
			return sql("regexp_matches(%s, %s)", c.Args[0].SQL, duck.Text(native))
		}
	}
	return c.call("presto_regexp_like")
}

// concat of texts or bytes is null if one is.
func concat(c *Call) (Result, error) {
	if len(c.Args) < 2 {
		return Result{}, errors.New("There must be two or more concatenation arguments")
	}
	return sql("(%s)", strings.Join(sqls(c.Args), " || "))
}

// replaceByLambda gives the groups of each match to a lambda. The pieces are arrays: the text before a match and
// its groups; the last one is the rest.
const replaceByLambda = `list_transform([presto_regexp_pieces($1, $2)], lambda #p: list_transform([list_transform(
list_slice(#p, 1, -2), lambda #m: #m[1] || &3(list_slice(#m, 2, -1)))], lambda #r: CASE WHEN #p IS NOT NULL AND list_count(#r) = len(#r)
THEN coalesce(array_to_string(#r, ''), '') || #p[-1][1] END)[1])[1]`
