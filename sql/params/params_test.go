package params

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	today  = time.Date(2018, 3, 10, 0, 0, 0, 0, time.UTC)
	newest = time.Date(2018, 3, 8, 0, 0, 0, 0, time.UTC)
)

// values reads JSON, as requests bring them.
func values(t *testing.T, text string) map[string]any {
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

// TestExpand: each kind becomes its literal.
func TestExpand(t *testing.T) {
	declared := []Parameter{
		{Name: "t", Kind: Text, Default: "it's"}, {Name: "n", Kind: Number, Default: "12"}, {Name: "d", Kind: Day, Default: "newest-1"},
		{Name: "r", Kind: Days, Default: "last 3 days"}, {Name: "c", Kind: Choice, Choices: []string{"release", "beta"}, Default: "beta"},
		{Name: "l", Kind: List, Default: []any{"a", "b'"}},
	}
	require.NoError(t, Check(declared))
	for _, c := range []struct{ sql, values, want string }{
		{"{{t}}", `{}`, "'it''s'"},
		{"x = {{ t }};", `{"t": "a\n'; DROP"}`, "x = 'a\n''; DROP';"},
		{"1-{{n}}", `{"n": -5}`, "1- (-5)"},
		{"{{n}}e5", `{"n": "1e3"}`, "1e3 e5"},
		{"{{n}}", `{"n": 0.5}`, "0.5"},
		{"{{n}}", `{}`, "12"},
		{"{{d}},{{d.dashed}}", `{}`, "'20180307','2018-03-07'"},
		{"{{d}}", `{"d": "yesterday - 2"}`, "'20180307'"},
		{"{{r.from}},{{r.to.dashed}}", `{}`, "'20180307','2018-03-09'"},
		{"{{r.from}},{{r.to}}", `{"r": {"from": "2018-03-01", "to": "today"}}`, "'20180301','20180310'"},
		{"{{r.from}},{{r.to}}", `{"r": "newest 2 days"}`, "'20180307','20180308'"},
		{"{{r.from}},{{r.to}}", `{"r": "20180301..20180302"}`, "'20180301','20180302'"},
		{"{{r.from}},{{r.to}}", `{"r": "20180301"}`, "'20180301','20180301'"},
		{"{{c}}", `{"c": "release"}`, "'release'"},
		{"IN ({{l}})", `{}`, "IN ('a', 'b''')"},
		{"IN ({{l}})", `{"l": [1, -2.5]}`, "IN (1, (-2.5))"},
		{"{{other}} {{the_day}}", `{"other": 7, "the_day": "newest"}`, ""}, // side by side
		{"{{other}}, {{the_day}}, {{e.from}}", `{"other": 7, "the_day": "newest", "e": "today"}`, "7, '20180308', '20180310'"},
		{"'{{t}}' || \"{{t}}\" /* {{x}} */ -- {{y}}\n", `{}`, "'{{t}}' || \"{{t}}\" /* {{x}} */ -- {{y}}\n"},
	} {
		e, err := Expand(Input{SQL: c.sql, Dialect: Presto, Declared: declared, Values: values(t, c.values), Today: today, Newest: newest})
		if c.want == "" {
			require.Error(t, err, c.sql)
			continue
		}
		require.NoError(t, err, c.sql)
		require.Equal(t, c.want, e.SQL)
		again, err := Expand(Input{SQL: c.sql, Dialect: Presto, Declared: declared, Values: e.Values})
		require.NoError(t, err, c.sql)
		require.Equal(t, e.SQL, again.SQL, "the values say all")
		_, err = json.Marshal(e.Values)
		require.NoError(t, err)
	}
}

// TestRefused: values that do not fit are errors, at the place of the parameter.
func TestRefused(t *testing.T) {
	declared := []Parameter{{Name: "n", Kind: Number}, {Name: "c", Kind: Choice, Choices: []string{"a"}}, {Name: "d", Kind: Day},
		{Name: "r", Kind: Days},
		{Name: "l", Kind: List, Choices: []string{"1", "x"}}, {Name: "t", Kind: Text}}
	for _, c := range []struct{ sql, values, want string }{
		{"{{n}}", `{}`, "parameter n has no value"},
		{"{{n}}", `{"n": "1 OR 1=1"}`, "is no number"},
		{"{{n}}", `{"n": "0x1"}`, "is no number"},
		{"{{n}}", `{"n": 1e300}`, "too large"},
		{"{{n}}", `{"n": [1]}`, "is no number"},
		{"{{c}}", `{"c": "b"}`, "must be one of: a"},
		{"{{d}}", `{"d": "20180230"}`, "is no day"},
		{"{{d}}", `{"d": 20180201}`, "is no day"},
		{"{{d.from}}", `{"d": "today"}`, "only a range"},
		{"{{r}}", `{"r": "today"}`, "write {{r.from}}"},
		{"{{r.to}}", `{"r": "20180302..20180301"}`, "before it begins"},
		{"{{r.to}}", `{"r": "last 0 days"}`, "has no day"},
		{"{{r.to}}", `{"r": {"from": "today"}}`, "write {from, to}"},
		{"{{t.dashed}}", `{"t": "x"}`, "only days can be written with dashes"},
		{"{{t}}", `{"t": "a\u0000"}`, "no text"},
		{"{{t}}", `{"t": 5}`, "is no text"},
		{"{{l}}", `{"l": []}`, "0 values"},
		{"{{l}}", `{"l": ["x", 1]}`, "one of the two"},
		{"{{l}}", `{"l": [2]}`, "must be of"},
		{"{{t}}", `{"t": "x", "u": 1}`, "the query has no parameter u"},
		{"{{t.size}}", `{}`, "no member size"},
		{"{{t.dashed.from}}", `{}`, "no member dashed"},
		{"{{my day}}", `{}`, "is no parameter"},
		{"'a' {{t}}", `{"t": "x"}`, "cannot follow a text"},
		{"{{t}} /* */ 'a'", `{"t": "x"}`, "cannot follow a parameter"},
		{"é, {{t}}", `{"t": "x"}`, "outside of quotes"},
		{"-- \r {{t}}", `{"t": "x"}`, "carriage return"},
		{"a$b, {{t}}", `{"t": "x"}`, "name with $"},
		{"E'a' 'b\\' || {{t}} || '", `{"t": "x"}`, "no text can follow another"},
	} {
		_, err := Expand(Input{SQL: "SELECT\n " + c.sql, Dialect: DuckDB, Declared: declared, Values: values(t, c.values), Today: today})
		require.ErrorContains(t, err, c.want, c.sql)
		var e *Error
		require.ErrorAs(t, err, &e)
		if strings.Contains(c.want, "has no parameter") {
			require.Zero(t, e.Line)
		} else {
			require.Equal(t, 2, e.Line, c.sql)
			require.GreaterOrEqual(t, e.Column, 2)
		}
	}
	for _, p := range []Parameter{{Name: "1", Kind: Text}, {Name: "a", Kind: "x"}, {Name: "a", Kind: Choice},
		{Name: "a", Kind: Day, Default: "soon"}} {
		require.Error(t, Check([]Parameter{p}), p)
	}
	require.Error(t, Check([]Parameter{{Name: "a", Kind: Text}, {Name: "a", Kind: Text}}))
}

// TestFind: parameters and the kinds that their places suggest, in each dialect's reading of comments and texts.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		sql            string
		presto, duckdb []Parameter
	}{
		{"{{a}}, {{day}}, {{a}}, {{r.from}}, {{x.dashed}}, {{first_date}}", nil, nil},
		{"/* /* */ {{a}} */", []Parameter{{Name: "a", Kind: Text}}, []Parameter(nil)},
		{`e'\', {{a}} --'`, []Parameter{{Name: "a", Kind: Text}}, []Parameter(nil)},
		{"MAP {{'a': 1}: 2}, $$ {{a}} $$, 'a''{{b}}', $1", []Parameter{{Name: "a", Kind: Text}}, []Parameter(nil)},
	} {
		if c.presto == nil {
			c.presto = []Parameter{{Name: "a", Kind: Text}, {Name: "day", Kind: Day}, {Name: "r", Kind: Days}, {Name: "x", Kind: Day},
				{Name: "first_date", Kind: Day}}
			c.duckdb = c.presto
		}
		for d, want := range map[Dialect][]Parameter{Presto: c.presto, DuckDB: c.duckdb} {
			got, err := Find(c.sql, d)
			require.NoError(t, err, c.sql)
			require.Equal(t, want, got, "%s as %s", c.sql, d)
		}
	}
}

