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
		"(substr(f, 3) IN ('a', 'it''s'))(f>2)": "((substr(f, 3) IN ('a', 'it''s')))|((f>2))",
	} {
		if got := strings.Join(Terms(filters), "|"); got != want {
			t.Errorf("%s: %s, want %s", filters, got, want)
		}
	}
}
