package query

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed pack.sql
var pack string

// mostArguments is how many arguments the macros of variable length take: a
// macro has a form for each number.
const mostArguments = 16

// macros is the SQL that defines Presto's functions.
func macros() string {
	return pack + ";\n" + strings.Join([]string{
		variadic("greatest", nullIfAny("greatest")),
		variadic("least", nullIfAny("least")),
		variadic("concat", func(params []string) string { return strings.Join(params, " || ") }),
	}, ";\n")
}

// variadic writes a macro with 1 to mostArguments parameters.
func variadic(name string, body func(params []string) string) string {
	var forms, params []string
	for n := range mostArguments {
		params = append(params, fmt.Sprintf("p%d", n+1))
		forms = append(forms, "("+strings.Join(params, ", ")+") AS "+body(params))
	}
	return "CREATE MACRO " + name + strings.Join(forms, ", ")
}

// nullIfAny is a builtin that skips nulls, made null by any of them.
func nullIfAny(builtin string) func([]string) string {
	return func(params []string) string {
		return "CASE WHEN " + strings.Join(params, " IS NULL OR ") + " IS NULL THEN NULL ELSE system.main." +
			builtin + "(" + strings.Join(params, ", ") + ") END"
	}
}
