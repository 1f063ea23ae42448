package presto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/signature"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// call translates a call of a function.
func (t *translator) call(s *Scope, e *syntax.Call) Expr {
	name := e.Name.Key()
	if special := conditionals[name]; special != nil {
		t.onlyScalar(e)
		return special(t, s, e)
	}
	f := functions.Find(name)
	if hint, known := functions.Refused[name]; known {
		t.refuse(e.Name, hint, "the function %s is not available here", name)
	}
	if f == nil {
		t.fail(e.Name, functionHint(name), "there is no function %s", e.Name.Key())
	}
	switch {
	case f.Kind == functions.Scalar:
		t.onlyScalar(e)
		return t.apply(s, e, f)
	case e.Over != nil:
		return t.hoist(t.windowCall(s, e, f))
	case f.Kind == functions.Window:
		t.fail(e, "", "%s needs OVER (…)", name)
	case s.Aggregates == nil:
		t.fail(e, "", "the %s cannot contain the aggregate %s", s.clause(), name)
	}
	return t.hoist(t.aggregateCall(s, e, f))
}

// clause names the place in messages.
func (s *Scope) clause() string {
	if s.Clause == "" {
		return "expression"
	}
	return s.Clause
}

// onlyScalar refuses what only aggregates have.
func (t *translator) onlyScalar(e *syntax.Call) {
	switch name := e.Name.Key(); {
	case e.Star:
		t.fail(e, "", "%s does not take *", name)
	case e.Distinct, len(e.OrderBy) > 0, e.Filter != nil:
		t.fail(e, "", "%s is no aggregate: it takes no DISTINCT, ORDER BY or FILTER", name)
	case e.Over != nil:
		t.fail(e, "", "%s is no window function or aggregate", name)
	case e.Nulls != syntax.NullsUnsaid:
		t.fail(e, "", "%s is no window function", name)
	}
}

// candidate is a form of a function that takes the arguments.
type candidate struct {
	form *functions.Form
	sig  *signature.Signature
	vars signature.Vars
	cost int
	args []Expr
}

// apply translates the arguments in their scope and fills in the template of the form that takes them.
func (t *translator) apply(inner *Scope, e *syntax.Call, f *functions.Function) Expr {
	c := t.bind(inner, e, f)
	typ, ok := c.sig.Result.Solve(types.Type{}, c.vars)
	if !ok {
		t.fail(e, "", "the type of %s is not known", f.Name)
	}
	call := &functions.Call{Name: f.Name, Type: typ, Vars: c.vars, Distinct: e.Distinct && len(e.OrderBy) == 0}
	for _, a := range c.args {
		call.Args = append(call.Args, a.arg())
	}
	t.distinctArgs(e, f, call.Args)
	if c.form.Write != nil {
		result, err := c.form.Write(call)
		t.check(e, err)
		if result.Type.Kind != types.Unknown {
			typ = result.Type
		}
		return keyed(f, c, Expr{SQL: mark(e, result.SQL), Type: typ})
	}
	return keyed(f, c, Expr{SQL: mark(e, fill(f, c, call)), Type: typ})
}

// keyed says of the day of a partition key that it is one: date_parse(key, '%Y%m%d'), and date() of that.
func keyed(f *functions.Function, c *candidate, x Expr) Expr {
	if len(c.args) == 0 || !c.args[0].Key {
		return x
	}
	switch f.Name {
	case "date_parse":
		x.Key = c.args[1].Constant && !strings.ContainsAny(c.args[1].Text, "HhIiklprSsTf")
	case "date":
		if c.args[0].Type.Kind != types.Timestamp {
			break
		}
		x.Midnight = c.args[0].SQL
	}
	return x
}

// fill fills in the template of a form. Arguments of aggregates stay where they are.
func fill(f *functions.Function, c *candidate, call *functions.Call) string {
	args := make([]string, len(call.Args))
	for i, a := range call.Args {
		args[i] = a.SQL
	}
	rest := 0
	if c.sig.Variadic {
		rest = len(c.sig.Params) - 1
	}
	if f.Kind == functions.Scalar {
		return duck.Fill(c.form.SQL, args, rest)
	}
	return duck.Replace(c.form.SQL, args, rest)
}

