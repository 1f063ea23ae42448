package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/privacy/retain"
)

// Calendar writes a status as text: a line for each table with a character for each day, and the problems below.
type Calendar struct {
	Status  *status.Status
	Past    []retain.Item // expired data that still exists
	Days    []string
	Width   int // in characters
	Colours bool
	// Command returns a command line for the same installation.
	Command func(args string) string
}

// look of the states, in the order of the legend.
var stateLooks = []struct {
	state  status.State
	mark   string
	colour string // SGR parameters
}{
	{status.Published, "#", "32"},
	{status.Older, "o", "36"},
	{status.AsItIs, "a", "36"},
	{status.Newer, "n", "36"},
	{status.Running, "r", "34"},
	{status.Stale, "s", "33"},
	{status.Failed, "F", "1;31"},
	{status.Damaged, "D", "1;31"},
	{status.Spoilt, "d", "1;31"},
	{status.Missing, "M", "31"},
	{status.Incomplete, "~", "90"},
	{status.Expired, "x", "90"},
	{status.Empty, ".", "90"},
	{status.Unreadable, "?", "90"},
}

// Write writes the calendar.
func (c *Calendar) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	tables, at := c.index()
	name := 0
	for _, t := range tables {
		name = max(name, len(t))
	}
	const totals = 21 // " 12,345,678  123 MB"
	chunk := max(7, c.Width-name-1)
	last := c.Days
	if len(last) > chunk {
		last = last[(len(last)-1)/chunk*chunk:]
	}
	wide := name+1+len(last)+totals <= c.Width
	for from := 0; from < len(c.Days); from += chunk {
		days := c.Days[from:min(from+chunk, len(c.Days))]
		end := from+chunk >= len(c.Days)
		if labels := ruler(days); labels == "" { // too few for any
			fmt.Fprintf(w, "from %s-%s-%s\n", days[0][:4], days[0][4:6], days[0][6:])
		} else {
			fmt.Fprintf(w, "%-*s %s\n", name, days[0][:4], labels)
		}
		for _, t := range tables {
			line := fmt.Sprintf("%-*s ", name, t)
			var rows, bytes int64
			for _, d := range days {
				line += c.mark(at[t+d].State)
			}
			for _, d := range c.Days {
				rows, bytes = rows+at[t+d].Rows, bytes+at[t+d].Bytes
			}
			if end && wide {
				line += fmt.Sprintf(" %11s %8s", shortCount(rows)+" rows", humanize.Bytes(uint64(max(0, bytes))))
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
		fmt.Fprintln(w)
	}
	c.legend(w)
	c.pipeline(w)
	c.past(w)
	c.archive(w)
	c.replaced(w)
	c.problems(w)
	return w.Flush()
}

// shortCount formats a count such as 812, 6.7 k or 1.2 M.
func shortCount(n int64) string {
	return strings.TrimSpace(humanize.SIWithDigits(float64(n), 1, ""))
}

// index returns the tables in order, and the partitions by table and day.
func (c *Calendar) index() (tables []string, at map[string]status.Partition) {
	at = map[string]status.Partition{}
	seen := map[string]bool{}
	for _, p := range c.Status.Partitions {
		if !seen[p.Table] {
			seen[p.Table] = true
			tables = append(tables, p.Table)
		}
		at[p.Table+p.Day] = p
	}
	return tables, at
}

// ruler writes month and day above every Monday that has room.
func ruler(days []string) string {
	var line []byte
	for i, d := range days {
		t, err := time.Parse("20060102", d)
		if err != nil || i > 0 && (t.Weekday() != time.Monday || i < 6) {
			continue
		}
		if label := d[4:6] + "-" + d[6:]; i+len(label) <= len(days) {
			line = append(line, strings.Repeat(" ", i-len(line))+label...)
		}
	}
	return string(line)
}

func (c *Calendar) mark(s status.State) string {
	for _, l := range stateLooks {
		if l.state == s {
			return c.coloured(l.mark, l.colour)
		}
	}
	return " "
}

func (c *Calendar) coloured(text, colour string) string {
	if !c.Colours {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// legend explains the marks in use.
func (c *Calendar) legend(w io.Writer) {
	counts := map[status.State]int{}
	for _, p := range c.Status.Partitions {
		counts[p.State]++
	}
	var parts []string
	length := 0
	for _, l := range stateLooks {
		if n := counts[l.state]; n > 0 {
			text := fmt.Sprintf(" %s (%d)", l.state, n)
			if length += len(text) + 3; length > c.Width {
				parts = append(parts, "\n")
				length = len(text) + 3
			}
			parts = append(parts, c.coloured(l.mark, l.colour)+text+"  ")
		}
	}
	for _, line := range strings.Split(strings.Join(parts, ""), "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// pipeline writes the watermarks of the edges and the backlog.
func (c *Calendar) pipeline(w io.Writer) {
	for _, e := range c.Status.Edges {
		fmt.Fprintf(w, "edge %s: in the archive up to %s, %s ago\n", e.Edge, text.Stamp(e.Watermark), e.Lag.Round(time.Second))
	}
	if b := c.Status.Spool; b != nil {
		fmt.Fprintf(w, "spool: %s submissions in %d segments (%s) wait", humanize.Comma(int64(b.Records)), b.Segments,
			humanize.Bytes(uint64(max(0, b.Bytes))))
		if !b.Oldest.IsZero() {
			fmt.Fprintf(w, ", the oldest from %s", text.Stamp(b.Oldest))
		}
		fmt.Fprintln(w)
	}
}
