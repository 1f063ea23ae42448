package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/text"
)

// Loaded sums up the outcomes of all records of a file.
func Loaded(name string, l *loader.Loaded, took time.Duration) string {
	if l.AlreadyLoaded {
		return fmt.Sprintf("%s: already loaded (load %s): nothing changed", name, l.Load)
	}
	parts := []string{text.Plural(l.Pings, "ping")}
	if l.Duplicates > 0 {
		part := text.Plural(l.Duplicates, "duplicate")
		if l.Known > 0 {
			part += fmt.Sprintf(" (%s in the archive before)", humanize.Comma(l.Known))
		}
		parts = append(parts, part)
	}
	if l.Forgotten > 0 {
		parts = append(parts, humanize.Comma(l.Forgotten)+" of forgotten clients")
	}
	if n := l.Errors - l.Duplicates; n > 0 {
		parts = append(parts, text.Plural(n, "error"))
	}
	return fmt.Sprintf("%s: %s: %s; %s of JSON into %s, in %s (load %s)", name, text.Plural(l.Records, "record"), strings.Join(parts, ", "),
		humanize.Bytes(uint64(l.Raw)), humanize.Bytes(uint64(l.Bytes)), took.Round(time.Millisecond), l.Load)
}

// Replayed prints the result of a replay, or of a dry run.
func Replayed(out io.Writer, r *loader.Replayed, dry bool) error {
	are, copies := "are pings now", "are copies of pings"
	if dry {
		are, copies = "would be pings", "would be copies of pings"
	}
	fmt.Fprintf(out, "tried %s rejected submissions: %s %s, %s %s, %s still fail\n", humanize.Comma(r.Tried),
		humanize.Comma(r.Pings), are, humanize.Comma(r.Duplicates), copies, humanize.Comma(r.Failed))
	if r.Unfit > 0 {
		fmt.Fprintf(out, "of %s too little is left to try: damaged records, and those without their path\n", humanize.Comma(r.Unfit))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range r.Became {
		fmt.Fprintf(w, "  was %s\t%s\t%s\t%s\n", Printable(c.Class), OrNone(c.DocType), humanize.Comma(c.Rows), are)
	}
	for _, c := range r.Fails {
		fmt.Fprintf(w, "  %s\t%s\t%s\tstill fail\n", Printable(c.Class), OrNone(c.DocType), humanize.Comma(c.Rows))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !dry && r.Load == "" {
		fmt.Fprintln(out, "nothing changed")
	}
	return Stale(out, r.Stale, dry)
}

// Stale lists the partitions that were not made from the archive's current pings.
func Stale(out io.Writer, stale []job.Unit, dry bool) (err error) {
	for i, u := range stale {
		if i == 0 {
			fmt.Fprintln(out, "made from other pings than there are now:")
		}
		_, err = fmt.Fprintf(out, "  %v\n", u)
	}
	if len(stale) > 0 && !dry {
		_, err = fmt.Fprintf(out, "make them again: pingmill run all --from %s --to %s\n", stale[0].Day, stale[len(stale)-1].Day)
	}
	return err
}

// Dropped lists the files that were recorded as lost and, without an error, the stale partitions.
func Dropped(out io.Writer, d *loader.DroppedFiles, err error) error {
	for _, f := range d.Files {
		fmt.Fprintf(out, "gave up %s: %s rows of %s\n", f.Name, humanize.Comma(f.Rows), OrNone(f.Day))
	}
	for _, state := range d.State {
		fmt.Fprintf(out, "gave up %s", state.Name)
		if state.Follows != "" {
			fmt.Fprintf(out, ": %s", state.Follows)
		}
		fmt.Fprintln(out)
	}
	if err != nil {
		return nil
	}
	return Stale(out, d.Stale, false)
}

// Rebuilt prints the content of a load whose record was rebuilt. It returns an error if files are missing.
func Rebuilt(out io.Writer, r *maintain.Rebuilt) error {
	rows := int64(0)
	for _, f := range r.Files {
		rows += f.Rows
	}
	_, err := fmt.Fprintf(out, "load %s has %d files with %s rows\n", r.ID, len(r.Files), humanize.Comma(rows))
	if err == nil && len(r.Gaps) > 0 {
		err = fmt.Errorf("rebuild load %s: its files %v are missing: what was in them is lost", r.ID, r.Gaps)
	}
	return err
}

// Undone prints the result of undoing a load.
func Undone(out io.Writer, u *loader.UndoneLoad) error {
	if u.Already {
		_, err := fmt.Fprintf(out, "load %s was taken back before: nothing changed\n", u.Load)
		return err
	}
	fmt.Fprintf(out, "took back load %s: %s and %s of %s\n",
		u.Load, text.Plural(u.Pings, "ping"), text.Plural(u.Errors, "rejected submission"), text.Plural(int64(len(u.Days)), "day"))
	return Stale(out, u.Stale, false)
}
