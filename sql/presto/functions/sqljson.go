package functions

import (
	"fmt"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// SQLJSON is a call of a function of SQL/JSON.
type SQLJSON struct {
	Input, Path string   // in DuckDB's SQL
	Options     []string // more arguments of its function in Go
	Type        types.Type
	// Empty and Wrong are the results for no value and for an error, in DuckDB's SQL; "" raises an error.
	Empty, Wrong string
}

// JSONTypes are the types that json_value gives.
var JSONTypes = []types.Kind{types.Varchar, types.Bigint, types.Integer, types.Smallint, types.Tinyint, types.Double, types.Boolean}

// SQL writes the call of a function in Go, which gives a mark before its value.
func (j SQLJSON) SQL(name string) string {
	call := fmt.Sprintf("presto_%s(%s, %s", name, j.Input, j.Path)
	for _, o := range j.Options {
		call += ", " + o
	}
	value := func(x string) string {
		if j.Type.Kind == types.Varchar && j.Type.Precision != types.Unbounded {
			return fmt.Sprintf("substring(%s, 2, %d)", x, j.Type.Precision)
		}
		return duck.Cast("substring("+x+", 2)", j.Type.DuckDB())
	}
	return duck.Once(call+")", func(x string) string {
		empty, wrong := j.Empty, j.Wrong
		if empty == "" {
			empty = "error('JSON_VALUE_RESULT_ERROR: JSON path found no items')"
		}
		if wrong == "" {
			wrong = "error(substring(" + x + ", 2))"
		}
		return fmt.Sprintf("CASE left(%s, 1) WHEN 'v' THEN %s WHEN 'e' THEN %s WHEN 'x' THEN %s END", x, value(x), empty, wrong)
	})
}