// TestPlace: a place in the text that runs is one in the text as written.
func TestPlace(t *testing.T) {
	sql := "SELECT {{a}},\n 'é' || {{b}} + wrong,\n{{a}} bad"
	e, err := Expand(Input{SQL: sql, Dialect: Presto, Values: map[string]any{"a": "x\ny\nz", "b": "it's long enough"}})
	require.NoError(t, err)
	for _, word := range []string{"SELECT", "'é'", "wrong", "bad"} {
		require.Equal(t, strings.Index(sql, word), e.Offset(strings.Index(e.SQL, word)), word)
		line, column, _ := locate(e.SQL, strings.Index(e.SQL, word))
		gotLine, gotColumn, text := e.Place(line, column)
		wantLine, wantColumn, wantText := locate(sql, strings.Index(sql, word))
		require.Equal(t, []any{wantLine, wantColumn, wantText}, []any{gotLine, gotColumn, text}, word)
	}
	require.Equal(t, strings.Index(sql, "{{b}}"), e.Offset(strings.Index(e.SQL, "long")), "inside a value")
	require.Equal(t, len(sql), e.Offset(len(e.SQL)))
	for _, far := range [][2]int{{99, 1}, {1, 999}, {0, 0}, {-1, -5}} {
		line, column, _ := e.Place(far[0], far[1])
		require.Positive(t, line*column)
	}
}

