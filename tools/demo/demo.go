// Package demo runs the demonstration in its own folder: it generates pings, loads them, makes all tables, runs
// queries, and serves the query tool while more pings arrive.
package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
	"github.com/pingmill/pingmill/tools/generate"
)

// Options sets the place and the size of a demonstration.
type Options struct {
	Dir       string // folder for everything
	Clients   int
	Days      int
	Web       string // address of the query tool; any other port if it is taken
	Program   string // version, as the ledger has it
	Now       func() time.Time
	Out, Errs io.Writer

	// Serve runs a command of the program, whose log goes to log. If it is nil the demonstration ends without the query tool.
	Serve func(ctx context.Context, log io.Writer, args ...string) error
}

// demonstration is one run of the demonstration.
type demonstration struct {
	Options
	started  time.Time
	from, to string
	glean    flags.Definitions // the built-in ones of Firefox desktop, and those of the generated pings
}

func (t *demonstration) printf(format string, args ...any) { fmt.Fprintf(t.Out, format+"\n", args...) }

// took returns the time since another.
func (t *demonstration) took(since time.Time) time.Duration { return t.Now().Sub(since) }

// Run makes a demonstration.
func Run(ctx context.Context, o Options) error {
	t := &demonstration{Options: o, started: o.Now(),
		glean: flags.Definitions{Glean: []string{"firefox", filepath.Join(o.Dir, "definitions")}}}
	file, data := filepath.Join(t.Dir, "pings.ndjson"), filepath.Join(t.Dir, "data")
	if err := t.generate(ctx, file); err != nil {
		return err
	}
	if err := t.makeTables(ctx, file, data); err != nil {
		return err
	}
	if t.Serve == nil {
		return t.next(data)
	}
	return t.live(ctx, data)
}

// make loads the pings, makes the tables and asks them.
func (t *demonstration) makeTables(ctx context.Context, file, data string) error {
	cli.Finishes(ctx, func() string { return "what was begun" })
	p, err := schema.LoadProbes("")
	if err != nil {
		return err
	}
	s, err := site.Open(ctx, data, schema.NewSet(p))
	if err != nil {
		return err
	}
	defer s.Close()
	s.Grace.Now = t.Now
	if err := t.glean.Extend(ctx, &s.Data, flags.Extension{Makes: true, Record: true, Now: t.Now}); err != nil {
		return err
	}
	if err := t.load(ctx, s, file); err != nil {
		return err
	}
	if err := t.tables(ctx, s); err != nil {
		return err
	}
	if err := t.queries(ctx, s, filepath.Join(data, "tmp")); err != nil {
		return err
	}
	t.printf("\nEverything took %s. It is in %s: pings.ndjson as clients sent them, definitions of their Glean pings,\ndata/archive with "+
		"raw pings by day, data/lake, pipeline and restricted with the tables as parquet, for any engine.",
		t.took(t.started).Round(100*time.Millisecond), cli.Quote(t.Dir))
	return nil
}

// next prints what the user can do with the demonstration, the best last.
func (t *demonstration) next(data string) error {
	t.printf("")
	program, flag := cli.Quote(os.Args[0]), " --data "+cli.Quote(data)
	return t.list("Try next", [][2]string{
		{"all commands", program + " help"},
		{"make tables; all are current", program + " run all" + flag + " --from " + t.from + " --to " + t.to},
		{"what is published", program + " tables" + flag},
		{"what a table has", program + " schema clients_daily"},
		{"ask once", program + " query" + flag + " 'SELECT os, count(*) FROM clients_daily GROUP BY os'"},
		{"ask at a prompt", program + " query" + flag},
		{"the query tool, and pings over HTTP; its log has a link that signs in",
			program + " serve" + flag + " --definitions " + cli.Quote(strings.Join(t.glean.Glean, ","))},
	})
}

// list prints what things are, and the things, which can be pasted into a shell.
func (t *demonstration) list(title string, things [][2]string) error {
	t.printf("%s:", title)
	w := tabwriter.NewWriter(t.Out, 0, 0, 3, ' ', 0)
	for _, thing := range things {
		fmt.Fprintf(w, "  %s\t%s\n", thing[0], thing[1])
	}
	return w.Flush()
}

