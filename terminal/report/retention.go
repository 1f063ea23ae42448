package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/privacy/retain"
)

// Retention prints a line for each expired item, and the totals.
func Retention(out io.Writer, items []retain.Item) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for n, i := range items {
		if n == 0 {
			fmt.Fprintln(w, "DAY\tWHAT\tFILES\tROWS\tSIZE\t")
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", i.Day, i.Name(), i.Files, humanize.Comma(i.Rows), humanize.Bytes(uint64(max(0, i.Bytes))),
			staysText(&i))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	goes, stays := split(items)
	_, err := fmt.Fprintf(out, "to remove: %s\n", sumText(goes))
	if err == nil && len(stays) > 0 {
		_, err = fmt.Fprintf(out, "past their time, but still needed: %s\n", sumText(stays))
	}
	return err
}

// Retained prints the expired data that was removed.
func Retained(out io.Writer, r *retain.Result) error {
	_, err := fmt.Fprintf(out, "removed: %s; %d records of loads, %d rows of the ledger\n", sumText(r.Removed), r.Records, r.Ledger)
	if err == nil && len(r.Waiting) > 0 {
		_, err = fmt.Fprintf(out, "past their time, but still needed: %s (see --plan)\n", sumText(r.Waiting))
	}
	return err
}

func staysText(i *retain.Item) string {
	if i.Waits == "" {
		return ""
	}
	return "stays: " + i.Waits
}

func split(items []retain.Item) (goes, stays []retain.Item) {
	for _, i := range items {
		if i.Waits == "" {
			goes = append(goes, i)
		} else {
			stays = append(stays, i)
		}
	}
	return goes, stays
}

// sumText returns the totals of items.
func sumText(items []retain.Item) string {
	var files, bytes int64
	for _, i := range items {
		files, bytes = files+int64(i.Files), bytes+i.Bytes
	}
	return fmt.Sprintf("%d days, %s files, %s", len(items), humanize.Comma(files), humanize.Bytes(uint64(max(0, bytes))))
}
