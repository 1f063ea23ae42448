package query

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// locations are the only parts of DuckDB's tree that may depend on the length of a value.
var locations = regexp.MustCompile(`"query_location":\d+`)

const harmless = "harmlessvalue"

// FuzzParameters: to the engines' own parsers, a query with one value or another is the same but for that value.
func FuzzParameters(f *testing.F) {
	for _, sql := range []string{
		"SELECT {{a}}", "SELECT x FROM t WHERE y LIKE {{a}} || '%' -- {{a}}", "SELECT e'\\' {{a}}', {{a}}", "SELECT 'a'\n{{a}}",
		"SELECT E'\\'' || {{a}} || '\\'", "/* /* */ {{a}} */ SELECT 1",
		"SELECT $${{a}}$$, {{a}}", "SELECT 0xAB$${{a}}$$", "SELECT E'a'\n'b\\' || {{a}} || 'c'", "SELECT 1e'\\' || {{a}} || '",
		"SELECT 1 --\r + {{a}}", "SELECT $é$ {{a}} $é$", "SELECT a$$, {{a}} || $$", "SELECT U&{{a}}, date{{a}}, f{{a}}", "SELECT -{{a}}",
		"SELECT é{{a}}, \u00a0e'\\' || {{a}} || ''",
		"SELECT \"{{a}}\", `{{a}}`", "SELECT x->{{a}}, y[{{a}}]", "SELECT MAP {{'a': 1}: {{a}}}",
	} {
		for _, value := range []string{"", "'", "x' OR 1=1 --", "*/ SELECT 1 /*", "\\'; SELECT 2; --", "$$", "a\nb\r", "\"", "\\", "}}",
			"'; {{a}}", ", 1 --", "$$, 1 --", "\n, 2 --"} {
			f.Add(sql, value)
		}
	}
	db, err := Open(f.Context(), nil, Options{Threads: 1})
	require.NoError(f, err)
	f.Cleanup(func() { _ = db.Close() })
	conn, err := db.connect(f.Context())
	require.NoError(f, err)
	f.Cleanup(func() { _ = conn.Close() })
	parse := parser(context.Background(), conn)
	// same reports whether a text with harmless in it gives the tree of the other text, once harmless is exchanged for a value.
	// Two texts that do not parse are the same.
	same := map[params.Dialect]func(t *testing.T, text, other, value string) bool{
		params.Presto: func(_ *testing.T, text, other, value string) bool {
			a, err := syntax.Parse(text)
			b, errOther := syntax.Parse(other)
			if err != nil || errOther != nil {
				return err != nil && errOther != nil
			}
			exchange(a, value)
			return syntax.Equal(a, b, nil)
		},
		params.DuckDB: func(t *testing.T, text, other, value string) bool {
			tree := func(text, value string) (tree any) {
				out, err := parse(text)
				require.NoError(t, err)
				if strings.HasPrefix(string(out), `{"error":true`) {
					return nil
				}
				quoted, err := json.Marshal(value)
				require.NoError(t, err)
				out = locations.ReplaceAll(out, []byte(`"query_location":0`))
				require.NoError(t, json.Unmarshal(bytes.ReplaceAll(out, []byte(harmless), quoted[1:len(quoted)-1]), &tree))
				return tree
			}
			return reflect.DeepEqual(tree(text, value), tree(other, ""))
		},
	}
	f.Fuzz(func(t *testing.T, sql, value string) {
		if strings.Contains(sql+value, harmless) || !utf8.ValidString(sql) {
			return
		}
		for d, same := range same {
			expand := func(value string) string {
				e, err := params.Expand(params.Input{SQL: sql, Dialect: d, Declared: []params.Parameter{{Name: "a", Kind: params.Text}},
					Values: map[string]any{"a": value}})
				if err != nil {
					return ""
				}
				return e.SQL
			}
			if is := expand(value); is != "" && is != sql {
				require.True(t, same(t, expand(harmless), is, value), "%s: %q with %q", d, sql, value)
			}
		}
	})
}

// exchange writes a value for harmless into the texts of a statement.
func exchange(s syntax.Statement, value string) {
	syntax.Inspect(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.StringLit:
			n.Value = strings.ReplaceAll(n.Value, harmless, value)
		case *syntax.TypedLit:
			n.Value = strings.ReplaceAll(n.Value, harmless, value)
		case *syntax.IntervalLit:
			n.Value = strings.ReplaceAll(n.Value, harmless, value)
		case *syntax.LikePattern:
			n.Pattern = strings.ReplaceAll(n.Pattern, harmless, value)
			n.Escape = strings.ReplaceAll(n.Escape, harmless, value)
		}
		return true
	})
}
