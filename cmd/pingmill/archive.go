package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/intake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

func newArchive() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "mend a damaged archive of pings",
		Long: `What pingmill status calls damaged is best restored from a backup. Where there is
none, drop gives up files that are lost, and rebuild makes the record of a load
anew, which says which files there must be.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newArchiveDrop(), newArchiveRebuild())
	return cmd
}

func newArchiveDrop() *cobra.Command {
	var site siteFlags
	cmd := &cobra.Command{
		Use:   "drop FILE…",
		Short: "give up damaged files of the archive",
		Long: `Gives up files that are missing or damaged, by their names: the pings in them are
lost, and the tables of their days can be made of what is left. What was given up
stays on record, and status tells it. A file that is whole is refused.`,
		Example: "  pingmill archive drop a6881bc70945b57ee64ed5ae-000002.parquet",
		Args:    cli.Args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := site.open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			return dropFiles(cmd.Context(), s, args, cmd.OutOrStdout())
		},
	}
	site.add(cmd)
	site.addPublishing(cmd)
	return cmd
}

func dropFiles(ctx context.Context, s *site.Site, names []string, out io.Writer) error {
	d, err := intake.DropFiles(ctx, s, names, time.Now())
	for _, f := range d.Files {
		fmt.Fprintf(out, "gave up %s: %s rows of %s\n", f.Name, humanize.Comma(f.Rows), report.OrNone(f.Day))
	}
	if err != nil {
		return err
	}
	return report.Stale(out, d.Stale, false)
}

func newArchiveRebuild() *cobra.Command {
	var site siteFlags
	cmd := &cobra.Command{
		Use:   "rebuild LOAD",
		Short: "make the record of a load anew from its files",
		Long: `Makes the record of a load anew, which was lost or damaged, from the files that
there are of it. Each of them is read as a whole. Whether there were more behind
the last one cannot be told.`,
		Example: "  pingmill archive rebuild spool.local.0000000000000001-0000000000000007",
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := site.open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := intake.RebuildLoad(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			rows := int64(0)
			for _, f := range r.Files {
				rows += f.Rows
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "load %s has %d files with %s rows\n", r.ID, len(r.Files), humanize.Comma(rows))
			if err == nil && len(r.Gaps) > 0 {
				err = fmt.Errorf("rebuild load %s: its files %v are missing: what was in them is lost", r.ID, r.Gaps)
			}
			return err
		},
	}
	site.add(cmd)
	site.addPublishing(cmd)
	return cmd
}

// undoLoad takes a load back, and makes the tables of its days that grow as pings
// arrive.
func undoLoad(ctx context.Context, s *site.Site, load string, out, errs io.Writer) error {
	u, err := intake.UndoLoad(ctx, s, load)
	if err != nil {
		return err
	}
	if u.Already {
		_, err = fmt.Fprintf(out, "load %s was taken back before: nothing changed\n", u.Load)
		return err
	}
	fmt.Fprintf(out, "took back load %s: %s and %s of %s\n",
		u.Load, report.Plural(u.Pings, "ping"), report.Plural(u.Errors, "rejected submission"), report.Plural(int64(len(u.Days)), "day"))
	if err := report.Stale(out, u.Stale, false); err != nil {
		return err
	}
	return runDirect(ctx, s, daySet(u.Days), errs)
}

func daySet(days []ping.Day) map[ping.Day]bool {
	set := map[ping.Day]bool{}
	for _, d := range days {
		set[d] = d != ""
	}
	return set
}
