package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newArchive() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "mend a damaged archive of pings",
		Long: `Restore the files that pingmill status calls damaged from a backup. Without one,
drop gives up lost files, and rebuild writes the record of a load again, which
lists the load's files.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newArchiveDrop(), newArchiveRebuild())
	return cmd
}

// mending returns a command that repairs the archive by calling run.
func mending(cmd *cobra.Command, run func(ctx context.Context, s *site.Site, args []string, out io.Writer) error) *cobra.Command {
	var at flags.Site
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := at.Open(cmd.Context(), false)
		if err != nil {
			return err
		}
		defer s.Close()
		return run(cmd.Context(), s, args, cmd.OutOrStdout())
	}
	at.Add(cmd, time.Now)
	at.AddPublishing(cmd)
	return cmd
}

func newArchiveDrop() *cobra.Command {
	return mending(&cobra.Command{
		Use:   "drop FILE…",
		Short: "give up damaged files of the archive",
		Long: `Gives up missing or damaged files by their names. Their pings are lost, and the
tables of their days can be made from the other files. The archive records the
dropped files, and status shows them. Files without damage are refused.

A damaged state file, such as progress/v1/edge.json, is removed.`,
		Example: "  pingmill archive drop a6881bc70945b57ee64ed5ae-000002.parquet",
		Args:    cli.Args(cobra.MinimumNArgs(1)),
	}, func(ctx context.Context, s *site.Site, args []string, out io.Writer) error {
		d, err := loader.DropFiles(ctx, s, args, time.Now())
		return errors.Join(err, report.Dropped(out, &d, err))
	})
}

func newArchiveRebuild() *cobra.Command {
	return mending(&cobra.Command{
		Use:   "rebuild LOAD",
		Short: "rebuild the record of a load from its files",
		Long: `Writes the lost or damaged record of a load again, from the files of the load
that exist. It reads each of them completely. It cannot find out whether the
load had more files after the last one.`,
		Example: "  pingmill archive rebuild spool.local.0000000000000001-0000000000000007",
		Args:    cli.Args(cobra.ExactArgs(1)),
	}, func(ctx context.Context, s *site.Site, args []string, out io.Writer) error {
		r, err := loader.RebuildLoad(ctx, s, args[0])
		if err != nil {
			return err
		}
		return report.Rebuilt(out, &r)
	})
}
