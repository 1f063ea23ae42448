package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/dustin/go-humanize/english"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Tables lists tables with the sums of their published partitions. Unless all is set, it only counts Glean tables
// without rows.
func Tables(out io.Writer, tables []*schema.Table, totals map[string]site.Total, all bool) error {
	empty := 0
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tVERSION\tCOLUMNS\tDAYS\tFROM\tTO\tROWS\tBYTES\tONE ROW PER")
	for _, t := range tables {
		st := totals[t.Name]
		if !all && t.Application() != "" && st.Rows == 0 && !st.Denied {
			empty++
			continue
		}
		if st.Denied {
			fmt.Fprintf(w, "%s\t%s\t%d\t?\t?\t?\t?\t?\tpermission denied\n", t.Name, t.Version, len(t.Columns))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Version, len(t.Columns),
			st.Days, OrNone(st.First), OrNone(st.Last), humanize.Comma(st.Rows), humanize.Bytes(uint64(st.Bytes)), shortGrain(t.Grain))
	}
	err := w.Flush()
	if empty > 0 {
		fmt.Fprintf(out, "%s of Glean applications without rows: pingmill tables --all\n", english.Plural(empty, "table", ""))
	}
	return err
}

// shortGrain returns the grain up to its first punctuation mark.
func shortGrain(s string) string {
	for i, c := range s {
		if c == ';' || c == ',' && i > 20 {
			return s[:i]
		}
	}
	return s
}
