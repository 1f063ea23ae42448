package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
)

// TestErrors checks message, place in the user's text and hint.
func TestErrors(t *testing.T) {
	db := open(t, sharedDays(t)...)
	for _, c := range []struct {
		sql, kind, message string
		line, column       int
		hint               string
	}{
		{"SELECT nosuch FROM clients_daily", "Binder Error", `Referenced column "nosuch" not found`, 1, 8, ""},
		{"SELECT approx_distinct(client_id),\n  nosuch FROM clients_daily", "Binder Error", `"nosuch"`, 2, 3, ""},
		{"SELECT date_parse(nosuch, '%Y%m%d') FROM clients_daily", "Binder Error", `"nosuch"`, 1, 19, ""},
		{"SELECT 'é', approx_distinct(DISTINCT nosuch) FROM clients_daily", "Binder Error", `"nosuch"`, 1, 38, ""},
		{"SELECT s.nosuch FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(s)", "Binder Error", `Could not find key "nosuch"`, 0, 0, ""},
		{"SELECT u.s FROM main_summary CROSS JOIN UNNEST(nosuch) AS t(s)", "Binder Error", `"nosuch"`, 1, 48, ""},
		{"SELECT k FROM main_summary CROSS JOIN UNNEST(map_filter(experiments, (k, v) -> v = nosuch)) AS t(k, v)", "Binder Error", `"nosuch"`, 1, 84, ""},
		{"SELECT 'é' || FROM", "Parser Error", "syntax error at end of input", 1, 19, ""},
		{"SELECT 1;\nSELECT date_parse('20180101', '%Y%m%d'), )", "Parser Error", "syntax error", 2, 42, ""},
		{"SELECT 1; SELECT nosuch", "Binder Error", "nosuch", 1, 18, ""},
		{"SELECT nosuch; SELECT 1", "Binder Error", "nosuch", 1, 8, ""},
		{"SELECT approx_distinct(1), CAST('x' AS bigint)", "Conversion Error", "Could not convert string 'x'", 1, 28, ""},
		{"SELECT CAST(client_id AS bigint) FROM clients_daily", "Conversion Error", "Could not convert string 'a' to INT64", 1, 8, ""},
		{"SELECT * FROM clients_dialy", "Catalog Error", "Table with name clients_dialy does not exist!", 1, 15, "did you mean clients_daily?"},
		{"SELECT * FROM nonsense", "Catalog Error", "Table with name nonsense does not exist!", 1, 15, "the tables are clients_daily, crash_summary, main_summary, addons"},
		{"SELECT multimap_agg(1, 2)", "Catalog Error", "does not exist!", 1, 8, "use map_agg over a subquery"},
		{"SELECT collect_list(1)", "Catalog Error", "does not exist!", 1, 8, "array_agg"},
		{"SELECT 1 + [1]", "Binder Error", "No function matches", 1, 10, ""},
		{`SELECT "$path" FROM clients_daily`, "Binder Error", "$path", 1, 8, "SHOW PARTITIONS"},
		{"SELECT cardinality(1)", "Binder Error", "Cardinality can only operate on MAPs", 0, 0, ""},
		{"SELECT UNNEST(1, 2) FROM UNNEST(ARRAY[1], ARRAY[2]) AS t(a, b, c)", "Not supported", "UNNEST of 2 values into 3 columns", 1, 26, "name one column per array"},
		{"SELECT k FROM main_summary CROSS JOIN UNNEST(client_id) AS t(k, v)", "Binder Error", "", 1, 39, ""},
		{"SELECT date_parse('x', lower('%Y'))", "Not supported", "format that is not a constant", 1, 24, "'text'"},
		{"SELECT date_format(now(), '%D')", "Not supported", "%D has no meaning in Presto", 1, 27, ""},
		{"SELECT format_datetime(now(), 'nn')", "Not supported", "the letter n is not known", 1, 31, ""},
		{"SELECT approx_percentile(1, 2, 0.5)", "Not supported", "weights", 1, 8, "approx_percentile(value, percentage)"},
		{"SELECT cardinality(merge(CAST(x AS HLL)))", "Not supported", "the type HLL", 1, 36, "approx_distinct"},
		{"SHOW CREATE TABLE main_summary", "Not supported", "SHOW CREATE", 1, 1, "DESCRIBE"},
		{"SHOW PARTITIONS FROM nonsense", "Not supported", "SHOW PARTITIONS of nonsense", 1, 22, "tables of the lake"},
		{"", "Parser Error", "the query is empty", 0, 0, ""},
		{" ; -- nothing\n;", "Parser Error", "the query is empty", 0, 0, ""},
		{"SHOW PARTITIONS", "Catalog Error", "Table with name PARTITIONS", 1, 6, "the tables are"},
	} {
		_, err := try(db, c.sql)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s\nerror %v", c.sql, err)
			continue
		}
		if e.Kind != c.kind || !strings.Contains(e.Message, c.message) || e.Line != c.line || e.Column != c.column || !strings.Contains(e.Hint, c.hint) || (c.hint == "") != (e.Hint == "") {
			t.Errorf("%s\n got %s %q at %d:%d, hint %q\nwant %s %q at %d:%d, hint %q", c.sql, e.Kind, e.Message, e.Line, e.Column, e.Hint, c.kind, c.message, c.line, c.column, c.hint)
		}
	}
	if got := values(t, db, "SELECT count(*) FROM clients_daily"); got != "12" {
		t.Errorf("after errors: %s", got)
	}
}

func TestErrorText(t *testing.T) {
	db := open(t)
	_, err := try(db, "SELECT 1,\n\t'ü', nosuch\r\nFROM range(1)")
	want := "Binder Error: Referenced column \"nosuch\" not found in FROM clause!\nCandidate bindings: \"range\"\n\nLINE 2: \t'ü', nosuch\n        \t     ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var driver *duckdb.Error
	if !errors.As(err, &driver) {
		t.Errorf("%v does not unwrap to the driver's error", err)
	}
	_, err = try(db, "SELECT '"+strings.Repeat("x", 300)+"', nosuch, '"+strings.Repeat("y", 300)+"'")
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines[len(lines)-2]) > 120 || lines[len(lines)-2][len(last)-1:len(last)+5] != "nosuch" {
		t.Errorf("long line:\n%v", err)
	}
	_, err = try(db, "SELECT transform(1)")
	if err == nil || !strings.Contains(err.Error(), "\nhint: transform(array, x -> …)") {
		t.Errorf("hint: %v", err)
	}
}

// TestMissing checks that the functions said to be missing are.
func TestMissing(t *testing.T) {
	db := open(t)
	var names []string
	for name := range missing {
		names = append(names, quoteText(name))
	}
	if got := values(t, db, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name IN ("+strings.Join(names, ", ")+")"); got != "" {
		t.Errorf("these exist: %s", got)
	}
}

func TestReportOf(t *testing.T) {
	if _, ok := reportOf(errors.New("other")); ok {
		t.Error("an error of another kind is no report")
	}
	r, ok := reportOf(&duckdb.Error{Msg: "IO Error: plain text"})
	if !ok || r.Type != "IO" || r.Message != "plain text" || r.offset("x") != -1 {
		t.Errorf("plain text: %+v", r)
	}
	r, _ = reportOf(&duckdb.Error{Msg: `Parser Error: {"exception_type":"Parser","exception_message":"m","position":"99"}`})
	if r.Message != "m" || r.offset("äx") != 3 {
		t.Errorf("position behind the end: %+v %d", r, r.offset("äx"))
	}
}
