package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
)

// Checks prints the results of checks for each partition, then the totals, as text or JSON.
type Checks struct {
	out   io.Writer
	print func(io.Writer, []check.Result) error
	text  bool

	count           map[check.Verdict]int
	partitions, bad int
}

// NewChecks returns a printer for the format text or json; ok is false for another format.
func NewChecks(out io.Writer, format string) (c *Checks, ok bool) {
	c = &Checks{out: out, count: map[check.Verdict]int{}}
	switch format {
	case "text":
		c.print, c.text = checkText, true
	case "json":
		c.print = checkJSON
	}
	return c, c.print != nil
}

// errChecks means that checks of severity error failed.
var errChecks = errors.New("checks failed")

// Partition prints the results of a partition.
func (c *Checks) Partition(results []check.Result) error {
	c.partitions++
	for i := range results {
		c.count[results[i].Verdict]++
		if results[i].Bad() {
			c.bad++
		}
	}
	return c.print(c.out, results)
}

// End prints the totals, and the partitions that are not published on errs. It returns an error if a check of severity
// error failed or if there was no check.
func (c *Checks) End(absent []job.Unit, errs io.Writer) error {
	if c.text {
		if _, err := fmt.Fprintf(c.out, "%d passed, %d failed, %d not run, %d broken\n",
			c.count[check.Passed], c.count[check.Failed], c.count[check.NotRun], c.count[check.Broken]); err != nil {
			return err
		}
	}
	for _, u := range absent {
		fmt.Fprintf(errs, "not checked %s: it is not published\n", u)
	}
	switch {
	case c.bad > 0:
		return fmt.Errorf("%w: %d", errChecks, c.bad)
	case c.partitions == 0:
		return errors.New("check: nothing of these days is published")
	}
	return nil
}

// checkText prints for people.
func checkText(out io.Writer, results []check.Result) error {
	if len(results) == 0 {
		return nil
	}
	fmt.Fprintf(out, "%s %s\n", results[0].Check.Table, results[0].Day)
	for i := range results {
		r := &results[i]
		fmt.Fprintf(out, "  %-8s %-8s %s: %s\n", r.Verdict, r.Check.Severity, r.Check.Name, r.Check.Rule)
		if r.Note != "" {
			fmt.Fprintf(out, "           %s\n", r.Note)
		}
		for _, row := range r.Rows {
			fmt.Fprintf(out, "           %s\n", row)
		}
		if more := r.Total - len(r.Rows); more > 0 && len(r.Rows) > 0 {
			fmt.Fprintf(out, "           and %d more\n", more)
		}
	}
	return nil
}

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

// checkJSON prints an object for each result.
func checkJSON(out io.Writer, results []check.Result) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for _, r := range results {
		c := r.Check
		if err := e.Encode(CheckResult{c.Table, r.Day, c.Name, c.Severity, c.Rule, r.Verdict, r.Total, r.Rows, r.Note}); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
	}
	return nil
}

// ListChecks prints a list of checks.
func ListChecks(out io.Writer, checks []check.Check) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tCHECK\tSEVERITY\tRULE")
	for _, c := range checks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Table, c.Name, c.Severity, c.Rule)
	}
	return w.Flush()
}
