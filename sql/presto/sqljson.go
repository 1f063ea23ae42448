package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// special translates json_value, json_query and json_exists.
func (t *translator) special(s *Scope, e syntax.Expr) Expr {
	var j functions.SQLJSON
	name, typ := "", varchar
	switch e := e.(type) {
	case *syntax.JSONValue:
		if e.Returning != nil {
			typ = t.namedType(e.Returning)
		}
		if !typ.Is(functions.JSONTypes...) {
			t.refuse(e, "CAST(json_value(…) AS …) makes one of its text", "json_value does not return %s here", typ)
		}
		j = t.jsonCall(s, e.Path, typ, e.OnEmpty, e.OnError)
		kind := types.Type{Kind: typ.Kind}
		name, j.Options = "json_value", []string{"'" + kind.String() + "'"}
	case *syntax.JSONQuery:
		if e.Returning != nil {
			if typ = t.namedType(e.Returning.Type); !typ.Is(types.Varchar) {
				t.refuse(e, "", "json_query returns varchar only here")
			}
		}
		j = t.jsonCall(s, e.Path, typ, e.OnEmpty, e.OnError)
		wrapper := map[syntax.JSONWrapper]string{syntax.ConditionalWrapper: "conditional", syntax.UnconditionalWrapper: "always"}[e.Wrapper]
		quotes := map[bool]string{true: "true", false: "false"}[e.OmitQuotes]
		name, j.Options = "json_query", []string{"'" + wrapper + "'", quotes}
	case *syntax.JSONExists:
		typ = types.New(types.Boolean)
		j = t.jsonCall(s, e.Path, typ, syntax.JSONBehavior{}, e.OnError)
		if name = "json_exists"; e.OnError.Kind == syntax.JSONUnsaid {
			j.Wrong = "false"
		}
	case *syntax.JSONArray:
		return t.jsonArray(s, e)
	case *syntax.JSONObject:
		return t.jsonObject(s, e)
	}
	return Expr{SQL: mark(e, j.SQL(name)), Type: typ}
}

// jsonCall translates what the three have in common.
func (t *translator) jsonCall(s *Scope, p syntax.JSONPath, typ types.Type, empty, wrong syntax.JSONBehavior) functions.SQLJSON {
	x := t.expr(s, p.Input.X)
	switch {
	case x.Type.Kind == types.Unknown:
		x = t.coerce(x, varchar)
	case !x.Type.Is(types.Varchar, types.Char):
		t.fail(p.Input.X, "json_format(x) makes text of JSON", "the input is text, not %s", x.Type)
	}
	if len(p.Passing) > 0 {
		t.refuse(p.Passing[0], "", "PASSING is not supported")
	}
	t.check(p.Path, scalar.CheckSQLPath(p.Path.Value))
	return functions.SQLJSON{Input: x.SQL, Path: literal(p.Path).SQL, Type: typ, Empty: t.behavior(s, empty, typ),
		Wrong: t.behavior(s, wrong, typ)}
}

// behavior returns the result ON EMPTY or ON ERROR; "" raises an error.
func (t *translator) behavior(s *Scope, b syntax.JSONBehavior, typ types.Type) string {
	if b.Kind == syntax.JSONDefault {
		return t.coerce(t.expr(s, b.Default), typ).SQL
	}
	values := []string{syntax.JSONUnsaid: "NULL", syntax.JSONError: "", syntax.JSONNull: "NULL", syntax.JSONTrue: "true",
		syntax.JSONFalse: "false", syntax.JSONUnknown: "NULL", syntax.JSONEmptyArray: "'[]'", syntax.JSONEmptyObject: "'{}'"}
	return values[b.Kind]
}

func (t *translator) jsonArray(s *Scope, e *syntax.JSONArray) Expr {
	t.jsonReturning(e.Returning)
	items := []string{"NULL"}
	for _, in := range e.Elems {
		items = append(items, t.jsonItem(s, in, e.NullOnNull))
	}
	return Expr{SQL: "concat('[', concat_ws(',', " + strings.Join(items, ", ") + "), ']')", Type: varchar}
}

func (t *translator) jsonObject(s *Scope, e *syntax.JSONObject) Expr {
	t.jsonReturning(e.Returning)
	if e.UniqueKeys {
		t.refuse(e, "", "WITH UNIQUE KEYS is not supported")
	}
	items := []string{"NULL"}
	for _, m := range e.Members {
		key := t.expr(s, m.Key)
		if key.Type.Kind != types.Varchar {
			t.fail(m.Key, "", "the key of a member is text, not %s", key.Type)
		}
		items = append(items, "("+t.jsonText(m.Key, key)+" || ':' || "+t.jsonItem(s, m.Value, !e.AbsentOnNull)+")")
	}
	return Expr{SQL: "concat('{', concat_ws(',', " + strings.Join(items, ", ") + "), '}')", Type: varchar}
}

func (t *translator) jsonReturning(r *syntax.JSONReturning) {
	if r != nil && (r.Encoding != "" || t.namedType(r.Type).Kind != types.Varchar) {
		t.refuse(r, "", "this function returns varchar only here")
	}
}

// jsonText returns a value as JSON has it.
func (t *translator) jsonText(at syntax.Node, x Expr) string {
	sql, err := cast.SQL(x.SQL, x.Type, types.New(types.JSON))
	t.check(at, err)
	return "CAST(" + sql + " AS VARCHAR)"
}

// jsonItem returns an element of an array or the value of a member: null is null in JSON, or absent.
func (t *translator) jsonItem(s *Scope, in syntax.JSONInput, keep bool) string {
	x := t.expr(s, in.X)
	sql := "CAST(NULL AS VARCHAR)"
	switch {
	case in.Format || x.Type.Is(types.Array, types.Map, types.Row):
		t.refuse(in, "json_format(CAST(… AS json)) makes text of values", "a value of type %s is not supported here", x.Type)
	case x.Type.Kind != types.Unknown:
		sql = t.jsonText(in, x)
	}
	if keep {
		return "coalesce(" + sql + ", 'null')"
	}
	return sql
}
