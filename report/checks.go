package report

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/pingmill/pingmill/check"
)

// Checks prints the results of checks: those of each partition, and then the sum.
type Checks interface {
	Partition([]check.Result) error
	End(map[check.Verdict]int) error
}

// CheckFormats print as text for people and as JSON for programs.
var CheckFormats = map[string]func(io.Writer) Checks{
	"text": func(w io.Writer) Checks { return checkText{w} },
	"json": func(w io.Writer) Checks { return checkJSON{w} },
}

// checkText prints for people.
type checkText struct{ out io.Writer }

func (p checkText) Partition(results []check.Result) error {
	if len(results) == 0 {
		return nil
	}
	fmt.Fprintf(p.out, "%s %s\n", results[0].Check.Table, results[0].Day)
	for i := range results {
		r := &results[i]
		fmt.Fprintf(p.out, "  %-8s %-8s %s: %s\n", r.Verdict, r.Check.Severity, r.Check.Name, r.Check.Rule)
		if r.Note != "" {
			fmt.Fprintf(p.out, "           %s\n", r.Note)
		}
		for _, row := range r.Rows {
			fmt.Fprintf(p.out, "           %s\n", row)
		}
		if more := r.Total - len(r.Rows); more > 0 && len(r.Rows) > 0 {
			fmt.Fprintf(p.out, "           and %d more\n", more)
		}
	}
	return nil
}

func (p checkText) End(count map[check.Verdict]int) error {
	_, err := fmt.Fprintf(p.out, "%d passed, %d failed, %d not run, %d broken\n",
		count[check.Passed], count[check.Failed], count[check.NotRun], count[check.Broken])
	return err
}

// checkJSON prints an object for each result.
type checkJSON struct{ out io.Writer }

// CheckResult is the result of a check as JSON.
type CheckResult struct {
	Table    string         `json:"table"`
	Day      string         `json:"day"`
	Check    string         `json:"check"`
	Severity check.Severity `json:"severity"`
	Rule     string         `json:"rule"`
	Verdict  check.Verdict  `json:"verdict"`
	Total    int            `json:"total"`
	Rows     []check.Row    `json:"rows,omitempty"`
	Note     string         `json:"note,omitempty"`
}

func (p checkJSON) Partition(results []check.Result) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	for _, r := range results {
		c := r.Check
		if err := e.Encode(CheckResult{c.Table, r.Day, c.Name, c.Severity, c.Rule, r.Verdict, r.Total, r.Rows, r.Note}); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
	}
	return nil
}

func (p checkJSON) End(map[check.Verdict]int) error { return nil }

// ListChecks prints the checks there are.
func ListChecks(out io.Writer, checks []check.Check) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tCHECK\tSEVERITY\tRULE")
	for _, c := range checks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Table, c.Name, c.Severity, c.Rule)
	}
	return w.Flush()
}
