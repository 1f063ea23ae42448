package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newCheck() *cobra.Command {
	var site flags.Site
	var checks flags.Checks
	var days cli.Days
	var format string
	var list, files bool
	cmd := &cobra.Command{
		Use:   "check [--files] TABLE|all",
		Short: "check what is published against the rules of the tables",
		Long: `Makes the checks that a run makes before it publishes, on what is published, and
prints each with its verdict and the rows that break its rule. The exit status is
1 when a check of severity error fails. With --checks also those of a folder of
SQL files: see docs/checks.md.

With --files it reads all files of the tables and of the archive instead and
compares them with what was written: names, sizes and hashes.`,
		Example: "  pingmill check all --date 20180301\n  pingmill check clients_daily --from 20180301 --to 20180331 --format json\n  " +
			"pingmill check --list\n  pingmill check --files",
		Args: cli.Args(func(cmd *cobra.Command, args []string) error { return checkArgs(list, files, cmd, args) }),
		RunE: func(cmd *cobra.Command, args []string) error {
			results, ok := report.NewChecks(cmd.OutOrStdout(), format)
			if !ok {
				return cli.Usagef("no format %q: there are text and json", format)
			}
			if files {
				return checkAllFiles(cmd, &site, args, &days)
			}
			if list && checks.Dir == "" {
				defs, err := site.Known(cmd.Context())
				if err != nil {
					return err
				}
				return report.ListChecks(cmd.OutOrStdout(), check.All(schema.NewSet(&schema.Probes{}, defs.Tables()...).Tables))
			}
			which, err := days.Read(time.Now())
			if err != nil && !list {
				return cli.Usage(err)
			}
			s, err := site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			o, err := checks.Options(cmd.Context(), s, s.ReadTemp())
			if err != nil {
				return err
			}
			if list {
				return report.ListChecks(cmd.OutOrStdout(), o.All(s.Tables))
			}
			tables, err := flags.Tables(s, args[0])
			if err != nil {
				return cli.Usage(err)
			}
			absent, err := etl.CheckDays(cmd.Context(), s, tables, which, o, results.Partition)
			if err != nil {
				return err
			}
			return results.End(absent, cmd.ErrOrStderr())
		},
	}
	site.Add(cmd, time.Now)
	site.AddApps(cmd)
	checks.Add(cmd)
	f := cmd.Flags()
	days.Add(f, "the day, YYYYMMDD", "")
	f.StringVar(&format, "format", "text", "text, or json: an object a line")
	f.BoolVar(&list, "list", false, "list the checks instead")
	f.BoolVar(&files, "files", false, "compare files with what was written instead; without a table or days all of them")
	cmd.MarkFlagsMutuallyExclusive("list", "files")
	return cmd
}

func checkArgs(list, files bool, cmd *cobra.Command, args []string) error {
	if files {
		return cobra.MaximumNArgs(1)(cmd, args)
	}
	if list {
		return cobra.NoArgs(cmd, args)
	}
	return cobra.ExactArgs(1)(cmd, args)
}
