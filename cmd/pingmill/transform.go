package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ping/ndjson"
	"github.com/pingmill/pingmill/terminal/cli"
)

func newTransform() *cobra.Command {
	var probesDir string
	cmd := &cobra.Command{
		Use:   "transform TABLE",
		Short: "turn NDJSON on standard input into rows of one table, without any storage",
		Long: `Reads lines from standard input and prints rows, one a line, as JSON.

For main_summary, crash_summary and the two direct tables a line is
{"meta":{…},"ping":{…}}, as decode prints it, and becomes one line: null where
the ping has no row. For addons, clients_daily and the tables of searches a line
is a main_summary row, and the lines of each submission_date_obj are a day. For
longitudinal a line is {"meta":{…},"ping":{…}}, and each client has one row,
after the last line.

A line that cannot be used is named, and the others go on; the exit status is
then 1.`,
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, set, err := findTable(args[0], probesDir)
			if err != nil {
				return err
			}
			bad := cli.BadLines{Command: cmd.Name(), Errors: cmd.ErrOrStderr()}
			left, err := ndjson.Transform(t, set, cmd.InOrStdin(), cmd.OutOrStdout(), bad.Add)
			if text := etl.LeftOutText(left); text != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "values over a bound were left out: %s\n", text)
			}
			return errors.Join(err, bad.Err())
		},
	}
	config.Flag(cmd.Flags(), "probes", &probesDir)
	return cmd
}
