package functions

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// typed returns a translation with another type than the signature's.
func typed(t types.Type, format string, args ...any) (Result, error) {
	return Result{SQL: fmt.Sprintf("CAST("+format+" AS %s)", append(args, t.DuckDB())...), Type: t}, nil
}

func sameDecimal(c *Call) (Result, error) {
	return typed(c.Args[0].Type, "%s(%s)", c.Name, c.Args[0].SQL)
}

// roundWhole rounds an integer to a negative number of places.
func roundWhole(c *Call) (Result, error) {
	return typed(c.Args[0].Type, "presto_round_bigint(CAST(%s AS BIGINT), %s)", c.Args[0].SQL, c.Args[1].SQL)
}

func roundDecimal(c *Call) (Result, error) {
	t := c.Args[0].Type
	if len(c.Args) == 1 {
		return typed(upward(t), "presto_round_decimal(CAST(%s AS VARCHAR), 0)", c.Args[0].SQL)
	}
	t.Precision = min(t.Precision+1, types.MaxPrecision)
	return typed(t, "presto_round_decimal(CAST(%s AS VARCHAR), %s)", c.Args[0].SQL, c.Args[1].SQL)
}

// upward returns the decimal without places that holds a rounded one.
func upward(t types.Type) types.Type {
	return types.DecimalOf(min(t.Precision-t.Scale+min(t.Scale, 1), types.MaxPrecision), 0)
}

// wholeDecimal is ceil, floor or truncate of a decimal.
func wholeDecimal(c *Call) (Result, error) {
	x, t := c.Args[0], c.Args[0].Type
	if c.Name == "truncate" {
		return typed(types.DecimalOf(max(t.Precision-t.Scale, 1), 0), "presto_truncate_decimal(CAST(%s AS VARCHAR), 0)", x.SQL)
	}
	return typed(upward(t), "%s(%s)", c.Name, x.SQL)
}

func truncateDecimal(c *Call) (Result, error) {
	return typed(c.Args[0].Type, "presto_truncate_decimal(CAST(%s AS VARCHAR), %s)", c.Args[0].SQL, c.Args[1].SQL)
}

// mod of a zero is an error in Presto, and null in DuckDB.
func mod(c *Call) (Result, error) {
	if n, err := strconv.ParseInt(c.Args[1].Text, 10, 64); c.Args[1].Constant && err == nil && n != 0 {
		return sql("(%s %% %s)", c.Args[0].SQL, c.Args[1].SQL)
	}
	return Result{SQL: duck.Bind([]string{c.Args[0].SQL, c.Args[1].SQL}, func(i int) int { return i + 1 }, func(a []string) string {
		return fmt.Sprintf("CASE WHEN %[2]s = 0 THEN error('DIVISION_BY_ZERO: / by zero') ELSE %[1]s %% %[2]s END", a[0], a[1])
	})}, nil
}

func modDecimal(c *Call) (Result, error) {
	a, b := c.Args[0].Type, c.Args[1].Type
	scale := max(a.Scale, b.Scale)
	t := types.DecimalOf(min(a.Precision-a.Scale, b.Precision-b.Scale)+scale, scale)
	r, err := mod(c)
	return Result{SQL: duck.Cast(r.SQL, t.DuckDB()), Type: t}, err
}

// widths are the bits of integers.
var widths = map[types.Kind]int{types.Tinyint: 8, types.Smallint: 16, types.Integer: 32, types.Bigint: 64}

func shift(c *Call) (Result, error) {
	t := c.Args[0].Type
	return typed(t, "presto_%s(CAST(%s AS BIGINT), %d, %s)", c.Name, c.Args[0].SQL, widths[t.Kind], c.Args[1].SQL)
}

// greatest is greatest or least. DuckDB's skip nulls, and order NaN as the largest number.
func greatest(c *Call) (Result, error) {
	args := sqls(c.Args)
	if c.Type.Is(types.Real, types.Double) {
		folded := args[0]
		for _, a := range args[1:] {
			folded = fmt.Sprintf("presto_%s_double(%s, %s)", c.Name, folded, a)
		}
		return Result{SQL: duck.Cast(folded, c.Type.DuckDB())}, nil
	}
	return Result{SQL: duck.Bind(args, func(int) int { return 2 }, func(a []string) string {
		return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN %s(%s) END", strings.Join(a, " IS NOT NULL AND "), c.Name, strings.Join(a, ", "))
	})}, nil
}

func randomBelow(c *Call) (Result, error) {
	return typed(c.Type, "presto_random(0, CAST(%s AS BIGINT))", c.Args[0].SQL)
}

func random(c *Call) (Result, error) {
	return typed(c.Type, "presto_random(CAST(%s AS BIGINT), CAST(%s AS BIGINT))", c.Args[0].SQL, c.Args[1].SQL)
}
