package view

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrune(t *testing.T) {
	c := Column{Name: "m", Type: `STRUCT("a" BIGINT, b STRUCT("x, (" VARCHAR, "y""z" MAP(VARCHAR, STRUCT(q INTEGER))), "c" DECIMAL(10,2)[])`}
	for _, k := range []struct {
		paths [][]string
		want  string
		ok    bool
	}{
		{[][]string{{"a"}}, `STRUCT("a" BIGINT)`, true},
		{[][]string{{"c"}, {"b", "x, ("}}, `STRUCT("b" STRUCT("x, (" VARCHAR), "c" DECIMAL(10,2)[])`, true},
		{[][]string{{"b", `y"z`}, {"a"}}, `STRUCT("a" BIGINT, "b" STRUCT("y""z" MAP(VARCHAR, STRUCT(q INTEGER))))`, true},
		{[][]string{{"b"}, {"b", "no"}}, `STRUCT("b" STRUCT("x, (" VARCHAR, "y""z" MAP(VARCHAR, STRUCT(q INTEGER))))`, true},
		{[][]string{{"a"}, {}}, c.Type, true},
		{paths: [][]string{{"b", "no"}}},
		{paths: [][]string{{"a", "below"}}},
		{paths: [][]string{{"c", "element"}}},
		{paths: nil},
	} {
		got, ok := c.Prune(k.paths)
		require.Equal(t, k.ok, ok, k.paths)
		if ok {
			require.Equal(t, Column{"m", k.want}, got)
		}
	}
	for _, typ := range []string{
		"", "STRUCT()", "STRUCT(a", "STRUCT(a)", `STRUCT("a BIGINT)`, "STRUCT(a BIGINT)[]", "BIGINT", "STRUCT(a STRUCT(b INTEGER)[])",
	} {
		_, ok := Column{Type: typ}.Prune([][]string{{"a", "b"}})
		require.False(t, ok, typ)
	}
}

func TestPathsIn(t *testing.T) {
	c := Column{Name: "metrics"}
	for text, want := range map[string][][]string{
		"":                         nil,
		"metric, metrics_2":        nil,
		"metrics":                  {{}},
		"metrics.counter.x>5":      {{"counter", "x"}},
		"(metrics.a='metrics.b.')": {{"a"}, {"b"}},
		"struct_extract(metrics, 'counter') IS NOT NULL":                                 {{"counter"}},
		"f(struct_extract(struct_extract(metrics, 'uuid'), 'id')) IS NOT TRUE":           {{"uuid", "id"}},
		"struct_extract(struct_extract(metrics.a, 'b'), c) AND struct_extract(metrics, ": {{"a", "b"}, {}},
		"struct_extract(metrics, 'it''s')":                                               {{}},
	} {
		require.Equal(t, want, c.PathsIn(text), text)
	}
}
