package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/privacy/retain"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

// statusFlags holds the flags of status.
type statusFlags struct {
	site    flags.Site
	keep    flags.Keep
	days    cli.LastDays
	tables  []string
	format  string
	minFree int64
	forget  time.Duration // deadline
	stalled time.Duration
	now     func() time.Time
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
failed, anything is damaged, the rows of a client that asked to be forgotten may not
be removed in time, or submissions wait in the spool for longer than
decode.stalled-after, and 0 otherwise. A day is complete when it is over and every
edge is decoded past it. With --format json there is one object for each table and day.`,
		Example: "  pingmill status\n  pingmill status --from 20180301 --to 20180331 --table clients_daily",
		Args:    cli.Args(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.site.Add(cmd, time.Now)
	f.site.AddApps(cmd)
	f.keep.Add(cmd)
	fl := cmd.Flags()
	config.Flag(fl, "spool.min-free", &f.minFree)
	config.Flag(fl, "decode.stalled-after", &f.stalled)
	config.Flag(fl, "deletion.deadline", &f.forget)
	f.days.Add(fl, status.Days)
	fl.StringSliceVar(&f.tables, "table", nil, "only this table; may be given again")
	fl.StringVar(&f.format, "format", "text", "text or json")
	return cmd
}

func (f *statusFlags) run(cmd *cobra.Command) error {
	now := f.now()
	if _, err := f.days.Read(now, "", ""); err != nil {
		return cli.Usage(err)
	}
	if f.format != "text" && f.format != "json" {
		return cli.Usagef("no format %q: want text or json", f.format)
	}
	s, err := f.site.Read(cmd.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	if err := f.keep.Set(s); err != nil {
		return cli.Usage(err)
	}
	for _, t := range f.tables {
		if _, err := s.Table(t); err != nil {
			return cli.Usage(err)
		}
	}
	first, last, err := status.Span(cmd.Context(), s)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	days, err := f.days.Read(now, first, last)
	if err != nil {
		return cli.Usage(err)
	}
	st, err := status.Read(cmd.Context(), s, status.Options{
		Tables: f.tables, Days: days, Now: now, Spool: filepath.Join(f.site.Data, "spool"), Audit: true, MinFree: f.minFree,
		StalledAfter: f.stalled,
	})
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	late, err := s.Forgotten.Trouble(cmd.Context(), forget.Deadline(f.forget), now)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	st.Trouble = append(st.Trouble, late...)
	past, err := retain.Plan(cmd.Context(), s, now)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if err := f.print(cmd.OutOrStdout(), st, past, days); err != nil {
		return err
	}
	if f.format == "text" {
		tables, err := iceberg.ReadStatus(cmd.Context(), &s.Data)
		if err != nil && !errors.Is(err, fs.ErrPermission) { // then the table is unreadable, as it says above
			return err
		}
		_, _ = fmt.Fprint(cmd.OutOrStdout(), report.IcebergSummary(tables, now))
	}
	return report.StatusError(st)
}

func (f *statusFlags) print(out io.Writer, st *status.Status, past []retain.Item, days []string) error {
	if f.format == "json" {
		return report.StatusJSON(out, st, past)
	}
	c := report.Calendar{Status: st, Past: past, Days: days, Width: cli.TerminalWidth(out), Command: f.site.Command}
	c.Colours = c.Width > 0 && os.Getenv("NO_COLOR") == ""
	if c.Width == 0 {
		c.Width = 80
	}
	return c.Write(out)
}
