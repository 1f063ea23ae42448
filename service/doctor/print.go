package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Report is the JSON form of an examination.
type Report struct {
	Program  string    `json:"program"`
	Time     time.Time `json:"time"`
	Failed   int       `json:"failed"`
	Warnings int       `json:"warnings"`
	Checks   []Finding `json:"checks"`
}

// NewReport counts the results of checks.
func NewReport(program string, now time.Time, all []Finding) Report {
	r := Report{Program: program, Time: now.UTC(), Checks: all}
	for _, f := range all {
		switch f.State {
		case Fail:
			r.Failed++
		case Warn:
			r.Warnings++
		case OK:
		}
	}
	return r
}

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(r)
}

var words = map[State]string{OK: "ok  ", Warn: "warn", Fail: "FAIL"}

// Text writes the report for people.
func (r *Report) Text(w io.Writer) error {
	for _, f := range r.Checks {
		line := fmt.Sprintf("%s  %-13s  %s\n", words[f.State], f.Check, oneLine(f.Text))
		if f.Do != "" {
			line += strings.Repeat(" ", 21) + "→ " + oneLine(f.Do) + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d ok, %s, %d failed\n", len(r.Checks)-r.Warnings-r.Failed, text.Plural(r.Warnings, "warning"), r.Failed)
	return err
}

func oneLine(s string) string { return cli.Safe(strings.Join(strings.Fields(s), " ")) }
