package query

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"

	"github.com/pingmill/pingmill/sql/lexer"
)

// trees returns the trees of the SELECT statements of a text by DuckDB's parser, without places; false if it is another
// text.
func trees(t testing.TB, conn *duckdb.Conn, sql string) (all []string, ok bool) {
	t.Helper()
	text, err := parser(t.Context(), conn)(sql)
	if err != nil {
		t.Fatal(err)
	}
	var top struct {
		Error      bool
		Statements []any
	}
	if err := json.Unmarshal(text, &top); err != nil || top.Error {
		return nil, false
	}
	for _, s := range top.Statements {
		tree, err := json.Marshal(placeless(s))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(tree))
	}
	return all, true
}

// placeless returns a piece of a tree without the places of the text.
func placeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "query_location")
		for k, e := range v {
			v[k] = placeless(e)
		}
	case []any:
		for i, e := range v {
			v[i] = placeless(e)
		}
	}
	return v
}

// extracted counts the statements of any kind that DuckDB's parser finds, -1 if it cannot parse the text.
func extracted(t testing.TB, conn *duckdb.Conn, sql string) int {
	t.Helper()
	c, err := handle(conn)
	if err != nil {
		t.Fatal(err)
	}
	var all mapping.ExtractedStatements
	n := int(mapping.ExtractStatements(c, sql, &all))
	defer mapping.DestroyExtracted(&all)
	if mapping.ExtractStatementsError(all) != "" {
		return -1
	}
	return n
}

// pieces returns the statements of a text by our tokens.
func pieces(sql string) (all []string) {
	for _, s := range lexer.All(DuckDB, sql) {
		all = append(all, s.SQL)
	}
	return all
}

// compareTokens fails the test where DuckDB divides a text into other statements than we do.
func compareTokens(t testing.TB, conn *duckdb.Conn, sql string) {
	t.Helper()
	if strings.ContainsRune(sql, 0) || !utf8.ValidString(sql) { // which are refused before
		return
	}
	// Before it looks for tokens DuckDB replaces unusual blanks outside of texts, the ends of which it does not find where a
	// backslash escapes a quote or a comment has one.
	if (strings.Contains(sql, `\'`) || strings.Contains(sql, "/*")) &&
		strings.ContainsFunc(sql, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return
	}
	const pad = "\n  " // DuckDB takes an unusual blank at the very end for a name
	sql += pad
	n, ours := extracted(t, conn, sql), pieces(sql)
	if n <= 0 {
		return
	}
	if len(ours) != n {
		t.Fatalf("%q: %d statements, DuckDB finds %d", sql, len(ours), n)
	}
	whole, ok := trees(t, conn, sql)
	if !ok {
		return
	}
	var each []string
	for _, p := range ours {
		tree, ok := trees(t, conn, p+pad)
		if !ok {
			t.Fatalf("%q: DuckDB does not take the statement %q alone", sql, p)
		}
		each = append(each, tree...)
	}
	if !slices.Equal(whole, each) {
		t.Fatalf("%q: the statements %q are others than DuckDB's", sql, ours)
	}
}

// Fragments of texts on which lexers differ: ends of comments and texts, escapes, unusual blanks, and what only looks like them.
var (
	fragments = []string{
		"1", "a", "'x'", `'\'`, `'it''s'`, `E'\''`, `e'\\'`, `e'a\'b'`, "E'a'\n'b\\''", "E'a' 'b'", `x'00'`, `X'ff'`, `b'01'`, `U&'\0041'`,
		`n'x'`, `"a;b"`, `"a""b"`, `U&"a"`,
		"$$;$$", "$a$;$$;$a$", "$a1$;'$a1$", "$é$;$é$", "a$b", "a$$", "1$$;$$", "1e'\\''", "1e5", "1.5e-3", "1.", ".5", "0x1F", "1_000", "1a",
		"é", "€", "€e'\\'", "\u00a0e'\\''",
		"\u0085", "a\u200b", "\ufeff1", "--;\n1", "--;\r1", "--;\r\n1", "--\u2028;\n1", "/*;*/1", "/*/*;*/;*/1", "/*'*/1", "/**/1", "/*/;*/1",
		"/*--*/1", "-- /*\n1", "+1", "- -1", "1+-1",
		"1*/*;*/2", "@1", "1::int", "[1;", "{'a': 1}", "(1)", "(SELECT ';')", "1 AS \"x\"", "1 x", "NULL", "'a' || ';'", "1--;\n", "1/*",
		"1 /* ; */ ",
	}
	gaps = []string{" ", "\n", "\t", "\r", "\f", "\v", "\u00a0", "\u3000", "/**/", "--\n", "--\r", "/*;*/", "--;\r", "--'\n", "--$$\r",
		"--/*\r", "/*/**/;*/", " \u2003 "}
	dividers  = []string{";", ";;", "; ;", ";--\r", ";--;\n", ";/*;*/"}
	beginning = []string{"SELECT", "select", "VALUES(1);SELECT", "ATTACH 'x';SELECT", "SET a = 1;SELECT", "FROM t SELECT",
		"WITH w AS (SELECT 1) SELECT"}
)

// textOf returns a text of fragments.
func textOf(r *rand.Rand) string {
	pick := func(all []string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	for n := range 1 + r.IntN(3) {
		if n > 0 {
			b.WriteString(pick(dividers))
		}
		b.WriteString(pick(beginning) + pick(gaps) + pick(fragments))
		for range r.IntN(3) {
			b.WriteString(pick(gaps) + "," + pick(gaps) + pick(fragments))
		}
		b.WriteString(pick(gaps))
	}
	return b.String()
}

// tokenDB returns a connection to DuckDB.
func tokenDB(t testing.TB) *duckdb.Conn {
	t.Helper()
	db, err := Open(t.Context(), nil, Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = conn.Close(), db.Close() })
	return conn
}

// TestTokens: package lexer divides texts as DuckDB's parser does.
func TestTokens(t *testing.T) {
	conn := tokenDB(t)
	for _, f := range fragments {
		compareTokens(t, conn, "SELECT "+f+"; SELECT 2")
		compareTokens(t, conn, "SELECT 1, "+f)
	}
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 5000 {
		sql := textOf(r)
		if extracted(t, conn, sql) > 0 {
			taken++
		}
		compareTokens(t, conn, sql)
	}
	if taken < 1000 {
		t.Errorf("DuckDB takes %d of the texts", taken)
	}
}

// FuzzTokens is TestTokens with any bytes.
func FuzzTokens(f *testing.F) {
	conn := tokenDB(f)
	for _, s := range fragments {
		f.Add("SELECT " + s + "; SELECT 1")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		f.Add(textOf(r))
	}
	f.Fuzz(func(t *testing.T, sql string) {
		compareTokens(t, conn, sql)
		for _, s := range split(sql).statements { // which query cuts texts of its own with
			if s[0] >= s[1] {
				t.Fatalf("%q: a statement from %d to %d", sql, s[0], s[1])
			}
		}
	})
}
