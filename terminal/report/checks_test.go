package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
)

// TestChecks: a failed check of severity error is an error, and so is nothing
// checked at all.
func TestChecks(t *testing.T) {
	rule := func(s check.Severity) *check.Check {
		return &check.Check{Table: "addons", Name: "few", Rule: "rows are few", Severity: s}
	}
	absent := []job.Unit{{Table: "addons", Day: "20180302"}}
	for _, c := range []struct {
		format  string
		results []check.Result
		out     string // a part of it
		err     string
	}{
		{"text", []check.Result{{Check: rule(check.Warning), Day: "20180301", Verdict: check.Failed}},
			"0 passed, 1 failed, 0 not run, 0 broken\n", ""},
		{"text", []check.Result{{Check: rule(check.Error), Day: "20180301", Verdict: check.Failed}},
			"addons 20180301\n  failed   error    few: rows are few\n", "checks failed: 1"},
		{"json", []check.Result{{Check: rule(check.Error), Day: "20180301", Verdict: check.Passed}}, `"verdict":"passed"`, ""},
		{"json", nil, "", "nothing of these days is published"},
	} {
		var out, errs bytes.Buffer
		p, ok := NewChecks(&out, c.format)
		if !ok {
			t.Fatalf("no format %s", c.format)
		}
		if c.results != nil {
			require.NoError(t, p.Partition(c.results))
		}
		err := p.End(absent, &errs)
		if !strings.Contains(out.String(), c.out) || errs.String() != "not checked addons 20180302: it is not published\n" {
			t.Errorf("%s: %s%s", c.format, &out, &errs)
		}
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.format, err, c.err)
		}
	}
	if _, ok := NewChecks(nil, "xml"); ok {
		t.Error("there is a format xml")
	}
}
