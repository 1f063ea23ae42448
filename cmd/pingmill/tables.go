package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newTables() *cobra.Command {
	var at flags.Site
	var files, all bool
	var days cli.Days
	cmd := &cobra.Command{
		Use:   "tables [--files TABLE]",
		Short: "list the tables, or the files of one: what a row is, where they are, what is published",
		Long: `Lists the tables with what is published of them. Those of Glean applications
are left out while they have no rows, unless --all is set.

With --files it prints the paths of a table's files, for programs that read parquet.
These stay for publish.grace when the table is published again, so who reads what
was printed reads one state of it, whatever is published meanwhile.`,
		Example: "  pingmill tables\n  pingmill tables --files clients_daily --from 20180301 --to 20180307",
		Args: cli.Args(func(cmd *cobra.Command, args []string) error {
			if files {
				return cobra.ExactArgs(1)(cmd, args)
			}
			return cobra.NoArgs(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if files {
				return listTableFiles(cmd, &at, args[0], &days)
			}
			if is, err := at.Exists(cmd.Context()); err == nil && !is {
				set, err := at.Load()
				if err != nil {
					return err
				}
				return report.Tables(cmd.OutOrStdout(), set.Tables, nil, true)
			}
			s, err := at.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			states, err := s.Totals(cmd.Context())
			return errors.Join(report.Tables(cmd.OutOrStdout(), s.Tables, states, all), err)
		},
	}
	at.Add(cmd, time.Now)
	f := cmd.Flags()
	f.BoolVar(&all, "all", false, "also tables of Glean applications without rows")
	f.BoolVar(&files, "files", false, "print the paths of a table's files")
	days.Add(f, "with --files: the day, YYYYMMDD", "with --files: ")
	return cmd
}

// listTableFiles prints the paths of a table's files. An incomplete partition is an error, because readers of the
// other files would not notice what is missing.
func listTableFiles(cmd *cobra.Command, site *flags.Site, table string, days *cli.Days) error {
	which, err := days.ReadAny(time.Now())
	if err != nil {
		return cli.Usage(err)
	}
	s, err := site.Read(cmd.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	lt, err := s.Table(table)
	if err != nil {
		return cli.Usage(err)
	}
	paths, err := catalog.Files(cmd.Context(), lt, which)
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	for _, p := range paths {
		fmt.Fprintln(cmd.OutOrStdout(), p)
	}
	return nil
}
