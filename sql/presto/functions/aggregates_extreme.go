package functions

import (
	"fmt"
	"strconv"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// worst is the sort value of NaN, which is neither the least nor the greatest unless all values are NaN.
var worst = map[string]string{"min": "'infinity'", "max": "'-infinity'"}

// extreme is min or max. NaN is the greatest number in DuckDB. Times are ordered without their zone.
func extreme(name string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		switch {
		case c.Args[0].Type.Kind == types.TimestampTZ:
			return aggregate("@arg_" + name + "($1, struct_extract($1, 't'))")(c)
		case name == "max" && c.Args[0].Type.Is(floating...):
			return aggregate("coalesce(@max(CASE WHEN NOT isnan($1) THEN $1 END), @max($1))")(c)
		}
		return aggregate("@" + name + "($1)")(c)
	}
}

// extremes returns min and max of n values.
func extremes(name string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		n, err := c.size(1, name+"_n", "second")
		if err != nil {
			return Result{}, err
		}
		if name == "max" && c.Args[0].Type.Is(floating...) {
			return aggregate("list_transform(@max(CASE WHEN $1 IS NOT NULL THEN {'n': NOT isnan($1), 'x': $1} END, " + n + "), lambda #e: #e.x)")(c)
		}
		return aggregate("@" + name + "($1, " + n + ")")(c)
	}
}

// ordered returns the template of the sort key of $2.
func ordered(c *Call, name string) string {
	switch {
	case c.Args[1].Type.Is(floating...):
		return "CASE WHEN isnan($2) THEN " + worst[name] + " ELSE $2 END"
	case c.Args[1].Type.Kind == types.TimestampTZ:
		return "struct_extract($2, 't')"
	}
	return "$2"
}

// extremeBy is min_by or max_by.
func extremeBy(name string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		return aggregate("@arg_" + name + "_null($1, " + ordered(c, name) + ")")(c)
	}
}

// extremesBy returns min_by and max_by of n rows.
func extremesBy(name string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		n, err := c.size(2, name+"_by_n", "third")
		if err != nil {
			return Result{}, err
		}
		return aggregate("list_transform(@" + name + "(CASE WHEN $2 IS NOT NULL THEN {'y': " + ordered(c, name) + ", 'x': $1} END, " + n +
			"), lambda #e: #e.x)")(c)
	}
}

// size returns a constant number of values, from 1 to 10,000.
func (c *Call) size(i int, name, which string) (string, error) {
	n, err := strconv.Atoi(c.Args[i].Text)
	switch {
	case !c.Args[i].Constant || err != nil:
		return "", fmt.Errorf("the %s argument of %s must be a constant", which, c.Name)
	case n <= 0:
		return "", fmt.Errorf("%s argument of %s must be positive", which, name)
	case n > 10000:
		return "", fmt.Errorf("%s argument of %s must be less than or equal to 10000; found %d", which, name, n)
	}
	return strconv.Itoa(n), nil
}

// reduceAgg folds the list of the values, without nulls, in the order of the rows. A null to begin with stays one.
func reduceAgg(c *Call) (Result, error) {
	if !c.Vars["S"].Numeric() && c.Vars["S"].String() != "boolean" {
		return Result{}, fmt.Errorf("the state of reduce_agg can be a number or a boolean, not %s; reduce(array_agg(…), …) takes any",
			c.Vars["S"])
	}
	l := c.Args[2].Lambda
	if duck.Unmark(l.Body) == "("+l.Params[0]+" + "+l.Params[1]+")" {
		return aggregate("CAST(@any_value($2) + @sum($1) AS <S>)")(c)
	}
	// The second argument is of the aggregate, so it goes into the list too.
	return aggregate("list_transform([list_filter(@list({'x': $1, 'i': $2}), lambda #x: #x.x IS NOT NULL)], lambda #l: CASE WHEN #l[1].i " +
		"IS NOT NULL THEN list_reduce(list_transform(#l, lambda #x: " +
		"{'s': CAST(NULL AS <S>), 'x': #x.x}), lambda #a, #e: {'s': CAST(&3(#a.s, #e.x) AS <S>), 'x': CAST(NULL AS <T>)}, {'s': " +
		"CAST(#l[1].i AS <S>), 'x': CAST(NULL AS <T>)}).s END)[1]")(c)
}
