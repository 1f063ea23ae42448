// Package signature reads signatures of functions, such as "(array(T), bigint) -> T",
// and finds which types their variables stand for in a call.
package signature

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// Signature has the types of a function's parameters and result.
type Signature struct {
	Params []Param
	// Variadic means that the last of Params may come any number of times, also not at all.
	Variadic bool
	Result   Param
}

// Param is a type that may have variables in it.
type Param struct {
	Var    string     // a type variable, or ""
	Type   types.Type // without a variable: the type. With Elems: only its kind (and names) count
	Elems  []Param    // of an array, map or row with variables in it
	Lambda *Lambda    // or nil
	// Any means that a decimal, timestamp or the like of any precision is taken, and a varchar of any length.
	Any bool
}

// Lambda is function(T, U): its last type is the type of its result.
type Lambda struct {
	Params []Param
	Result Param
}

// parameterised are the types that, without parameters, stand for all of their kind.
var parameterised = []types.Kind{types.Decimal, types.Varchar, types.Char, types.Time, types.Timestamp, types.TimestampTZ, types.QDigest}

// Parse reads a signature.
func Parse(text string) (*Signature, error) {
	in, out, ok := strings.Cut(text, " -> ")
	if !ok || !strings.HasPrefix(in, "(") || !strings.HasSuffix(in, ")") {
		return nil, fmt.Errorf("signature %s: not of the form (types) -> type", text)
	}
	s := &Signature{}
	for _, part := range split(in[1 : len(in)-1]) {
		if s.Variadic {
			return nil, fmt.Errorf("signature %s: ... is not last", text)
		}
		part, s.Variadic = strings.CutSuffix(part, "...")
		p, err := parseParam(part)
		if err != nil {
			return nil, fmt.Errorf("signature %s: %w", text, err)
		}
		s.Params = append(s.Params, p)
	}
	var err error
	if s.Result, err = parseParam(out); err != nil {
		return nil, fmt.Errorf("signature %s: %w", text, err)
	}
	return s, nil
}

func parseParam(text string) (Param, error) {
	text = strings.TrimSpace(text)
	if len(text) == 1 && unicode.IsUpper(rune(text[0])) {
		return Param{Var: text}, nil
	}
	name, rest, bracket := strings.Cut(text, "(")
	if !bracket || name != "function" && !hasVariable(rest) {
		t, err := types.Parse(text)
		return Param{Type: t, Any: !bracket && t.Is(parameterised...)}, err
	}
	parts := split(strings.TrimSuffix(rest, ")"))
	var elems []Param
	for _, part := range parts {
		e, err := parseParam(part)
		if err != nil {
			return Param{}, err
		}
		elems = append(elems, e)
	}
	kinds := map[string]types.Kind{"array": types.Array, "map": types.Map, "row": types.Row, "qdigest": types.QDigest}
	kind, ok := kinds[name]
	switch {
	case name == "function":
		return Param{Lambda: &Lambda{elems[:len(elems)-1], elems[len(elems)-1]}}, nil
	case !ok:
		return Param{}, fmt.Errorf("%s cannot have variables", name)
	}
	return Param{Type: types.Type{Kind: kind, Names: make([]string, len(elems))}, Elems: elems}, nil
}

func hasVariable(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("(), ", c) }) {
		if len(word) == 1 && unicode.IsUpper(rune(word[0])) || word == "function" {
			return true
		}
	}
	return strings.HasPrefix(text, "function")
}

// split cuts at the commas outside of brackets.
func split(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if strings.TrimSpace(text) != "" {
		parts = append(parts, strings.TrimSpace(text[start:]))
	}
	return parts
}
