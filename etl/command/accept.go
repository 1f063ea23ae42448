package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newAccept(p flags.Program) *cobra.Command {
	var at flags.Site
	var days cli.Days
	var o etl.AcceptOptions
	cmd := &cobra.Command{
		Use:   "accept TABLE|all",
		Short: "leave stale partitions as they are, as after an upgrade",
		Long: `Records that stale partitions are to stay as they are although this version of the
program would make them in another way. Status shows them as accepted, with the
reason, and does not count them as wrong; runs and the schedule leave them, unless
forced. An acceptance ends when the pings of the day change, and when a later
version changes the table again. --revoke takes it back.`,
		Example: "  pingmill accept addons --date 20180301 --reason 'nobody reads it'\n  pingmill accept all --from 20180101 --to 20180331 " +
			"--revoke",
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Now = p.Now()
			if o.Days, err = days.Read(o.Now); err != nil {
				return cli.Usage(err)
			}
			if (o.Reason == "") != o.Revoke {
				return cli.Usagef("want --reason, or --revoke")
			}
			s, err := at.Open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			if o.Tables, err = flags.Tables(s, args[0]); err != nil {
				return cli.Usage(err)
			}
			all, err := etl.Accept(cmd.Context(), s, o)
			for _, a := range all {
				fmt.Fprintln(cmd.OutOrStdout(), report.Accepted(a, o.Revoke))
			}
			if err == nil && len(all) == 0 {
				err = fmt.Errorf("accept: no partition of these days is stale by another version of the program alone, or was accepted")
			}
			return err
		},
	}
	at.Add(cmd, p.Now)
	at.AddApps(cmd)
	fl := cmd.Flags()
	days.Add(fl, "the day, YYYYMMDD, today or yesterday (UTC)", "")
	fl.StringVar(&o.Reason, "reason", "", "why they may stay, for status")
	fl.BoolVar(&o.Revoke, "revoke", false, "take acceptances back")
	return cmd
}
