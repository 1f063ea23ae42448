package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/retain"
)

// statusFlags say what status looks at and how it shows it.
type statusFlags struct {
	site     siteFlags
	keep     keepFlags
	from, to string
	days     int
	tables   []string
	format   string
	minFree  int64
	now      func() time.Time
}

func newStatus() *cobra.Command {
	f := statusFlags{now: time.Now}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "show what is published, stale, failed or missing, by table and day",
		Long: `Shows a calendar of the last weeks that have pings: how the partition of every table and day
stands, what is wrong and the command that mends it, how far each edge is decoded,
and what waits in the spool. It changes nothing and can be asked during a run.

The exit status is 1 when a partition of a complete day is missing, stale or
failed, or anything is damaged, and 0 otherwise. A day is complete when it is over and every edge is
decoded past it. With --format json there is one object for each table and day.`,
		Example: "  pingmill status\n  pingmill status --from 20180301 --to 20180331 --table clients_daily",
		Args:    cli.Args(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.site.add(cmd)
	f.site.addApps(cmd)
	f.keep.add(cmd)
	fl := cmd.Flags()
	config.Flag(fl, "spool.min-free", &f.minFree)
	fl.StringVar(&f.from, "from", "", "first day, YYYYMMDD")
	fl.StringVar(&f.to, "to", "", "last day, YYYYMMDD (default: today, or the last there is)")
	fl.IntVar(&f.days, "days", etl.StatusDays, "how many days up to the last one")
	fl.StringSliceVar(&f.tables, "table", nil, "only this table; may be given again")
	fl.StringVar(&f.format, "format", "text", "text or json")
	return cmd
}

func (f *statusFlags) run(cmd *cobra.Command) error {
	now := f.now()
	if _, err := f.span(now, "", ""); err != nil {
		return cli.Usage(err)
	}
	if f.format != "text" && f.format != "json" {
		return cli.Usagef("no format %q: want text or json", f.format)
	}
	s, err := f.site.read(cmd.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	if err := f.keep.set(s); err != nil {
		return cli.Usage(err)
	}
	for _, t := range f.tables {
		if _, err := s.Table(t); err != nil {
			return cli.Usage(err)
		}
	}
	first, last, err := etl.Span(cmd.Context(), s)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	days, err := f.span(now, first, last)
	if err != nil {
		return cli.Usage(err)
	}
	st, err := etl.ReadStatus(cmd.Context(), s, etl.StatusOptions{
		Tables: f.tables, Days: days, Now: now, Spool: filepath.Join(f.site.data, "spool"), Audit: true, MinFree: f.minFree,
	})
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	past, err := retain.Plan(cmd.Context(), s, now)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if err := f.print(cmd.OutOrStdout(), st, past, days); err != nil {
		return err
	}
	return report.StatusError(st)
}

// span is the days to show, of an installation that has something of the days
// from first to last. Without a flag that says otherwise these are the last weeks
// up to today, or, where they have nothing, up to the last day that there is.
func (f *statusFlags) span(now time.Time, first, last string) ([]string, error) {
	from, to := f.from, f.to
	if to == "" {
		to = job.FormatDay(now)
	}
	if from != "" {
		return job.DayRange(from, to)
	}
	if f.days < 1 {
		return nil, errors.New("--days must be 1 or more")
	}
	end, err := job.ParseDay(to)
	if err != nil {
		return nil, err
	}
	begin := end.AddDate(0, 0, 1-f.days)
	if f.to == "" && last != "" && last < job.FormatDay(begin) {
		if end, err = job.ParseDay(last); err != nil {
			return nil, err
		}
		begin = end.AddDate(0, 0, 1-f.days)
	}
	from = job.FormatDay(begin)
	if first <= job.FormatDay(end) {
		from = max(from, first)
	}
	return job.DayRange(from, job.FormatDay(end))
}

func (f *statusFlags) print(out io.Writer, st *etl.Status, past []retain.Item, days []string) error {
	if f.format == "json" {
		return report.StatusJSON(out, st, past)
	}
	c := report.Calendar{Status: st, Past: past, Days: days, Width: cli.TerminalWidth(out), Command: f.site.command}
	c.Colours = c.Width > 0 && os.Getenv("NO_COLOR") == ""
	if c.Width == 0 {
		c.Width = 80
	}
	return c.Write(out)
}
