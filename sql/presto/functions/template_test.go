package functions

import (
	"regexp"
	"testing"

	"github.com/pingmill/pingmill/sql/presto/types"
)

var owned = regexp.MustCompile(`\b_[0-9a-z]{4,}`)

// TestApply: parameters are replaced as words, not in text, names in quotes, fields and keys.
func TestApply(t *testing.T) {
	l := &Lambda{Params: []string{"l0_s", "l0_x"},
		Body: `{'l0_x': l0_x, l0_s: 1, "l0_x": 'it''s l0_x'}.l0_s + l0_s::INT + l0_xy + (lambda l1_x: l1_x + l0_x)`}
	want := `{'l0_x': e.x, l0_s: 1, "l0_x": 'it''s l0_x'}.l0_s + a.s::INT + l0_xy + (lambda l1_x: l1_x + e.x)`
	if got := l.Apply("a.s", "e.x"); got != want {
		t.Errorf("%s", got)
	}
}

// TestWith: templates with names of their own, types, and bodies of lambdas whose arguments have bodies.
func TestWith(t *testing.T) {
	bigint := types.New(types.Bigint)
	c := &Call{Type: types.ArrayOf(bigint), Vars: map[string]types.Type{"T": bigint}, Args: []Arg{
		{SQL: "f('a,b', '&2($1)')"}, {SQL: "(lambda x: x + 1)", Lambda: &Lambda{Params: []string{"x"}, Body: "x + 1"}},
	}}
	for _, try := range [][2]string{
		{"list_filter($1, lambda #e: &2(#e) > 0)", "list_filter(f('a,b', '&2($1)'), lambda _e: (_e + 1) > 0)"},
		{"&2(&2(5, 6))", "((5 + 1) + 1)"},
		{"CAST(CAST(NULL AS <T>) AS <>)", "CAST(CAST(NULL AS BIGINT) AS BIGINT[])"},
		{"g($1, &2($1[2]))", "g(f('a,b', '&2($1)'), (f('a,b', '&2($1)')[2] + 1))"},
	} {
		r, err := aggregate(try[0])(c)
		if got := owned.ReplaceAllString(r.SQL, "_e"); err != nil || got != try[1] {
			t.Errorf("%s: %s %v", try[0], got, err)
		}
	}
}

// TestConstants: what must be constant is refused if it is not, or is out of range.
func TestConstants(t *testing.T) {
	bigint, double := types.New(types.Bigint), types.New(types.Double)
	x, half := Arg{SQL: "x", Type: bigint}, Arg{SQL: "0.5", Text: "0.5", Constant: true, Type: double}
	number := func(text string) Arg { return Arg{SQL: text, Text: text, Constant: true, Type: bigint} }
	for _, try := range []struct {
		name string
		args []Arg
		ok   bool
	}{
		{"max", []Arg{x, number("3")}, true}, {"max", []Arg{x, number("0")}, false}, {"max", []Arg{x, number("10001")}, false},
		{"max", []Arg{x, x}, false},
		{"max_by", []Arg{x, x, number("2")}, true}, {"max_by", []Arg{x, x, x}, false},
		{"combinations", []Arg{{SQL: "a", Type: types.ArrayOf(bigint)}, number("2")}, true},
		{"combinations", []Arg{{SQL: "a", Type: types.ArrayOf(bigint)}, number("6")}, false},
		{"approx_distinct", []Arg{x, half}, false}, {"approx_distinct", []Arg{x, {Text: "0.01", Constant: true}}, true},
		{"approx_percentile", []Arg{x, half}, true}, {"approx_percentile", []Arg{x, {Text: "1.5", Constant: true, Type: double}}, false},
		{"approx_most_frequent", []Arg{number("1"), x, number("10")}, false}, {"approx_most_frequent", []Arg{number("2"), x, number("10")}, true},
	} {
		var err error
		for _, form := range Find(try.name).Forms {
			if form.Write != nil && len(try.args) == formArity(form) {
				_, err = form.Write(&Call{Name: try.name, Args: try.args, Type: bigint})
				break
			}
		}
		if (err == nil) != try.ok {
			t.Errorf("%s(%v): %v", try.name, try.args, err)
		}
	}
}

func formArity(f Form) int {
	n := 1
	depth := 0
	for _, c := range f.Signature {
		switch {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return n
			}
		case c == ',' && depth == 1:
			n++
		}
	}
	return n
}
