package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
)

// Deletions prints the state of the requests to be forgotten, as text or json.
func Deletions(out io.Writer, st *forget.Status, format string) error {
	if format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(st)
	}
	for _, c := range st.Searched {
		switch c.State {
		case "removed":
			fmt.Fprintf(out, "%s: asked for on %s, removed on %s\n", c.Client, day(c.Requested), day(c.Removed))
		case "pending":
			fmt.Fprintf(out, "%s: asked for on %s, left out of queries, to be removed from the files by %s\n",
				c.Client, day(c.Requested), day(c.Due))
		default:
			fmt.Fprintf(out, "%s: never asked for\n", c.Client)
		}
	}
	fmt.Fprintf(out, "%s forgotten", Clients(st.Clients))
	if st.Pending.Requests > 0 {
		fmt.Fprintf(out, ", of which %s still to be removed from the files (%s, the oldest of %s, by %s)",
			humanize.Comma(int64(st.Pending.Clients)), text.Plural(int64(st.Pending.Requests), "request"), day(st.Pending.Oldest),
			day(st.Pending.Due))
	}
	fmt.Fprintln(out)
	if c := st.Running; c != nil {
		fmt.Fprintf(out, "a removal began %s: %d of %s done, %s removed\n", c.Began.Format(time.DateTime), c.Done,
			text.Plural(int64(len(c.Days)), "day"), text.Plural(c.Rows(), "row"))
		for _, why := range c.Held {
			fmt.Fprintf(out, "  it waits: %s\n", why)
		}
	}
	for _, r := range st.Removers {
		fmt.Fprintf(out, "  server %s is at %s\n", r.Server, r.Piece)
	}
	if len(st.Cycles) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "began\tended\trequests\tclients\tdays\tpartitions\trows removed\treplaced files\t")
	for _, c := range st.Cycles {
		n := 0
		for _, requests := range c.Sources {
			n += requests
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%d\t\n", c.Began.Format(time.DateTime), c.Ended.Format(time.DateTime), n, c.Clients,
			len(c.Days), len(c.Changes), humanize.Comma(c.Rows()), c.Replaced())
	}
	return w.Flush()
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// removed sums up the removals of a cycle, by table.
func removed(out io.Writer, c *forget.Cycle) {
	rows, files, replaced := map[string]int64{}, map[string]int{}, map[string]int{}
	for _, ch := range c.Changes {
		name := ch.Table
		if ch.Version != "" {
			name += "/" + ch.Version
		}
		rows[name] += ch.Rows
		files[name] += ch.Files
		replaced[name] += ch.Replaced
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(w, "  %s\t%s\t%s", name, text.Plural(rows[name], "row"), text.Plural(int64(files[name]), "file"))
		if n := replaced[name]; n > 0 {
			fmt.Fprintf(w, ", and %s of earlier generations that queries may have been reading", text.Plural(int64(n), "file"))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

// ClientRows prints the number of published rows of clients by table, and warns of clients without rows. rowsOf is by
// client id.
func ClientRows(out io.Writer, tables []*schema.Table, rows, rowsOf map[string]int64, clients []string) {
	var parts, none []string
	for _, t := range tables {
		if n := rows[t.Name]; n > 0 {
			parts = append(parts, text.Plural(n, "row")+" in "+t.Name)
		}
	}
	for _, c := range clients {
		if rowsOf[strings.ToLower(c)] == 0 {
			none = append(none, c)
		}
	}
	fmt.Fprintf(out, "published of %s: %s\n", Clients(len(clients)), cmp.Or(strings.Join(parts, ", "), "no rows"))
	if len(none) > 0 {
		fmt.Fprintf(out, "warning: no rows are published of %s: is the id right?\n", ShortList(none))
	}
}

// Requested prints the consequence of a request: with removed none, else when
// the service, which removes rows every so often, will do so.
func Requested(out io.Writer, clients int, removed bool, t erase.Timing, command func(args string) string) error {
	fmt.Fprintf(out, "recorded: %s. Queries leave their rows out from now on, and nothing more of them is taken.\n", Clients(clients))
	if removed {
		return nil
	}
	when := "The service removes their rows from the files within " + WholeDays(t.Every) + "; "
	if t.Every == 0 {
		when = "The service removes no rows by itself (deletion.every is 0), and they must be gone within " +
			WholeDays(time.Duration(t.Deadline)) + "; "
	}
	_, err := fmt.Fprintln(out, when+command("delete --now")+" does it at once.")
	return err
}

// Erased prints the result of a removal.
func Erased(out io.Writer, done *erase.Result) error {
	if done.Cycle == nil {
		_, err := fmt.Fprintln(out, "nothing to remove: no client is waiting to be forgotten")
		return err
	}
	fmt.Fprintf(out, "removed %s of %s from %s, %s looked at\n", text.Plural(done.Rows(), "row"), Clients(done.Clients),
		text.Plural(int64(len(done.Changes)), "partition"), text.Plural(int64(len(done.Days)), "day"))
	removed(out, done.Cycle)
	for _, w := range done.Waiting {
		fmt.Fprintf(out, "not finished yet: %s, and may still hold rows from before; the next cycle looks again\n", w)
	}
	return nil
}
