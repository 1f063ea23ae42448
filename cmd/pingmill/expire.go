package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/privacy/retain"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newExpire() *cobra.Command {
	var (
		site flags.Site
		keep flags.Keep
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
		Example: "  pingmill expire --keep-archive 90 --keep-table main_summary=400 --plan\n  pingmill expire --config " +
			"/etc/pingmill/pingmill.yaml",
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := site.OpenOrRead(cmd.Context(), plan)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := keep.Set(s); err != nil {
				return cli.Usage(err)
			}
			if !plan {
				if err := etl.Sweep(cmd.Context(), s); err != nil {
					return fmt.Errorf("expire: %w", err)
				}
			}
			if items, err := retain.Plan(cmd.Context(), s, time.Now()); err == nil && !s.Keep.Any() && len(items) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "nothing to do: everything is kept for ever (retention.archive and its like say otherwise)")
				return err
			}
			if plan {
				items, err := retain.Plan(cmd.Context(), s, time.Now())
				if err != nil {
					return fmt.Errorf("plan: %w", err)
				}
				return report.Retention(cmd.OutOrStdout(), items)
			}
			r, err := retain.Apply(cmd.Context(), s, retain.Options{Now: time.Now, Log: cli.NewLog(cmd.ErrOrStderr())})
			if err != nil && len(r.Removed) == 0 {
				return err
			}
			return errors.Join(err, report.Retained(cmd.OutOrStdout(), &r))
		},
	}
	site.Add(cmd, time.Now)
	site.AddPublishing(cmd)
	site.AddApps(cmd)
	keep.Add(cmd)
	cmd.Flags().BoolVar(&plan, "plan", false, "print what would be removed, and do nothing")
	return cmd
}
