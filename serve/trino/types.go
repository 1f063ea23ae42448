package trino

import (
	"fmt"
	"math"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// column is a column of a result in the form of the protocol.
type column struct {
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Signature signature `json:"typeSignature"`
}

// signature is a type in the form that clients decode values by.
type signature struct {
	RawType   string     `json:"rawType"`
	Arguments []argument `json:"arguments"`
}

// argument is a parameter of a type: a number, a type, or the named type of a row's field.
type argument struct {
	Kind  string `json:"kind"`
	Value any    `json:"value"`
}

type namedType struct {
	Field *fieldName `json:"fieldName,omitempty"` // nil: the field has no name
	Type  signature  `json:"typeSignature"`
}

type fieldName struct {
	Name string `json:"name"`
}

// Kinds of arguments.
const (
	longKind, typeKind, namedKind = "LONG", "TYPE", "NAMED_TYPE"
)

// unbounded is the length that the protocol has for a varchar without one.
const unbounded = math.MaxInt32

// shownType returns the type of values of a result. Sketches arrive as text, since nothing can be done with them.
func shownType(t types.Type) types.Type {
	if t.Is(types.HyperLogLog, types.TDigest, types.QDigest) {
		return types.New(types.Varchar)
	}
	out := t
	out.Elems = make([]types.Type, len(t.Elems))
	for i, e := range t.Elems {
		out.Elems[i] = shownType(e)
	}
	return out
}

// columnsOf returns the columns of a result and their types.
func columnsOf(list []queryservice.ResultColumn) ([]string, []types.Type) {
	names, all := make([]string, len(list)), make([]types.Type, len(list))
	for i, c := range list {
		t, err := types.Parse(c.Type)
		if err != nil {
			t = types.New(types.Varchar)
		}
		names[i], all[i] = c.Name, shownType(t)
	}
	return names, all
}

// columnOf returns a column for a client; precise is as in client.
func columnOf(name string, t types.Type, precise bool) column {
	if !precise {
		t = imprecise(t)
	}
	return column{Name: name, Type: text(t, precise), Signature: signatureOf(t, precise)}
}

// imprecise returns the type that an old client knows: times have milliseconds.
func imprecise(t types.Type) types.Type {
	if t.Is(types.Time, types.Timestamp, types.TimestampTZ) {
		t.Precision = milliseconds
	}
	elems := make([]types.Type, len(t.Elems))
	for i, e := range t.Elems {
		elems[i] = imprecise(e)
	}
	t.Elems = elems
	return t
}

const milliseconds = 3 // digits

// text writes a type; precise is as in client.
func text(t types.Type, precise bool) string {
	parts := make([]string, len(t.Elems))
	for i, e := range t.Elems {
		parts[i] = text(e, precise)
		if t.Kind == types.Row && t.Names[i] != "" {
			parts[i] = t.Names[i] + " " + parts[i]
		}
	}
	switch {
	case len(parts) > 0:
		return baseOf(t) + "(" + strings.Join(parts, ", ") + ")"
	case t.Kind == types.Decimal:
		return fmt.Sprintf("decimal(%d, %d)", t.Precision, t.Scale)
	case !precise && t.Is(types.Time, types.Timestamp, types.TimestampTZ):
		return baseOf(t)
	}
	return t.String()
}

// baseOf returns the name of a type without its parameters.
func baseOf(t types.Type) string { return strings.ToLower(t.Name()) }

func signatureOf(t types.Type, precise bool) signature {
	s := signature{RawType: baseOf(t), Arguments: []argument{}}
	long := func(n int) { s.Arguments = append(s.Arguments, argument{longKind, n}) }
	switch t.Kind {
	case types.Varchar:
		if t.Precision == types.Unbounded {
			long(unbounded)
		} else {
			long(t.Precision)
		}
	case types.Char:
		long(t.Precision)
	case types.Decimal:
		long(t.Precision)
		long(t.Scale)
	case types.Time, types.Timestamp, types.TimestampTZ:
		if precise {
			long(t.Precision)
		}
	case types.Row:
		for i, e := range t.Elems {
			n := namedType{Type: signatureOf(e, precise)}
			if t.Names[i] != "" {
				n.Field = &fieldName{t.Names[i]}
			}
			s.Arguments = append(s.Arguments, argument{namedKind, n})
		}
	default:
		for _, e := range t.Elems {
			s.Arguments = append(s.Arguments, argument{typeKind, signatureOf(e, precise)})
		}
	}
	return s
}
