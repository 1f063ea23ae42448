// Package duck writes pieces of DuckDB's SQL.
package duck

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Text returns a constant of type VARCHAR.
func Text(s string) string {
	if !strings.ContainsAny(s, "\x00\x01\x02\x03\x04\x05\x06\x07\x08") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var parts []string
	for _, c := range s {
		if c <= 8 {
			parts = append(parts, "chr("+strconv.Itoa(int(c))+")")
		} else {
			parts = append(parts, Text(string(c)))
		}
	}
	return "concat(" + strings.Join(parts, ", ") + ")"
}

// Name returns a name in quotes.
func Name(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Cast is x as the type.
func Cast(x, typ string) string { return "CAST(" + x + " AS " + typ + ")" }

var volatile = lazy.Regexp(`\b(random|uuid|gen_random_uuid)\(`)

// simple is SQL that costs nothing to compute twice: a name, a number, short text, perhaps
// in a cast.
var simple = lazy.Regexp(`^(CAST\()*([\w."]+|-?\d+(\.\d+)?|'[^']{0,40}')( AS [A-Z]+(\(\d+(,\d+)?\))?\))*$`)

// Volatile reports whether SQL gives another value each time it is computed.
func Volatile(sql string) bool { return volatile().MatchString(sql) }

// Simple reports whether SQL may be written more than once.
func Simple(sql string) bool { return simple().MatchString(Unmark(sql)) }

// Bind returns what body writes. body may write each argument as often as uses says; those that are not Simple and
// written more than once are computed once.
func Bind(args []string, uses func(i int) int, body func(args []string) string) string {
	bind := false
	for i, a := range args {
		bind = bind || uses(i) > 1 && !Simple(a)
	}
	if !bind {
		return body(args)
	}
	// The name depends on the arguments alone, so that equal expressions are written alike, as GROUP BY needs it.
	name := "_" + hash(Unmark(strings.Join(args, ",")))
	inner := make([]string, len(args))
	var fields []string
	for i, a := range args {
		if Simple(a) || uses(i) == 0 || strings.HasPrefix(a, "(lambda ") {
			inner[i] = a
			continue
		}
		field := "a" + strconv.Itoa(i)
		inner[i] = name + "." + field
		fields = append(fields, field+": "+a)
	}
	return "list_transform([{" + strings.Join(fields, ", ") + "}], lambda " + name + ": " + body(inner) + ")[1]"
}

// Once returns what body writes of x, which may be written any number of times.
func Once(x string, body func(x string) string) string {
	return Bind([]string{x}, func(int) int { return 2 }, func(a []string) string { return body(a[0]) })
}

func hash(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 36)
}

// Fill replaces $1, $2, … in a template by the arguments, each computed once, and $* by those from
// number rest on.
func Fill(template string, args []string, rest int) string {
	uses := func(i int) int {
		n := 0
		if i >= rest {
			n = strings.Count(template, "$*")
		}
		for _, m := range places().FindAllString(template, -1) {
			if m == fmt.Sprintf("$%d", i+1) {
				n++
			}
		}
		return n
	}
	return Bind(args, uses, func(args []string) string { return Replace(template, args, rest) })
}

var places = lazy.Regexp(`\$(\d+|\*)`)

// Replace is Fill that computes arguments as often as they are written.
func Replace(template string, args []string, rest int) string {
	return places().ReplaceAllStringFunc(template, func(m string) string {
		if m == "$*" {
			return strings.Join(args[min(rest, len(args)):], ", ")
		}
		n, _ := strconv.Atoi(m[1:])
		if n > len(args) {
			return "NULL"
		}
		return args[n-1]
	})
}
