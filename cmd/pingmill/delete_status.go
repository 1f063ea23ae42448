package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/report"
)

// deleteStatus is the state of deletion requests, as JSON.
type deleteStatus struct {
	Clients  int              `json:"clients"` // ever forgotten
	Pending  deletionsPending `json:"pending"`
	Running  *forget.Cycle    `json:"running,omitempty"`
	Cycles   []*forget.Cycle  `json:"cycles"`
	Searched []searchedClient `json:"searched,omitempty"`
}

type deletionsPending struct {
	Requests int       `json:"requests"`
	Clients  int       `json:"clients"`
	Oldest   time.Time `json:"oldest,omitzero"`
}

// searchedClient is what is known of a client that was asked for.
type searchedClient struct {
	Client    string    `json:"client"`
	State     string    `json:"state"` // unknown, pending, removed
	Requested time.Time `json:"requested,omitzero"`
	Removed   time.Time `json:"removed,omitzero"`
}

func (f *deleteFlags) printStatus(ctx context.Context, s *etl.Site, out io.Writer) error {
	st, err := f.findStatus(ctx, s)
	if err != nil {
		return err
	}
	if f.format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(st)
	}
	return st.print(out)
}

func (f *deleteFlags) findStatus(ctx context.Context, s *etl.Site) (*deleteStatus, error) {
	set, err := s.Forgotten.Set(ctx)
	if err != nil {
		return nil, err
	}
	st := &deleteStatus{}
	st.Clients, st.Pending.Clients = set.Len()
	requests, err := s.Forgotten.Pending(ctx)
	if err != nil {
		return nil, err
	}
	st.Pending.Requests, st.Pending.Oldest = len(requests), forget.Oldest(requests)
	if st.Running, err = s.Forgotten.Running(ctx); err != nil {
		return nil, err
	}
	if st.Cycles, err = s.Forgotten.Cycles(ctx); err != nil {
		return nil, err
	}
	for _, id := range f.clients {
		found := searchedClient{Client: id, State: "unknown"}
		if c, ok := set.Find([]byte(id)); ok {
			found.State, found.Requested, found.Removed = "removed", c.Requested, c.Removed
			if c.Removed.IsZero() {
				found.State = "pending"
			}
		}
		st.Searched = append(st.Searched, found)
	}
	return st, nil
}

func (st *deleteStatus) print(out io.Writer) error {
	for _, c := range st.Searched {
		switch c.State {
		case "removed":
			fmt.Fprintf(out, "%s: asked for on %s, removed on %s\n", c.Client, day(c.Requested), day(c.Removed))
		case "pending":
			fmt.Fprintf(out, "%s: asked for on %s, left out of queries, not removed from the files yet\n", c.Client, day(c.Requested))
		default:
			fmt.Fprintf(out, "%s: never asked for\n", c.Client)
		}
	}
	fmt.Fprintf(out, "%s forgotten", report.Clients(st.Clients))
	if st.Pending.Requests > 0 {
		fmt.Fprintf(out, ", of which %s still to be removed from the files (%s, the oldest of %s)",
			humanize.Comma(int64(st.Pending.Clients)), report.Plural(int64(st.Pending.Requests), "request"), day(st.Pending.Oldest))
	}
	fmt.Fprintln(out)
	if c := st.Running; c != nil {
		fmt.Fprintf(out, "a removal began %s: %d of %s done, %s removed\n", c.Began.Format(time.DateTime), c.Done,
			report.Plural(int64(len(c.Days)), "day"), report.Plural(c.Rows(), "row"))
	}
	if len(st.Cycles) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "began\tended\trequests\tclients\tdays\tpartitions\trows removed\treplaced files\t")
	for _, c := range st.Cycles {
		n := 0
		for _, of := range c.Sources {
			n += of
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%d\t\n", c.Began.Format(time.DateTime), c.Ended.Format(time.DateTime), n, c.Clients,
			len(c.Days), len(c.Changes), humanize.Comma(c.Rows()), c.Replaced())
	}
	return w.Flush()
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// printChanges sums up what a cycle removed, by table.
func printChanges(out io.Writer, c *forget.Cycle) {
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
		fmt.Fprintf(w, "  %s\t%s\t%s", name, report.Plural(rows[name], "row"), report.Plural(int64(files[name]), "file"))
		if n := replaced[name]; n > 0 {
			fmt.Fprintf(w, ", and %s of earlier generations that queries may have been reading", report.Plural(int64(n), "file"))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

// dayProgress shows on a terminal how many days are done.
type dayProgress struct{ bar *progressbar.ProgressBar }

func newDayProgress(w io.Writer) *dayProgress {
	if !cli.IsTerminal(w) {
		return &dayProgress{}
	}
	return &dayProgress{progressbar.NewOptions(1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("removing"), progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

func (p *dayProgress) cycle(c *forget.Cycle) {
	if p.bar != nil {
		p.bar.ChangeMax(len(c.Days))
		_ = p.bar.Set(c.Done)
	}
}

func (p *dayProgress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
