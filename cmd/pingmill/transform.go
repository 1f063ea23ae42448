package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ping/ndjson"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func newTransform() *cobra.Command {
	var from flags.Definitions
	var day string
	cmd := &cobra.Command{
		Use:   "transform TABLE",
		Short: "turn NDJSON on standard input into rows of one table, without any storage",
		Long: `Reads lines from standard input and prints rows, one a line, as JSON.

For main_summary, crash_summary and the two direct tables a line is
{"meta":{…},"ping":{…}}, as decode prints it, and becomes one line: null where
the ping has no row. For event_events it becomes a line for each event. For addons, clients_daily and the tables of searches a line
is a main_summary row, and the lines of each submission_date_obj are a day. For
longitudinal a line is {"meta":{…},"ping":{…}}, and each client has one row,
after the last line.

Tables of Glean applications need --definitions. Those of clients, and crashes, are
made with --day from lines {"table":"baseline","row":{…}}; rows of the table of the
day before come from "previous".

A line that cannot be used is named, and the others go on; the exit status is
then 1.`,
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, set, err := findTable(args[0], &from)
			if err != nil {
				return err
			}
			bad := cli.BadLines{Command: cmd.Name(), Errors: cmd.ErrOrStderr()}
			if day == "" && ndjson.ByDay(t) {
				return cli.Usagef("%s %s: name the day with --day", cmd.CommandPath(), t.Name)
			}
			transform := func() (map[string]int64, error) {
				return ndjson.Transform(t, set, cmd.InOrStdin(), cmd.OutOrStdout(), bad.Add)
			}
			if ndjson.ByDay(t) {
				transform = func() (map[string]int64, error) {
					return ndjson.TransformDay(t, set, day, cmd.InOrStdin(), cmd.OutOrStdout(), bad.Add)
				}
			}
			left, err := transform()
			if text := etl.LeftOutText(left); text != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "values over a bound were left out: %s\n", text)
			}
			return errors.Join(err, bad.Err())
		},
	}
	from.Add(cmd.Flags())
	cmd.Flags().StringVar(&day, "day", "", "day of the rows, YYYY-MM-DD, of tables that are made from rows of Glean tables")
	return cmd
}
