package functions

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
)

var floating = []types.Kind{types.Double, types.Real}

// concatArrays joins arrays; it is null if one of them is.
func concatArrays(c *Call) (Result, error) {
	var null, list []string
	for i := range c.Args {
		n := "$" + strconv.Itoa(i+1)
		null, list = append(null, n+" IS NULL"), append(list, n)
	}
	return with("CASE WHEN NOT (" + strings.Join(null, " OR ") + ") THEN flatten([" + strings.Join(list, ", ") + "]) END")(c)
}

// zip makes rows of elements of arrays.
func zip(c *Call) (Result, error) {
	var null, list, fields []string
	row := c.Type.Elem()
	for i := range c.Args {
		n := strconv.Itoa(i + 1)
		null, list = append(null, "$"+n+" IS NULL"), append(list, "$"+n)
		fields = append(fields, "'"+row.Field(i)+"': #e["+n+"]")
	}
	return with("CASE WHEN NOT (" + strings.Join(null, " OR ") + ") THEN list_transform(list_zip(" + strings.Join(list, ", ") +
		"), lambda #e: {" + strings.Join(fields, ", ") + "}) END")(c)
}

// combinations counts the last index fastest in the outermost loop, as Trino does.
func combinations(c *Call) (Result, error) {
	n, err := strconv.Atoi(c.Args[1].Text)
	if !c.Args[1].Constant || err != nil {
		return Result{}, fmt.Errorf("combinations takes a constant number of elements")
	}
	if n < 0 || n > 5 {
		return Result{}, fmt.Errorf("combination size must be from 0 to 5: %d", n)
	}
	if n == 0 {
		return with("CASE WHEN $1 IS NOT NULL THEN [$1[1:0]] END")(c)
	}
	names := []string{"#a", "#b", "#c", "#d", "#e"}[:n]
	elems := make([]string, n)
	for i, x := range names {
		elems[i] = "$1[" + x + "]"
	}
	sql := "[" + strings.Join(elems, ", ") + "]"
	for i, x := range names {
		end := "len($1) + 1"
		if i < n-1 {
			end = names[i+1]
		}
		sql = "list_transform(range(1, " + end + "), lambda " + x + ": " + sql + ")"
		if i > 0 {
			sql = "flatten(" + sql + ")"
		}
	}
	return with("CASE WHEN $1 IS NOT NULL THEN " + sql + " END")(c)
}
