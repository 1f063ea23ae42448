package query

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/query/examples"
)

func TestLex(t *testing.T) {
	for src, want := range map[string]string{
		"":                            "",
		"SELECT a.b, 1.5e-3":          "SELECT|a|.|b|,|1.5e-3",
		"x->>'a' -> 1 - > 2":          "x|-|>|>|'a'|->|1|-|>|2",
		`"a""b" 'it''s' e'\'' x'0F'`:  `"a""b"|'it''s'|e'\''|x'0F'`,
		"-- c\n1 /* a /* b */ c */ 2": "1|2",
		"$$a'b$$ $t$x$$y$t$ $1 $":     "$$a'b$$|$t$x$$y$t$|$|1|$",
		"'open":                       "'open",
		`"open`:                       `"open`,
		"/* open":                     "",
		"$a$ open":                    "$a$ open",
		"é_1 :: 日本 1_000 .5 a.5":      "é_1|:|:|日本|1_000|.5|a|.5",
	} {
		var got []string
		for _, tok := range lex(src) {
			if tok.kind != tokEnd {
				got = append(got, src[tok.start:tok.end])
			}
		}
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("%q\n got %s\nwant %s", src, text, want)
		}
	}
}

// lakeless is a dialect for tests without DuckDB: a table t with columns a, b.
var lakeless = dialect{
	partitions: func(table string) ([]string, [][]string, bool) {
		return []string{"day"}, [][]string{{"1"}, {"2"}}, strings.EqualFold(table, "t")
	},
	columns: func(table string) map[string]bool {
		if strings.EqualFold(table, "t") {
			return map[string]bool{"a": true, "b": true}
		}
		return nil
	},
	variants: map[int]bool{},
}

func TestNesting(t *testing.T) {
	deep := strings.Repeat("map_union(", 100) + "m" + strings.Repeat(")", 100)
	if _, err := lakeless.rewrite("SELECT " + deep); err == nil || !strings.Contains(err.Error(), "deeply nested") {
		t.Errorf("%v", err)
	}
	wide := "SELECT " + strings.Repeat("approx_distinct(x), ", 10000) + "1"
	if q, err := lakeless.rewrite(wide); err != nil || strings.Count(q.text, "DISTINCT") != 10000 {
		t.Errorf("%d bytes, %v", len(q.text), err)
	}
}

// FuzzRewrite checks that no text upsets the translation: tokens cover it,
// places lead back into it, and what it gives is translated to itself as far
// as statements go.
func FuzzRewrite(f *testing.F) {
	for _, e := range examples.All {
		f.Add(e.SQL)
	}
	for _, s := range []string{
		"SELECT k FROM t CROSS JOIN UNNEST(map_filter(a, (k, v) -> v = 1)) WITH ORDINALITY AS u(k, v, n) WHERE u.k = 'é'",
		"SELECT t.*, u.* FROM t LEFT JOIN UNNEST(a, b) AS u(x, y) ON 1 = 1, UNNEST(u.x) w(z) UNION SELECT 1",
		"SELECT cast(x AS row<a map<int, array(int)>>), reduce(l, 0, (s, x) -> s + x, s -> s), zip_with(a, b, (x, y) -> x)",
		"SHOW PARTITIONS t; SHOW TABLES LIKE 'x'; EXPLAIN (TYPE LOGICAL) SELECT date_parse('x', '%Y''%q')",
		"WITH filter(x) AS (SELECT 1) SELECT map_union(m) OVER (PARTITION BY k), format_datetime(t, 'yy''x''''')",
		"SELECT (((]]]}}} [ { ( FROM FROM t , , JOIN JOIN UNNEST(UNNEST(", "'", "\"", "$$", "/*", "--", "e'\\", "from t,unnest(a)as u(",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		end := 0
		for _, tok := range lex(src) {
			if tok.lead != end || tok.start < tok.lead || tok.end < tok.start || tok.kind != tokEnd && tok.end == tok.start {
				t.Fatalf("token %+v after %d", tok, end)
			}
			end = tok.end
		}
		if end != len(src) {
			t.Fatalf("tokens end at %d of %d", end, len(src))
		}
		d := lakeless
		d.variants = map[int]bool{strings.Index(src, "UNNEST"): true}
		for _, d := range []dialect{lakeless, d} {
			q, err := d.rewrite(src)
			if err != nil {
				if text := err.Error(); text == "" {
					t.Fatal("an error without text")
				}
				continue
			}
			for i := range len(q.text) + 1 {
				if at := q.origin(i); at < 0 || at > len(src) {
					t.Fatalf("place %d of %q leads to %d of %d", i, q.text, at, len(src))
				}
			}
			for n := range q.statements {
				if text, shift := q.statement(n); !strings.HasPrefix(q.text[-shift:], text) {
					t.Fatalf("statement %d is %q", n, text)
				}
			}
		}
	})
}
