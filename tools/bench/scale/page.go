package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
)

// The part of docs/scaling.md between these lines is written by make scale-sim.
const (
	begin = "<!-- made by make scale-sim -->\n"
	end   = "<!-- end -->\n"
)

func writePage(name string, m Measured) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, is := strings.Cut(rest, end)
	if !ok || !is {
		return fmt.Errorf("%s has no place for tables", name)
	}
	return os.WriteFile(name, []byte(before+begin+tables(m, defaults)+end+after), 0o644)
}

// tables returns the tables of the model.
func tables(m Measured, in Inputs) string {
	var b strings.Builder
	pings(&b, in)
	b.WriteString("\n## A plan for 1, 10 and 100 million clients\n\n")
	b.WriteString("| | 1 million | 10 million | 100 million |\n|---|---|---|---|\n")
	plans := []Plan{in.plan(1e6), in.plan(10e6), in.plan(100e6)}
	row := func(what string, value func(*Plan) string) {
		fmt.Fprintf(&b, "| %s |", what)
		for i := range plans {
			fmt.Fprintf(&b, " %s |", value(&plans[i]))
		}
		b.WriteString("\n")
	}
	size := func(n float64) string { return humanize.Bytes(uint64(n)) }
	count := func(n float64) string { return humanize.SIWithDigits(n, 2, "") }
	row("submissions a day", func(p *Plan) string { return count(p.Day) })
	row("of the busiest second", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Rate) })
	row("new TLS connections of that second", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Handshakes) })
	row("edges, of 4 cores", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Edges) })
	row("cores busy at the peak, of all of them", func(p *Plan) string { return fmt.Sprintf("%.2f", p.EdgeCores) })
	row("into each edge at the peak, a second", func(p *Plan) string { return size(p.Network) })
	row("spool of each edge for six hours without a bucket", func(p *Plan) string { return size(p.Spool) })
	row("memory of each edge for duplicates of 24 hours", func(p *Plan) string { return size(p.Seen) })
	row("cores of all edges if decoding may be late", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Late.Cores) })
	row("how late then, hours, and the spool of all edges", func(p *Plan) string {
		return fmt.Sprintf("%.1f, %s", p.Late.Hours, size(p.Late.Spool))
	})
	row("loads a day", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Loads) })
	row("time in which a load has its turn", func(p *Plan) string { return fmt.Sprintf("%.1f %%", 100*p.Turns) })
	row("hours of a core for a day's tables", func(p *Plan) string { return fmt.Sprintf("%.1f", p.TableHours) })
	row(fmt.Sprintf("archive of %.0f days", in.Keep), func(p *Plan) string { return size(p.Archive) })
	row(fmt.Sprintf("tables of %.0f days", in.KeepTable), func(p *Plan) string { return size(p.Tables) })
	row("a weekly removal of forgotten clients: files written again", func(p *Plan) string {
		return fmt.Sprintf("%.0f %%, %s", 100*p.Removal.Share, size(p.Removal.Bytes))
	})
	row("hours of a core for it", func(p *Plan) string { return fmt.Sprintf("%.0f", p.Removal.Hours) })
	row("hours of a core for a day's 1,000 queries", func(p *Plan) string { return fmt.Sprintf("%.1f", in.queryHours(p)) })
	row("requests a day: puts, lists", func(p *Plan) string { return count(p.Puts) })
	row("requests a day: gets", func(p *Plan) string { return count(p.Gets) })
	row("units of money a month", func(p *Plan) string { return humanize.Comma(int64(p.Month)) })
	row("the first wall", func(p *Plan) string { return p.Wall })
	b.WriteString("\n## The night at 100 million clients\n\nSimulated: the last hour of the day, and its tables on four machines of 16 " +
		"cores.\n\n")
	b.WriteString("| what happens | the last load is committed | all tables are published | longest commit of a load | attempts that " +
		"were repeated |\n|---|---|---|---|---|\n")
	for _, sc := range scenarios {
		o := sc.run(in)
		fmt.Fprintf(&b, "| %s | %s | %s | %.0f s | %d |\n", sc.name, clock(o.committed), clock(o.closed), o.longest, o.again)
	}
	if f, err := fleet(); err == nil && len(f.Kinds) > 0 {
		f.compare(&b, in)
	}
	b.WriteString("\n## The model against measurements\n\n| what | measured | model | difference |\n|---|---|---|---|\n")
	compare := func(what string, got, want float64, unit string) {
		fmt.Fprintf(&b, "| %s | %.1f%s | %.1f%s | %+.0f %% |\n", what, want, unit, got, unit, 100*(got/want-1))
	}
	for _, c := range m.Commits {
		s := m.like(c.Decoders, c.Each, 1)
		s.run()
		what := fmt.Sprintf("%d decoders commit %d loads each, one after the other", c.Decoders, c.Each)
		compare(what, s.now, c.Seconds, " s")
		compare("requests of each of these loads", s.requests/float64(s.done), c.Requests, "")
	}
	for _, d := range m.Days {
		compare(fmt.Sprintf("tables of %d days, %d workers", d.Days, d.Workers), m.run(d.Days, d.Workers, 1), d.Seconds, " s")
	}
	b.WriteString("\n")
	return b.String()
}

// pings writes what a submission of each kind costs.
func pings(b *strings.Builder, in Inputs) {
	b.WriteString("\n| submissions | a client and day | sent, gzipped | archive | tables | edge | decoding | live rows | daily tables |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, k := range in.pings() {
		fmt.Fprintf(b, "| %s | %g | %.2f KB | %.2f KB | %.2f KB | %.0f µs | %.0f µs | %.0f µs | %.0f µs |\n", k.Name, k.PerClient,
			k.SentBytes/1e3, k.ArchiveSize/1e3, k.TableSize/1e3, k.EdgeCPU*1e6, k.DecodeCPU*1e6, k.LiveCPU*1e6, k.TablesCPU*1e6)
	}
}

func clock(seconds float64) string {
	n := max(0, int(seconds))
	return fmt.Sprintf("%02d:%02d:%02d", n/3600, n/60%60, n%60)
}