// bind finds the form whose signature takes the arguments at the least cost.
func (t *translator) bind(s *Scope, e *syntax.Call, f *functions.Function) *candidate {
	args := make([]Expr, len(e.Args))
	for i, a := range e.Args {
		if _, lambda := a.(*syntax.Lambda); !lambda {
			args[i] = t.expr(s, a)
		}
	}
	var best *candidate
	var failed *syntax.Error
	for i := range f.Forms {
		c, err := t.try1(s, e, &f.Forms[i], args)
		if err != nil && failed == nil {
			failed = err
		}
		if c != nil && (best == nil || c.cost < best.cost) {
			best = c
		}
	}
	if best != nil {
		return best
	}
	if failed != nil {
		panic(failed)
	}
	t.fail(e, argumentHint(f, args), "%s does not take (%s): it takes %s", f.Name, typeList(e, args), formList(f))
	return nil
}

// try1 matches one form; nil if it does not take the arguments. An error is one in
// the body of a lambda.
func (t *translator) try1(s *Scope, e *syntax.Call, form *functions.Form, args []Expr) (c *candidate, failed *syntax.Error) {
	sig := parsed(form.Signature)
	if !sig.Takes(len(args)) {
		return nil, nil
	}
	defer func() {
		if err, ok := recover().(*syntax.Error); ok {
			c, failed = nil, err
		}
	}()
	c = &candidate{form: form, sig: sig, vars: signature.Vars{}, args: slices.Clone(args)}
	for i, a := range args {
		p := sig.Param(i)
		_, lambda := e.Args[i].(*syntax.Lambda)
		if lambda != (p.Lambda != nil) {
			return nil, nil
		}
		if !lambda {
			cost, ok := p.Match(a.Type, c.vars)
			if !ok {
				return nil, nil
			}
			c.cost += cost
		}
	}
	if !t.solveLambdas(s, e, c) {
		return nil, nil
	}
	for i := range args {
		p := sig.Param(i)
		if p.Lambda != nil {
			continue
		}
		to, ok := p.Solve(args[i].Type, c.vars)
		if !ok {
			return nil, nil
		}
		c.args[i] = t.coerce(args[i], to)
	}
	return c, nil
}

// solveLambdas translates lambdas from left to right. A body may widen a
// variable, such as the state of reduce: then all are translated again.
func (t *translator) solveLambdas(s *Scope, e *syntax.Call, c *candidate) bool {
	for range 4 {
		before := fmt.Sprint(c.vars)
		for i, a := range e.Args {
			l, ok := a.(*syntax.Lambda)
			if !ok {
				continue
			}
			p := c.sig.Param(i)
			if c.args[i], ok = t.lambda(s, l, p.Lambda, c.vars); !ok {
				return false
			}
		}
		if fmt.Sprint(c.vars) == before {
			return true
		}
	}
	return false
}

// lambda translates one lambda, and widens the variables by the type of its body.
func (t *translator) lambda(s *Scope, e *syntax.Lambda, p *signature.Lambda, vars signature.Vars) (Expr, bool) {
	if len(e.Params) != len(p.Params) {
		return Expr{}, false
	}
	l := &functions.Lambda{}
	var names []Named
	for i, param := range e.Params {
		typ, ok := p.Params[i].Solve(types.Type{}, vars)
		if !ok {
			return Expr{}, false
		}
		name := fmt.Sprintf("l%d_%s", t.lambdas, plainName(param.Key()))
		l.Params, l.Types = append(l.Params, name), append(l.Types, typ)
		names = append(names, Named{Name: param.Key(), SQL: name, Type: typ})
	}
	t.lambdas++
	body := t.expr(s.lambda(names), e.Body)
	t.lambdas--
	if _, ok := p.Result.Match(body.Type, vars); !ok {
		t.fail(e.Body, "", "the lambda gives %s here, which does not fit", body.Type)
	}
	if to, ok := p.Result.Solve(body.Type, vars); ok {
		body = t.coerce(body, to)
	}
	l.Body = body.SQL
	return Expr{SQL: "(lambda " + strings.Join(l.Params, ", ") + ": " + body.SQL + ")", Type: body.Type, Lambda: l, Node: e}, true
}

// plainName makes a word that needs no quotes.
func plainName(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, s)
}
