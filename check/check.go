package check

import (
	"context"
	"fmt"
	"strings"
)

// Severity is the effect of a failed check.
type Severity string

// The severities: an Error keeps a partition from being published, a Warning is
// logged.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// ParseSeverity reads "error" or "warning".
func ParseSeverity(s string) (Severity, error) {
	switch v := Severity(s); v {
	case Error, Warning:
		return v, nil
	}
	return "", fmt.Errorf("read severity %q: it is error or warning", s)
}

// Check is one rule about one table.
type Check struct {
	Name     string // unique over all tables
	Table    string
	Severity Severity
	Rule     string   // one sentence
	Columns  []string // columns of the table that are read; none: the manifest is enough, or the check knows itself

	// Source says that the rule is about the partition and what it was made
	// from; it means nothing once that has changed, and is then not run.
	Source bool

	// ByRange says that the rule is kept when every range of samples keeps it:
	// Func is then called with one range at a time.
	ByRange bool

	// Func finds what breaks the rule. It is safe for concurrent use.
	Func func(context.Context, *Partition) (Finding, error)
}

// MaxRows is how many of the rows that break a rule are shown.
const MaxRows = 10

// Finding is the result of a check. The zero value is a rule that is kept.
type Finding struct {
	Total int    // things that break the rule, as many as are known
	Rows  []Row  // the first of them
	Note  string // text beside the rows

	NotRun bool // the check had no result, for the reason in Note
}

// Row names one thing that breaks a rule by its key.
type Row struct {
	Key  []Field `json:"key,omitempty"`
	Note string  `json:"note,omitempty"`
}

// Field is the value of a column; a nil one is null.
type Field struct {
	Column string  `json:"column"`
	Value  *string `json:"value"`
}

// String writes the row as messages do: client_id=abc, engine null: 2 rows.
func (r Row) String() string {
	parts := make([]string, len(r.Key))
	for i, f := range r.Key {
		if f.Value == nil {
			parts[i] = f.Column + " null"
		} else {
			parts[i] = f.Column + "=" + *f.Value
		}
	}
	text := strings.Join(parts, " ")
	if text != "" && r.Note != "" {
		text += ": "
	}
	return text + r.Note
}

// Verdict is how a check ended.
type Verdict string

// The verdicts. NotRun is a check that could not say anything, for a reason
// that is no fault of the partition; Broken one that could not read it.
const (
	Passed Verdict = "passed"
	Failed Verdict = "failed"
	NotRun Verdict = "not run"
	Broken Verdict = "broken"
)

// Result is a check of a partition.
type Result struct {
	Check   *Check
	Day     string
	Verdict Verdict
	Finding
}

// Bad says that the result keeps the partition from being published.
func (r *Result) Bad() bool {
	return r.Check.Severity == Error && (r.Verdict == Failed || r.Verdict == Broken)
}

// String is one line: name, rule and finding.
func (r *Result) String() string {
	return fmt.Sprintf("%s (%s): %s", r.Check.Name, r.Check.Rule, r.Finding)
}

// String is the note and the rows.
func (f Finding) String() string {
	var parts []string
	if f.Note != "" {
		parts = append(parts, f.Note)
	}
	for _, row := range f.Rows {
		parts = append(parts, row.String())
	}
	if more := f.Total - len(f.Rows); more > 0 && len(f.Rows) > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// ForTable returns the checks of a list that belong to a table.
func ForTable(checks []Check, table string) []*Check {
	var of []*Check
	for i := range checks {
		if checks[i].Table == table {
			of = append(of, &checks[i])
		}
	}
	return of
}

// Known returns an error for the first name that no check of the list has.
func Known(checks []Check, names []string) error {
	have := map[string]bool{}
	for _, c := range checks {
		have[c.Name] = true
	}
	for _, n := range names {
		if !have[n] {
			return fmt.Errorf("find check %q: there is none of that name (pingmill check --list names them)", n)
		}
	}
	return nil
}
