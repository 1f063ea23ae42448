package check

import (
	"context"
	"fmt"
	"strings"
)

// Severity is the effect of a failed check.
type Severity string

// The severities. A failed Error check prevents publication; a failed Warning is logged.
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

	// Source means that the rule compares the partition with its inputs; the check is not run after the
	// inputs have changed.
	Source bool

	// ByRange means that the rule holds if it holds for every range of samples: Func is called with one range
	// at a time.
	ByRange bool

	// Func finds the rows that break the rule. It is safe for concurrent use.
	Func func(context.Context, *Partition) (Finding, error)
}

// MaxRows is the largest number of listed rows that break a rule.
const MaxRows = 10

// Finding is the result of a check. The zero value means that the rule holds.
type Finding struct {
	Total int    // things that break the rule, as many as are known
	Rows  []Row  // the first of them
	Note  string // text beside the rows

	NotRun bool // the check had no result, for the reason in Note
}

// Row identifies, by its key, a row that breaks a rule.
type Row struct {
	Key  []Field `json:"key,omitempty"`
	Note string  `json:"note,omitempty"`
}

// Field is the value of a column; nil means null.
type Field struct {
	Column string  `json:"column"`
	Value  *string `json:"value"`
}

// String formats the row for messages: client_id=abc, engine null: 2 rows.
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

// Verdict is the outcome of a check.
type Verdict string

// The verdicts. NotRun means that the check could not decide, for a reason outside of the partition; Broken
// means that it could not read the partition.
const (
	Passed Verdict = "passed"
	Failed Verdict = "failed"
	NotRun Verdict = "not run"
	Broken Verdict = "broken"
)

// Result is the outcome of a check on a partition.
type Result struct {
	Check   *Check
	Day     string
	Verdict Verdict
	Finding
}

// Bad reports whether the result prevents publication.
func (r *Result) Bad() bool {
	return r.Check.Severity == Error && (r.Verdict == Failed || r.Verdict == Broken)
}

// String returns name, rule and finding in one line.
func (r *Result) String() string {
	return fmt.Sprintf("%s (%s): %s", r.Check.Name, r.Check.Rule, r.Finding)
}

// String returns the note and the rows.
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
	var list []*Check
	for i := range checks {
		if checks[i].Table == table {
			list = append(list, &checks[i])
		}
	}
	return list
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
