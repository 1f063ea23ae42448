package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
)

// keepFlags say how long data is kept.
type keepFlags struct {
	keep   etl.Retention
	tables []string
}

func (f *keepFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	config.Flag(fs, "retention.archive", &f.keep.Archive)
	config.Flag(fs, "retention.errors", &f.keep.Errors)
	config.Flag(fs, "retention.tables", &f.keep.Tables)
	config.Flag(fs, "retention.table", &f.tables)
	config.Flag(fs, "retention.ledger", &f.keep.Ledger)
}

// set gives a site what the flags say.
func (f *keepFlags) set(s *etl.Site) (err error) {
	s.Keep = f.keep
	s.Keep.Table, err = config.TableDays(f.tables)
	return err
}

func newExpire() *cobra.Command {
	var (
		site siteFlags
		keep keepFlags
		plan bool
	)
	cmd := &cobra.Command{
		Use:   "expire",
		Short: "remove what is past its time",
		Long: `Removes pings, rejected submissions and partitions of tables that are past the time
that retention.archive and its like say, and old runs from the ledger. Nothing
is removed that was not asked for: without these keys everything stays for ever.

What is still needed stays, with the reason: a day that is not complete, and one
from which tables that are kept for longer are not made yet. serve does the same
once a day. --plan says what would be removed.`,
		Example: "  pingmill expire --keep-archive 90 --keep-table main_summary=400 --plan\n  pingmill expire --config /etc/pingmill/pingmill.yaml",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := site.openOrRead(cmd.Context(), plan)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := keep.set(s); err != nil {
				return cli.Usage(err)
			}
			if !plan {
				if err := s.Sweep(cmd.Context()); err != nil {
					return fmt.Errorf("expire: %w", err)
				}
			}
			if !s.Keep.Any() {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "nothing to do: everything is kept for ever (retention.archive and its like say otherwise)")
				return err
			}
			if plan {
				return planExpire(cmd.Context(), s, cmd.OutOrStdout())
			}
			return expire(cmd.Context(), s, cmd.OutOrStdout(), cli.NewLog(cmd.ErrOrStderr()))
		},
	}
	site.add(cmd)
	site.addPublishing(cmd)
	site.addApps(cmd)
	keep.add(cmd)
	cmd.Flags().BoolVar(&plan, "plan", false, "print what would be removed, and do nothing")
	return cmd
}

// planExpire prints a line for each thing that is past its time, and the sum.
func planExpire(ctx context.Context, s *etl.Site, out io.Writer) error {
	items, err := s.PlanRetention(ctx, time.Now())
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for n, i := range items {
		if n == 0 {
			fmt.Fprintln(w, "DAY\tWHAT\tFILES\tROWS\tSIZE\t")
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", i.Day, i.Name(), i.Files, humanize.Comma(i.Rows), humanize.Bytes(uint64(max(0, i.Bytes))), staysText(&i))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	goes, stays := split(items)
	if _, err = fmt.Fprintf(out, "to remove: %s\n", sumText(goes)); err == nil && len(stays) > 0 {
		_, err = fmt.Fprintf(out, "past their time, but still needed: %s\n", sumText(stays))
	}
	return err
}

func staysText(i *etl.RetentionItem) string {
	if i.Waits == "" {
		return ""
	}
	return "stays: " + i.Waits
}

func split(items []etl.RetentionItem) (goes, stays []etl.RetentionItem) {
	for _, i := range items {
		if i.Waits == "" {
			goes = append(goes, i)
		} else {
			stays = append(stays, i)
		}
	}
	return goes, stays
}

// sumText says how much some items are.
func sumText(items []etl.RetentionItem) string {
	var files, bytes int64
	for _, i := range items {
		files, bytes = files+int64(i.Files), bytes+i.Bytes
	}
	return fmt.Sprintf("%d days, %s files, %s", len(items), humanize.Comma(files), humanize.Bytes(uint64(max(0, bytes))))
}

// expire removes, and says what.
func expire(ctx context.Context, s *etl.Site, out io.Writer, log *slog.Logger) error {
	r, err := s.Retain(ctx, etl.RetainOptions{Now: time.Now, Log: log})
	if err != nil && len(r.Removed) == 0 {
		return err
	}
	_, printErr := fmt.Fprintf(out, "removed: %s; %d records of loads, %d rows of the ledger\n", sumText(r.Removed), r.Records, r.Ledger)
	if printErr == nil && len(r.Waiting) > 0 {
		_, printErr = fmt.Fprintf(out, "past their time, but still needed: %s (see --plan)\n", sumText(r.Waiting))
	}
	return errors.Join(err, printErr)
}
