package signature

import "github.com/pingmill/pingmill/sql/presto/types"

// Vars defines which types variables stand for.
type Vars map[string]types.Type

// Param returns the parameter for argument i of a call whose number of arguments the signature takes.
func (s *Signature) Param(i int) Param { return s.Params[min(i, len(s.Params)-1)] }

// Takes reports whether a call can have n arguments.
func (s *Signature) Takes(n int) bool {
	if s.Variadic {
		return n >= len(s.Params)-1
	}
	return n == len(s.Params)
}

// Match widens the variables so that the parameter takes a value of type t,
// and gives the cost of its coercion: 0 without one. False means that it does
// not take it.
func (p Param) Match(t types.Type, vars Vars) (cost int, ok bool) {
	switch {
	case p.Lambda != nil:
		return 0, false
	case p.Var != "":
		return vars.widen(p.Var, t)
	case t.Kind == types.Unknown:
		p.leave(vars)
		return 1, true
	case p.Elems != nil:
		return p.matchElems(t, vars)
	case p.Any && p.Type.Kind == t.Kind:
		return 0, true
	case p.Any && p.Type.Kind == types.Decimal && t.Whole():
		return distance(t, p.Type), true
	case p.Any && p.Type.Is(types.Timestamp, types.TimestampTZ) && t.Is(types.Date, types.Timestamp) && t.Kind != p.Type.Kind:
		return distance(t, p.Type), p.Type.Kind > t.Kind
	case p.Any && p.Type.Kind == types.Varchar && t.Kind == types.Char:
		return 1, true
	case t.Equal(p.Type):
		return 0, true
	case types.Coerces(t, p.Type):
		return distance(t, p.Type), true
	}
	return 0, false
}

// leave lets the variables of a parameter for null stand for its type, unless they are known.
func (p Param) leave(vars Vars) {
	if _, known := vars[p.Var]; p.Var != "" && !known {
		vars[p.Var] = types.Type{}
	}
	for _, e := range p.Elems {
		e.leave(vars)
	}
}

// distance returns the cost of a coercion, by the order of the kinds.
func distance(from, to types.Type) int {
	if from.Kind == to.Kind {
		return 1
	}
	order := map[types.Kind]int{types.Tinyint: 0, types.Smallint: 1, types.Integer: 2, types.Bigint: 3, types.Decimal: 4, types.Real: 5,
		types.Double: 6}
	a, okA := order[from.Kind]
	b, okB := order[to.Kind]
	if okA && okB && b > a {
		return 1 + b - a
	}
	return 1 + int(to.Kind) - int(from.Kind)
}

func (p Param) matchElems(t types.Type, vars Vars) (cost int, ok bool) {
	if t.Kind != p.Type.Kind || len(t.Elems) != len(p.Elems) {
		return 0, false
	}
	for i, e := range p.Elems {
		c, ok := e.Match(t.Elems[i], vars)
		if !ok {
			return 0, false
		}
		cost += c
	}
	return cost, true
}

func (v Vars) widen(name string, t types.Type) (cost int, ok bool) {
	if name == "E" && !t.Comparable() {
		return 0, false
	}
	known, ok := v[name]
	if !ok || known.Equal(t) {
		v[name] = t
		return 0, true
	}
	if v[name], ok = types.Common(known, t); !ok {
		v[name] = known
	}
	return 1, ok
}

// Solve returns the type that the parameter takes for an argument's type (the zero Type for a result): variables are
// replaced. False if one is not known.
func (p Param) Solve(arg types.Type, vars Vars) (types.Type, bool) {
	switch {
	case p.Var != "":
		t, ok := vars[p.Var]
		return t, ok
	case p.Elems == nil:
		return p.plain(arg), true
	}
	t := types.Type{Kind: p.Type.Kind, Elems: make([]types.Type, len(p.Elems))}
	if t.Kind == types.Row {
		t.Names = make([]string, len(p.Elems))
	}
	for i, e := range p.Elems {
		var ok bool
		sub := types.Type{}
		if arg.Kind == t.Kind && len(arg.Elems) == len(p.Elems) {
			sub = arg.Elems[i]
		}
		if t.Elems[i], ok = e.Solve(sub, vars); !ok {
			return t, false
		}
	}
	return t, true
}

// plain returns the type without variables: a type of any precision takes the argument's precision.
func (p Param) plain(arg types.Type) types.Type {
	switch {
	case !p.Any:
		return p.Type
	case arg.Kind == p.Type.Kind:
		return arg
	case p.Type.Kind == types.Decimal:
		return arg.AsDecimal()
	case p.Type.Is(types.TimestampTZ) && arg.Is(types.Timestamp):
		return types.Type{Kind: p.Type.Kind, Precision: arg.Precision}
	}
	return p.Type
}
