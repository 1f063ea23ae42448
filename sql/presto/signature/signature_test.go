package signature

import (
	"testing"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// TestMatch: arguments, the solved types of the parameters, the result, and what the coercions cost.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		signature string
		args      []string
		result    string // "" if it does not take them
		cost      int
	}{
		{"(array(T), bigint) -> T", []string{"array(varchar(3))", "integer"}, "varchar(3)", 2},
		{"(map(K, V), K) -> V", []string{"map(bigint, double)", "integer"}, "double", 1},
		{"(T, T...) -> T", []string{"integer", "bigint", "decimal(3,1)"}, "decimal(20,1)", 2},
		{"(bigint) -> bigint", []string{"double"}, "", 0},
		{"(E) -> bigint", []string{"HyperLogLog"}, "", 0},
		{"(timestamp) -> date", []string{"date"}, "date", 3},
		{"(varchar, varchar) -> varchar", []string{"varchar(3)", "unknown"}, "varchar", 1},
		{"(array(row(K, V))) -> map(K, array(V))", []string{"array(row(a integer, b date))"}, "map(integer, array(date))", 0},
		{"() -> double", nil, "double", 0},
		{"(varchar...) -> varchar", nil, "varchar", 0},
	} {
		s, err := Parse(c.signature)
		if err != nil {
			t.Fatal(err)
		}
		ok, cost, vars := s.Takes(len(c.args)), 0, Vars{}
		for i, a := range c.args {
			arg, err := types.Parse(a)
			if err != nil {
				t.Fatal(err)
			}
			p := s.Param(i)
			n, takes := p.Match(arg, vars)
			cost, ok = cost+n, ok && takes
		}
		if ok != (c.result != "") {
			t.Errorf("%s of %v: %v", c.signature, c.args, ok)
			continue
		}
		if got, _ := s.Result.Solve(types.Type{}, vars); ok && (got.String() != c.result || cost != c.cost) {
			t.Errorf("%s of %v: %s at cost %d", c.signature, c.args, got, cost)
		}
	}
}

// TestParseRefuses: what is no signature.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "bigint -> bigint", "(nothing) -> bigint", "(bigint)", "(T..., T) -> T", "(set(T)) -> T"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	s, err := Parse("(array(T), S, function(S, T, S), function(S, R)) -> R")
	if err != nil || len(s.Params) != 4 || len(s.Params[2].Lambda.Params) != 2 || s.Params[3].Lambda.Result.Var != "R" {
		t.Errorf("reduce: %+v, %v", s, err)
	}
}
