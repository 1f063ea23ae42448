package plan

import (
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	for filters, want := range map[string]string{
		"(a = '1')(b = ')(')":                   "((a = '1'))|((b = ')('))",
		"a != 'x'":                              "(a != 'x')",
		"(CASE WHEN (x) THEN y END = '1')(z)":   "((CASE WHEN (x) THEN y END = '1'))|((z))",
		"prefix(a, '4')(b != 'x')":              "(prefix(a, '4'))|((b != 'x'))",
		"(substr(f, 3) IN ('a', 'it''s'))(f>2)": "((substr(f, 3) IN ('a', 'it''s')))|((f>2))",
	} {
		if got := strings.Join(Terms(filters), "|"); got != want {
			t.Errorf("%s: %s, want %s", filters, got, want)
		}
	}
}

// TestScans: a condition belongs to the scan below it, through projections only; filters of a scan name its columns.
func TestScans(t *testing.T) {
	nodes, err := Read([]byte(`[{"name": "FILTER", "extra_info": {"Expression": "(n > 1)"}, "children": [{"name": "HASH_JOIN", "children": [
		{"name": "FILTER", "extra_info": {"Expression": "(CAST(sample_id AS INTEGER) = 42)"}, "children": [{"name": "PROJECTION", "children": [
			{"name": "READ_PARQUET", "extra_info": {"Filters": ["sample_id!='1'", "client_id='x'"]}}]}]},
		{"name": "READ_PARQUET", "extra_info": {"Filters": "sample_id='3'"}}]}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	all := Scans(nodes)
	if len(all) != 2 {
		t.Fatalf("%d scans", len(all))
	}
	if a := all[0]; !a.Late("sample_id") || a.Late("n") || a.Restricts("sample_id") || !a.Restricts("client_id") {
		t.Errorf("first: %v", a)
	}
	if a := all[1]; a.Late("sample_id") || !a.Restricts("sample_id") || a.Restricts("id") {
		t.Errorf("second: %v", a)
	}
}

// TestLines: an operator is a line, without names of files.
func TestLines(t *testing.T) {
	nodes, err := Read([]byte(`[{"name": "TOP_N", "extra_info": {"Top": "3", "Order By": ["a DESC", "b"]}, "children": [
		{"name": "READ_PARQUET", "extra_info": {"Function": "READ_PARQUET", "File Filters": "(filename != '/srv/x')", "Projections": ["a", "b"], "Filters": "", "Estimated Cardinality": "12345"}},
		{"name": "DUMMY_SCAN", "extra_info": {"Expression": "` + strings.Repeat("é ", 200) + `"}}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(Lines(nodes, func(s Scan) string {
		if s.Name == "READ_PARQUET" {
			return "days: 3 files"
		}
		return ""
	}), "\n")
	want := "TOP_N; order by a DESC, b; top 3\n  READ days: 3 files; projections a, b; rows about 12,345\n  DUMMY_SCAN; expression " +
		strings.Repeat("é ", 79) + "é…"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