// FuzzExpand: whatever text and values are, an expansion has the same places as text, one literal each, and none is left.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"SELECT {{a}} FROM t WHERE x = {{ d.dashed }}", "{{a}}'", "$$ {{a}} $$ {{a}}", "E'\\'{{a}}",
		"/* /* {{a}} */ {{b}} */", "--\r{{a}}", "{{", "{{a}}{{b}}"} {
		f.Add(s, "it's", true)
		f.Add(s, "*/ -- $$ \\' {{a}}", false)
	}
	f.Fuzz(func(t *testing.T, sql, value string, presto bool) {
		d := DuckDB
		if presto {
			d = Presto
		}
		found, err := Find(sql, d)
		if err != nil {
			return
		}
		in := Input{SQL: sql, Dialect: d, Today: today, Newest: newest}
		in.Values = map[string]any{}
		for _, p := range found {
			p.Kind = map[Kind]Kind{Text: Text, Day: Text, Days: Days}[p.Kind]
			in.Declared = append(in.Declared, p)
			in.Values[p.Name] = map[Kind]any{Text: value, Days: "today"}[p.Kind]
		}
		e, err := Expand(in)
		if err != nil {
			return
		}
		left, err := scan(e.SQL, d)
		require.NoError(t, err)
		require.Empty(t, left)
		for n := range len(e.SQL) + 1 {
			require.LessOrEqual(t, e.Offset(n), len(sql))
		}
	})
}

// TestManyParameters: a query has a bounded number of parameters, however often each stands in it, and the error has the place of the next.
func TestManyParameters(t *testing.T) {
	text := func(n int) (sql string, values map[string]any) {
		var b strings.Builder
		values = map[string]any{}
		for i := range n {
			fmt.Fprintf(&b, "SELECT {{p%d}}, {{p%d}}\n", i, i/2)
			values[fmt.Sprint("p", i)] = "x"
		}
		return b.String(), values
	}
	for n, may := range map[int]bool{maxParameters: true, maxParameters + 1: false, 30 * maxParameters: false} {
		sql, values := text(n)
		_, err := Expand(Input{SQL: sql, Dialect: "presto", Values: values})
		if may {
			require.NoError(t, err)
			continue
		}
		var wrong *Error
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, []any{maxParameters + 1, "p1000"}, []any{wrong.Line, wrong.Name})
		_, err = Find(sql, "presto")
		require.ErrorAs(t, err, &wrong)
	}
}
