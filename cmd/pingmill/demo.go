package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

func newDemo() *cobra.Command {
	var dir string
	var clients, days int
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "synthetic pings, all seven tables, example queries",
		Args:  cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &demo{dir: dir, out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), started: time.Now()}
			return d.run(cmd.Context(), clients, days)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "demo", "folder for everything")
	f.IntVar(&clients, "clients", generate.DefaultClients, "number of clients")
	f.IntVar(&days, "days", generate.DefaultDays, "number of days")
	return cmd
}

// demo is one run of the demonstration.
type demo struct {
	dir       string
	out, errs io.Writer
	started   time.Time
	from, to  string
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

func (d *demo) run(ctx context.Context, clients, days int) error {
	file := filepath.Join(d.dir, "pings.ndjson")
	if err := d.generate(ctx, file, clients, days); err != nil {
		return err
	}
	flags := siteFlags{data: filepath.Join(d.dir, "data")}
	s, err := flags.open(ctx, true)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := d.load(ctx, s, file); err != nil {
		return err
	}
	if err := d.tables(ctx, s); err != nil {
		return err
	}
	if err := d.queries(ctx, s, flags.temp()); err != nil {
		return err
	}
	d.say("\nEverything took %s.\n", time.Since(d.started).Round(100*time.Millisecond))
	if err := d.list("Where it is", [][2]string{
		{"the pings, as clients sent them", file},
		{"raw pings by day, and rejected ones with the reason", filepath.Join(flags.data, "archive")},
		{"the tables as parquet, for any engine", filepath.Join(flags.data, "{lake,pipeline,restricted}")},
	}); err != nil {
		return err
	}
	d.say("")
	program, data := cli.Quote(os.Args[0]), " --data "+cli.Quote(flags.data)
	return d.list("Try next", [][2]string{
		{"what is published", program + " tables" + data},
		{"what a table has", program + " schema clients_daily"},
		{"ask", program + " query" + data + " 'SELECT os, count(*) FROM clients_daily GROUP BY os'"},
		{"make tables; all are current", program + " run all" + data + " --from " + d.from + " --to " + d.to},
		{"take pings over HTTP", program + " serve" + data},
		{"all commands", program + " help"},
	})
}

// list prints what things are, and the things, which can be pasted into a shell.
func (d *demo) list(title string, things [][2]string) error {
	d.say("%s:", title)
	w := tabwriter.NewWriter(d.out, 0, 0, 3, ' ', 0)
	for _, t := range things {
		fmt.Fprintf(w, "  %s\t%s\n", t[0], t[1])
	}
	return w.Flush()
}

func (d *demo) generate(ctx context.Context, file string, clients, days int) error {
	start := time.Now()
	g, err := generate.New(generate.Config{Seed: 1, Clients: clients, Days: days, Gzip: true})
	if err != nil {
		return cli.Usage(err)
	}
	s, err := writeGenerated(ctx, g, generateForms["submissions"], generate.Options{Place: true}, file, d.out)
	if err != nil {
		return err
	}
	first, err := job.ParseDay(string(generate.DefaultStart))
	if err != nil {
		return err
	}
	d.from, d.to = job.FormatDay(first), job.FormatDay(first.AddDate(0, 0, days-1))
	d.say("1. Generated %d days of %d clients in %s:\n   %s.", days, clients, time.Since(start).Round(time.Millisecond), generatedLine(s))
	return nil
}

func (d *demo) load(ctx context.Context, s *site.Site, file string) error {
	start := time.Now()
	l, err := etl.LoadFile(ctx, s, file, nil, etl.LoadOptions{Decode: ingest.DefaultConfig()})
	if err != nil {
		return err
	}
	d.say("2. Loaded them into the archive in %s:\n   %s.", time.Since(start).Round(time.Millisecond), loadLine(filepath.Base(file), &l, time.Since(start)))
	return nil
}

func (d *demo) tables(ctx context.Context, s *site.Site) error {
	start := time.Now()
	days, err := job.DayRange(d.from, d.to)
	if err != nil {
		return err
	}
	names, err := tablesOf(s, "all")
	if err != nil {
		return err
	}
	p := report.NewProgress(io.Discard)
	if cli.IsTerminal(d.errs) {
		p = report.NewProgress(d.errs)
	}
	took := stopwatch{}
	report, err := etl.Run(ctx, s, etl.RunOptions{Tables: names, Days: days, Now: time.Now, Progress: func(e job.Event) {
		took.event(e)
		p.Event(e)
	}})
	p.Close()
	if err != nil {
		return err
	}
	d.say("3. Ran all jobs in %s: %s.\n", time.Since(start).Round(time.Millisecond), report)
	return d.summary(ctx, s, took)
}

// summary prints, for each table, rows, partitions, bytes and time.
func (d *demo) summary(ctx context.Context, s *site.Site, took stopwatch) error {
	states, err := tableStates(ctx, s)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "   table\trows\tpartitions\tsize\ttime\t")
	for _, t := range s.Tables {
		st := states[t.Name]
		fmt.Fprintf(w, "   %s\t%s\t%d\t%s\t%s\t\n", t.Name, humanize.Comma(st.rows), st.days, humanize.Bytes(uint64(st.bytes)), took.table(t.Name).Round(time.Millisecond))
	}
	return w.Flush()
}

func (d *demo) queries(ctx context.Context, s *site.Site, temp string) (err error) {
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return fmt.Errorf("make folder for temporary files: %w", err)
	}
	db, err := openQuery(ctx, s, query.Options{TempDir: temp})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	from, err := job.ParseDay(d.from)
	if err != nil {
		return err
	}
	to, err := job.ParseDay(d.to)
	if err != nil {
		return err
	}
	for i, e := range query.Examples {
		sql, err := e.Query(query.Days{From: from, To: to})
		if err != nil {
			return err
		}
		start := time.Now()
		d.say("\n%d. %s\n\n%s\n", i+4, e.Title, sql)
		if err := runQuery(ctx, db, sql, query.FormatTable, "", d.out); err != nil {
			return err
		}
		d.say("   in %s", time.Since(start).Round(time.Millisecond))
	}
	return nil
}

// stopwatch adds up the time of the tasks by table.
type stopwatch map[string]map[job.Task]time.Duration

func (s stopwatch) event(e job.Event) {
	if s[e.Unit.Table] == nil {
		s[e.Unit.Table] = map[job.Task]time.Duration{}
	}
	at := time.Duration(e.Time.UnixNano())
	switch e.Kind {
	case job.TaskStarted:
		s[e.Unit.Table][e.Task] -= at
	case job.TaskEnded:
		s[e.Unit.Table][e.Task] += at
	}
}

func (s stopwatch) table(name string) (sum time.Duration) {
	for _, d := range s[name] {
		sum += d
	}
	return sum
}
