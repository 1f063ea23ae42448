package presto

import (
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// constant returns a value that is known.
func constant(sql, text string, t types.Type) Expr {
	return Expr{SQL: sql, Text: text, Type: t, Constant: true, Exact: true}
}

// literal translates a constant of the syntax.
func literal(e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.BoolLit:
		text := strconv.FormatBool(e.Value)
		return constant(text, text, types.New(types.Boolean))
	case *syntax.IntLit:
		text := strconv.FormatInt(e.Value, 10)
		if e.Value == int64(int32(e.Value)) {
			return constant(text, text, types.New(types.Integer))
		}
		return constant(duck.Cast(text, "BIGINT"), text, types.New(types.Bigint))
	case *syntax.DoubleLit:
		return doubleLiteral(e.Value)
	case *syntax.StringLit:
		return constant(duck.Text(e.Value), e.Value, varcharLiteral(e.Value))
	case *syntax.BinaryLit:
		return constant("unhex('"+hex.EncodeToString(e.Value)+"')", string(e.Value), types.New(types.Varbinary))
	}
	return Expr{SQL: "NULL", Type: types.New(types.Unknown)}
}

// varcharLiteral returns the type of a text: varchar(0) means varchar.
func varcharLiteral(s string) types.Type { return types.VarcharOf(utf8.RuneCountInString(s)) }

// decimalLiteral is typed by its digits: 1.10 is decimal(3,2), .5 decimal(1,1).
func decimalLiteral(text string) Expr {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	whole = strings.TrimLeft(whole, "0")
	t := types.DecimalOf(max(1, len(whole)+len(fraction)), len(fraction))
	return constant(duck.Cast("'"+text+"'", t.DuckDB()), text, t)
}

// What numbers with a point are: the values of the setting.
const (
	DecimalLiterals = "decimal"
	DoubleLiterals  = "double"
)

// CheckLiterals wants a value of the setting.
func CheckLiterals(value string) error {
	if value != DecimalLiterals && value != DoubleLiterals {
		return errors.New("want " + DecimalLiterals + " or " + DoubleLiterals)
	}
	return nil
}

// pointLiteral translates a number with a point, which is a decimal or a double.
func pointLiteral(text string, double bool) Expr {
	if v, err := strconv.ParseFloat(text, 64); double && err == nil {
		return doubleLiteral(v)
	}
	return decimalLiteral(text)
}

func doubleLiteral(v float64) Expr {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	sql := strconv.FormatFloat(v, 'e', -1, 64)
	if math.IsInf(v, 0) {
		sql = "CAST('" + text + "' AS DOUBLE)"
	}
	return constant(sql, text, types.New(types.Double))
}