func (t *demonstration) generate(ctx context.Context, file string) error {
	start := t.Now()
	g, err := generate.New(generate.Config{Seed: 1, Clients: t.Clients, Days: t.Days, Gzip: true, Glean: true})
	if err != nil {
		return cli.Usage(err)
	}
	if err := os.MkdirAll(t.Dir, 0o755); err != nil {
		return fmt.Errorf("make folder of the output: %w", err)
	}
	if err := os.RemoveAll(t.glean.Glean[1]); err != nil {
		return fmt.Errorf("make definitions again: %w", err)
	}
	if err := generate.WriteDefinitions(t.glean.Glean[1]); err != nil {
		return err
	}
	var s generate.Summary
	err = cli.WriteFile(ctx, file, func(w io.Writer) error {
		s, err = g.WriteSubmissions(w, generate.Options{Place: true})
		return err
	})
	if err != nil {
		return err
	}
	first, err := job.ParseDay(string(generate.DefaultStart))
	if err != nil {
		return err
	}
	t.from, t.to = job.FormatDay(first), job.FormatDay(first.AddDate(0, 0, t.Days-1))
	t.printf("1. Generated %d days of %d clients in %s:\n   %s.", t.Days, t.Clients, t.took(start).Round(time.Millisecond),
		report.Generated(&s))
	return nil
}

func (t *demonstration) load(ctx context.Context, s *site.Site, file string) error {
	start := t.Now()
	decode := ingest.DefaultConfig()
	if err := t.glean.Decoding(&decode); err != nil {
		return err
	}
	l, err := loader.LoadFile(ctx, s, file, nil, loader.LoadOptions{Decode: decode})
	if err != nil {
		return err
	}
	t.printf("2. Loaded them into the archive in %s:\n   %s.", t.took(start).Round(time.Millisecond),
		report.Loaded(filepath.Base(file), &l, t.took(start)))
	return nil
}

func (t *demonstration) tables(ctx context.Context, s *site.Site) error {
	start := t.Now()
	days, err := job.DayRange(t.from, t.to)
	if err != nil {
		return err
	}
	p := report.NewProgress(io.Discard)
	if cli.IsTerminal(t.Errs) {
		p = report.NewProgress(t.Errs)
	}
	took := stopwatch{}
	o := etl.RunOptions{Days: days, Now: t.Now, Code: t.Program, Progress: func(e job.Event) {
		took.event(e)
		p.Event(e)
	}}
	daily, snapshots := slices.Clone(s.Tables), slices.Clone(s.Tables)
	o.Tables = schema.Names(slices.DeleteFunc(daily, (*schema.Table).IsSnapshots))
	r, err := etl.Run(ctx, s, o)
	if err == nil { // a snapshot of all days
		o.Days = days[len(days)-1:]
		o.Tables = schema.Names(slices.DeleteFunc(snapshots, func(t *schema.Table) bool { return !t.IsSnapshots() }))
		var more job.Report
		more, err = etl.Run(ctx, s, o)
		for _, u := range more.Units {
			if slices.Contains(o.Tables, u.Table) {
				r.Units = append(r.Units, u)
			}
		}
	}
	p.Close()
	if err != nil {
		return err
	}
	t.printf("3. Ran all jobs in %s: %s.\n", t.took(start).Round(time.Millisecond), r)
	return t.summary(ctx, s, took)
}

// summary prints, for each table, rows, partitions, bytes and time.
func (t *demonstration) summary(ctx context.Context, s *site.Site, took stopwatch) error {
	states, err := s.Totals(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "   table\trows\tpartitions\tsize\ttime\t")
	empty := 0
	for _, table := range s.Tables {
		st := states[table.Name]
		if st.Rows == 0 {
			empty++
			continue
		}
		fmt.Fprintf(w, "   %s\t%s\t%d\t%s\t%s\t\n", table.Name, humanize.Comma(st.Rows), st.Days, humanize.Bytes(uint64(st.Bytes)),
			took.table(table.Name).Round(time.Millisecond))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if empty > 0 {
		t.printf("   and %d tables without rows", empty)
	}
	return nil
}
