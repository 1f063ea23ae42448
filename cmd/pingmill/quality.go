package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newQuality() *cobra.Command {
	var site flags.Site
	var checks flags.Checks
	var days cli.Days
	var format string
	var show bool
	cmd := &cobra.Command{
		Use:   "quality TABLE|all",
		Short: "what is odd about published days",
		Long: `Prints rows, clients and checks of published days, newest first, and what is odd about
each beside the day before and the same weekdays of the last weeks: a column that
went null, a value that halved. The number before is its score, up to 100.

It reads profiles of the days and makes those that are missing, as serve does when a
day is published; with --show it makes none. See docs/quality.md.`,
		Example: "  pingmill quality all --date yesterday\n  pingmill quality main_summary --from 20180301 --to 20180331 --format json",
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			each, ok := report.Quality(cmd.OutOrStdout(), format)
			if !ok {
				return cli.Usagef("no format %q: there are text and json", format)
			}
			which, err := days.Read(time.Now())
			if err != nil {
				return cli.Usage(err)
			}
			s, err := site.OpenOrRead(cmd.Context(), show)
			if err != nil {
				return err
			}
			defer s.Close()
			tables, err := flags.Tables(s, args[0])
			if err != nil {
				return cli.Usage(err)
			}
			tables = slices.DeleteFunc(tables, func(name string) bool {
				t, err := s.Find(name)
				return err == nil && t.Internal()
			})
			if len(tables) == 0 {
				return cli.Usage(fmt.Errorf("%s has no profiles: it is not for queries", args[0]))
			}
			var o *quality.Options
			if !show {
				o = &quality.Options{}
				if o.Checks, err = checks.Options(cmd.Context(), s, s.Temp); err != nil {
					return err
				}
			}
			found := 0
			err = quality.Look(cmd.Context(), s, tables, which, o, func(d *quality.Day) error { found++; return each(d) })
			if err == nil && found == 0 {
				err = errors.New("look at profiles: nothing of these days is published, or has one")
			}
			return err
		},
	}
	site.Add(cmd, time.Now)
	checks.Add(cmd)
	days.Add(cmd.Flags(), "the day, YYYYMMDD", "")
	cmd.Flags().StringVar(&format, "format", "text", "text, or json: an object a line")
	cmd.Flags().BoolVar(&show, "show", false, "make no profiles")
	return cmd
}
