package query

import (
	"strings"
	"testing"
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

// TestRewrite shows what becomes of the text; comments and blanks stay.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"SELECT  /* x */ a -> 'b' FROM t  -- end", "SELECT  /* x */ a -> 'b' FROM t  -- end"},
		{"select Approx_Distinct( x ) from y", "select count(DISTINCT  x ) from y"},
		{"SELECT s.approx_distinct(x), \"approx_distinct\"(y)", "SELECT s.approx_distinct(x), \"approx_distinct\"(y)"},
		{"SELECT IF(a, b), if(a, b, c)", "SELECT CASE WHEN a THEN  b END, if(a, b, c)"},
		{"SELECT date_parse(x, '%Y')", "SELECT try_strptime(x, '%Y')"},
		{"SELECT cast(x AS array<map<bigint,row(a array(int))>>)", "SELECT cast(x AS MAP(bigint,STRUCT(a int[]))[])"},
		{"SHOW PARTITIONS FROM T WHERE day > '1'", `SELECT * FROM (SELECT * FROM (VALUES ('1'), ('2')) AS p("day")) AS partitions WHERE day > '1'`},
		{"SELECT u.x FROM t CROSS JOIN UNNEST(a) AS u(x) WHERE u.x > 1", "SELECT t.x FROM (SELECT *, unnest(a) AS x FROM t AS t) AS t WHERE t.x > 1"},
		{"SELECT x FROM q CROSS JOIN UNNEST(a) AS u(x)", "SELECT x FROM q CROSS JOIN (SELECT unnest(a)) AS u(x)"},
		{"SELECT transform(l, x -> x + 1)", "SELECT list_transform(l, lambda x: x + 1)"},
		{"SELECT map_agg(k, v) FILTER (WHERE k > 1) OVER w", "SELECT presto_map(list(k) FILTER (WHERE k > 1) OVER w, list( v) FILTER (WHERE k > 1) OVER w)"},
		{"SELECT count(*) FROM t TABLESAMPLE BERNOULLI(10)", "SELECT count(*) FROM t TABLESAMPLE BERNOULLI(10 PERCENT)"},
		{"SELECT unnest(a) FROM (SELECT 1)", "SELECT unnest(a) FROM (SELECT 1)"},
		{"SELECT transform(x), if(1), cardinality(), map_agg(1), reduce(1), zip_with(1), filter(1, 2)", "SELECT transform(x), if(1), cardinality(), map_agg(1), reduce(1), zip_with(1), filter(1, 2)"},
		{"SELECT cast(x), approx_distinct(", "SELECT cast(x), approx_distinct("},
		{"SELECT [x FROM t CROSS JOIN UNNEST(a) AS u(x)]", "SELECT [x FROM t CROSS JOIN (SELECT unnest(a)) AS u(x)]"},
	} {
		q, err := lakeless.rewrite(c.src)
		if err != nil || q.text != c.want {
			t.Errorf("%s\n got %s\nwant %s\n%v", c.src, q.text, c.want, err)
		}
	}
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
	for _, e := range Examples {
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
