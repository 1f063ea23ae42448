package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/internal/text"
)

// problem groups partitions of one table with the same state and reason.
type problem struct {
	state  status.State
	table  string
	reason string
	days   []string
}

// problems prints what is wrong and the commands that repair it.
func (c *Calendar) problems(w io.Writer) {
	c.notes(w)
	for _, t := range c.Status.Trouble {
		fmt.Fprintln(w, c.coloured(t, "1;31"))
	}
	found := c.grouped(func(p *status.Partition) bool { return p.State.Wrong() })
	if len(found) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, p := range tablesAlike(found) {
		fmt.Fprintf(w, "%s %s %s: %s\n", p.state, p.table, dayList(p.days), p.reason)
	}
	found = slices.DeleteFunc(found, func(p problem) bool { return p.state == status.Damaged }) // a run does not repair it
	if len(found) == 0 {
		return
	}
	fmt.Fprintln(w, "\nTo mend:")
	for _, line := range c.commands(found, "") {
		fmt.Fprintln(w, "  "+line)
	}
	if slices.ContainsFunc(found, func(p problem) bool { return p.state == status.Stale }) {
		fmt.Fprintln(w, "or, to leave stale partitions as they are: "+c.Command("accept --help")+
			"; to make old ones again little by little: schedule.remake")
	}
}

// tablesAlike joins problems that differ only in their tables.
func tablesAlike(found []problem) (all []problem) {
	for _, p := range found {
		at := slices.IndexFunc(all, func(q problem) bool {
			return q.state == p.state && q.reason == p.reason && slices.Equal(q.days, p.days)
		})
		if at < 0 {
			all = append(all, p)
			continue
		}
		all[at].table += ", " + p.table
	}
	return all
}

// notes prints states that are noteworthy but not wrong.
func (c *Calendar) notes(w io.Writer) {
	for _, note := range c.Status.Notes {
		fmt.Fprintln(w, note)
	}
	for _, state := range []status.State{status.Incomplete, status.Unreadable} {
		for _, p := range c.grouped(func(p *status.Partition) bool { return p.State == state }) {
			fmt.Fprintf(w, "%s %s %s: %s\n", state, p.table, dayList(p.days), p.reason)
		}
	}
	for _, p := range c.unchecked() {
		fmt.Fprintf(w, "published %s %s: without the checks %s\n", p.table, dayList(p.days), p.reason)
	}
	for _, p := range c.grouped(func(p *status.Partition) bool { return p.State == status.AsItIs }) {
		fmt.Fprintf(w, "%s %s %s: %s\n", p.state, p.table, dayList(p.days), strings.TrimPrefix(p.reason, "accepted "))
	}
	newer := c.grouped(func(p *status.Partition) bool { return p.State == status.Newer })
	for _, p := range newer {
		fmt.Fprintf(w, "%s %s %s: %s\n", p.state, p.table, dayList(p.days), p.reason)
	}
	for _, line := range c.commands(newer, " --force") {
		fmt.Fprintln(w, "  to go back to this version for good: "+line)
	}
	older := c.grouped(func(p *status.Partition) bool { return p.State == status.Older })
	for _, p := range older {
		fmt.Fprintf(w, "older columns %s %s: made with other probe definitions; new columns read as null\n", p.table, dayList(p.days))
	}
	for _, line := range c.commands(older, " --force --downstream") {
		fmt.Fprintln(w, "  to have the new columns there as well: "+line)
	}
	if gaps := c.gaps(); len(gaps) > 0 {
		fmt.Fprintf(w, "no pings at all of %s, in the middle of others\n", dayList(gaps))
	}
}

// unchecked returns the partitions that were published without some checks. The reason lists these checks.
func (c *Calendar) unchecked() []problem {
	var all []problem
	for _, p := range c.Status.Partitions {
		if len(p.SkippedChecks) > 0 {
			all = join(all, problem{state: p.State, table: p.Table, reason: strings.Join(p.SkippedChecks, ", ")}, p.Day)
		}
	}
	return all
}

// replaced prints the disk usage of replaced files.
func (c *Calendar) replaced(w io.Writer) {
	if r := c.Status.Replaced; r.Files > 0 {
		fmt.Fprintf(w, "replaced, but kept for queries that began before: %s, %s\n", text.Plural(int64(r.Files), "file"),
			humanize.Bytes(uint64(max(0, r.Bytes))))
	}
}

// past prints expired data and why it still exists.
func (c *Calendar) past(w io.Writer) {
	goes, stays := split(c.Past)
	if len(goes) > 0 {
		fmt.Fprintf(w, "past their time, gone with the next removal: %s\n", sumText(goes))
	}
	var all []problem
	for _, i := range stays {
		at := slices.IndexFunc(all, func(p problem) bool { return p.table == i.Name() && p.reason == i.Waits })
		if at < 0 {
			at = len(all)
			all = append(all, problem{table: i.Name(), reason: i.Waits})
		}
		all[at].days = append(all[at].days, i.Day)
	}
	for _, p := range all {
		fmt.Fprintf(w, "past its time, but still needed: %s %s: %s\n", p.table, dayList(p.days), p.reason)
	}
}

// grouped joins the partitions for which take returns true by table and reason. Incomplete days are joined over all
// tables.
func (c *Calendar) grouped(take func(*status.Partition) bool) []problem {
	var all []problem
	for i := range c.Status.Partitions {
		p := &c.Status.Partitions[i]
		if !take(p) {
			continue
		}
		table, reason := p.Table, strings.Join(p.Reasons, "; ")
		if p.State == status.Incomplete {
			table = "days"
		}
		all = join(all, problem{state: p.State, table: table, reason: reason}, p.Day)
	}
	return all
}

// join adds a day to the problem that differs only in its days.
func join(all []problem, p problem, day string) []problem {
	at := slices.IndexFunc(all, func(q problem) bool { return q.state == p.state && q.table == p.table && q.reason == p.reason })
	if at < 0 {
		at = len(all)
		all = append(all, p)
	}
	if days := &all[at].days; !slices.Contains(*days, day) {
		*days = append(*days, day)
	}
	return all
}

// gaps returns the days without pings between days with pings.
func (c *Calendar) gaps() []string {
	var gaps, waiting []string
	some := map[string]bool{}
	for _, p := range c.Status.Partitions {
		some[p.Day] = some[p.Day] || p.State != status.Empty
	}
	begun := false
	for _, d := range c.Days {
		switch {
		case !some[d]:
			waiting = append(waiting, d)
		case begun:
			gaps, waiting = append(gaps, waiting...), nil
		default:
			begun, waiting = true, nil
		}
	}
	return gaps
}

// commands returns the runs that mend problems: one for each stretch of days, of one table if only that one needs it.
func (c *Calendar) commands(found []problem, more string) []string {
	tables := map[string]string{}
	for _, p := range found {
		for _, d := range p.days {
			switch tables[d] {
			case "":
				tables[d] = p.table
			case p.table:
			default:
				tables[d] = "all"
			}
		}
	}
	var lines []string
	for i := 0; i < len(c.Days); {
		table, end := tables[c.Days[i]], i+1
		for table != "" && end < len(c.Days) && tables[c.Days[end]] == table {
			end++
		}
		switch first, last := c.Days[i], c.Days[end-1]; {
		case table == "":
		case first == last:
			lines = append(lines, c.Command(fmt.Sprintf("run %s --date %s%s", table, first, more)))
		default:
			lines = append(lines, c.Command(fmt.Sprintf("run %s --from %s --to %s%s", table, first, last, more)))
		}
		i = end
	}
	return lines
}
