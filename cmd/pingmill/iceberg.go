package main

import (
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newIceberg() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "iceberg",
		Short: "have Iceberg tables follow the published ones, for other engines",
		Long: `The Iceberg tables of a catalog name the files of the lake: what is published is one
snapshot more, for Spark, Trino, Athena and others. serve and what publishes keep
them up to date; sync compares all at once, status says how they stand.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newIcebergSync(), newIcebergStatus())
	return cmd
}

func newIcebergSync() *cobra.Command {
	var f flags.Site
	cmd := &cobra.Command{
		Use:   "sync [TABLE…]",
		Short: "make the Iceberg tables what is published",
		Long: `Compares every published day with the tables' current snapshots, commits the
difference of each table in one snapshot, and expires old snapshots. Where nothing
is different it changes nothing. A table that is missing is made.`,
		Example: "  pingmill iceberg sync main_summary --config /etc/pingmill/pingmill.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.Open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			follower := iceberg.FollowerOf(s)
			if follower == nil {
				return cli.Usage(errors.New("there is no catalog: want iceberg.catalog (--iceberg-catalog)"))
			}
			for _, name := range args {
				if _, err := s.Table(name); err != nil {
					return cli.Usage(err)
				}
			}
			all, err := follower.Sync(cmd.Context(), iceberg.Options{Tables: args, Whole: true})
			return errors.Join(err, report.Followed(cmd.OutOrStdout(), all), etl.Sweep(cmd.Context(), s))
		},
	}
	f.Add(cmd, time.Now)
	f.AddPublishing(cmd)
	return cmd
}

func newIcebergStatus() *cobra.Command {
	var f flags.Site
	var format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "show how the Iceberg tables stand",
		Long: `Shows of each table when it was last what is published, and what keeps it from being
that. It asks no catalog. The exit status is 1 when a table is behind.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			all, err := iceberg.ReadStatus(cmd.Context(), &s.Data)
			if err != nil && !errors.Is(err, fs.ErrPermission) {
				return err
			}
			return errors.Join(report.Iceberg(cmd.OutOrStdout(), all, format, time.Now()), err)
		},
	}
	f.Add(cmd, time.Now)
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}
