package scalar

import (
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// Prefix begins the names of the functions in DuckDB.
const Prefix = "presto_"

// Func is a function of one signature. Values are bool, int32, int64, float32,
// float64, string, []byte, and []any of these for arrays; nil is null.
type Func struct {
	Name   string // in DuckDB, with Prefix
	Args   []types.Type
	Result types.Type
	// Nulls means that the function is called with nulls. For others the result is null if an argument is.
	Nulls bool
	// Volatile means that it may answer something else for the same arguments.
	Volatile bool
	// Call gives the result, nil for null. It is called by several goroutines.
	Call func(args []any) (any, error)
}

// Error is an error of a query as Trino has it.
type Error struct {
	Code    string // such as INVALID_FUNCTION_ARGUMENT
	Message string
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// NotSupported is the code of features that this package lacks.
const NotSupported = "NOT_SUPPORTED"

// invalid is the error of an argument that a function does not take.
func invalid(format string, args ...any) error {
	return &Error{Code: "INVALID_FUNCTION_ARGUMENT", Message: fmt.Sprintf(format, args...)}
}

// outOfRange is the error of a number that its type cannot hold.
func outOfRange(format string, args ...any) error {
	return &Error{Code: "NUMERIC_VALUE_OUT_OF_RANGE", Message: fmt.Sprintf(format, args...)}
}

// unsupported is an error with that code.
func unsupported(format string, args ...any) error {
	return &Error{Code: NotSupported, Message: fmt.Sprintf(format, args...)}
}

// errNull is returned for a result that is null.
var errNull = errors.New("null")

// nullable makes a null of errNull.
func nullable[R any](r R, err error) (any, error) {
	if err == nil {
		return r, nil
	}
	if errors.Is(err, errNull) {
		return nil, nil
	}
	return nil, matchError(err)
}

// kindOf returns the type of a Go value in SQL.
func kindOf[T any]() types.Type {
	var v T
	switch any(v).(type) {
	case bool:
		return types.New(types.Boolean)
	case int32:
		return types.New(types.Integer)
	case int64:
		return types.New(types.Bigint)
	case float32:
		return types.New(types.Real)
	case float64:
		return types.New(types.Double)
	case string:
		return types.New(types.Varchar)
	case []byte:
		return types.New(types.Varbinary)
	case texts:
		return types.ArrayOf(types.New(types.Varchar))
	case textLists:
		return types.ArrayOf(types.ArrayOf(types.New(types.Varchar)))
	case numbers:
		return types.ArrayOf(types.New(types.Double))
	}
	panic(fmt.Sprintf("scalar: no type for %T", v))
}

// texts is an array of varchar, textLists one of such arrays, numbers one of double; elements may be nil.
type (
	texts     []any
	textLists []any
	numbers   []any
)

// arg takes a value as DuckDB gives it.
func arg[T any](v any) T {
	if list, ok := v.([]any); ok {
		switch any(*new(T)).(type) {
		case texts:
			return any(texts(list)).(T)
		case numbers:
			return any(numbers(list)).(T)
		}
	}
	t, _ := v.(T)
	return t
}

// one to four make functions of that many arguments.
func one[A, R any](name string, f func(A) (R, error)) Func {
	return Func{Name: Prefix + name, Args: []types.Type{kindOf[A]()}, Result: kindOf[R](), Call: func(a []any) (any, error) {
		return nullable(f(arg[A](a[0])))
	}}
}

func two[A, B, R any](name string, f func(A, B) (R, error)) Func {
	return Func{Name: Prefix + name, Args: []types.Type{kindOf[A](), kindOf[B]()}, Result: kindOf[R](), Call: func(a []any) (any, error) {
		return nullable(f(arg[A](a[0]), arg[B](a[1])))
	}}
}

func three[A, B, C, R any](name string, f func(A, B, C) (R, error)) Func {
	return Func{Name: Prefix + name, Args: []types.Type{kindOf[A](), kindOf[B](), kindOf[C]()}, Result: kindOf[R](),
		Call: func(a []any) (any, error) {
			return nullable(f(arg[A](a[0]), arg[B](a[1]), arg[C](a[2])))
		}}
}

func four[A, B, C, D, R any](name string, f func(A, B, C, D) (R, error)) Func {
	return Func{
		Name: Prefix + name, Args: []types.Type{kindOf[A](), kindOf[B](), kindOf[C](), kindOf[D]()}, Result: kindOf[R](),
		Call: func(a []any) (any, error) {
			return nullable(f(arg[A](a[0]), arg[B](a[1]), arg[C](a[2]), arg[D](a[3])))
		},
	}
}

// All returns the functions.
func All() []Func {
	var all []Func
	for _, l := range [][]Func{stringFuncs, splitFuncs, patternFuncs, jsonFuncs, urlFuncs, binaryFuncs, mathFuncs, statFuncs, textNumberFuncs,
		sqlJSONFuncs, timeFuncs, castFuncs, histogramFuncs, quantileFuncs} {
		all = append(all, l...)
	}
	return all
}
