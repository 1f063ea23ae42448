package forget

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// reportColumns are the columns of a report of deletion requests, as CSV has them.
var reportColumns = []string{
	"client_hash", "state", "requested", "due", "source", "removed", "program", "table", "version", "first_day", "last_day", "days", "rows",
}

// WriteReports prints what was removed for each client, as text, csv or json: a line for each client, removal and table.
func WriteReports(out io.Writer, all []ClientReport, format string) error {
	switch format {
	case "json":
		if all == nil {
			all = []ClientReport{}
		}
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(all)
	case "csv":
		w := csv.NewWriter(out)
		if err := w.Write(reportColumns); err != nil {
			return err
		}
		if err := w.WriteAll(reportLines(all)); err != nil { // it flushes
			return err
		}
		return w.Error()
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range append([][]string{reportColumns}, reportLines(all)...) {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	return w.Flush()
}

func reportLines(all []ClientReport) (lines [][]string) {
	for _, c := range all {
		head := []string{c.Client, c.State, instant(c.Requested), instant(c.Due)}
		add := func(rest ...string) {
			line := append(append([]string{}, head...), rest...)
			lines = append(lines, append(line, make([]string, len(reportColumns)-len(line))...))
		}
		for _, m := range c.Removals {
			for _, f := range m.Found {
				add(m.Source, instant(m.Removed), m.Program, f.Table, f.Version, f.First, f.Last, strconv.Itoa(f.Days), strconv.FormatInt(f.Rows, 10))
			}
			if len(m.Found) == 0 {
				add(m.Source, instant(m.Removed), m.Program)
			}
		}
		if len(c.Removals) == 0 {
			add()
		}
	}
	return lines
}

// instant formats a time for programs; "" for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
