package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/tour"
)

func newDemo() *cobra.Command {
	var o tour.Options
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "synthetic pings, all seven tables, example queries",
		Args:  cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Program, o.Now, o.Out, o.Errs = versionText(), time.Now, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return tour.Run(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Dir, "dir", "demo", "folder for everything")
	f.IntVar(&o.Clients, "clients", generate.DefaultClients, "number of clients")
	f.IntVar(&o.Days, "days", generate.DefaultDays, "number of days")
	return cmd
}
