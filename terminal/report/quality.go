package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/check/quality"
)

// Quality prints days of tables, each with what is odd about it, as text or json: an object a line; ok is false for another format.
func Quality(out io.Writer, format string) (each func(*quality.Day) error, ok bool) {
	switch format {
	case "text":
		return func(d *quality.Day) error { return qualityText(out, d) }, true
	case "json":
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return func(d *quality.Day) error {
			return e.Encode(struct {
				quality.Head

				Findings []quality.Finding `json:"findings"`
			}{d.Head, append([]quality.Finding{}, d.Findings...)})
		}, true
	}
	return nil, false
}

func qualityText(out io.Writer, d *quality.Day) error {
	text := fmt.Sprintf("%s %s: ", d.Table, d.Day)
	if d.Generation == "" {
		text += "no profile\n"
	} else {
		text += fmt.Sprintf("%s rows, %s clients, %s%s\n", humanize.Comma(d.Rows), humanize.Comma(d.Clients), humanize.Bytes(uint64(d.Bytes)),
			checksText(d.Checks))
	}
	for _, f := range d.Findings {
		text += fmt.Sprintf("  %3d  %s", f.Score, f.Text)
		if f.Since != "" {
			text += " (since " + f.Since + ")"
		}
		if n := len(f.Like); n > 0 {
			text += fmt.Sprintf(" (and %d like it)", n)
		}
		text += "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

func checksText(checks []quality.Check) string {
	passed, failed := 0, 0
	for _, c := range checks {
		switch c.Verdict {
		case "passed":
			passed++
		case "failed", "broken":
			failed++
		}
	}
	if passed+failed == 0 {
		return ""
	}
	return fmt.Sprintf("; %d checks passed, %d failed", passed, failed)
}
