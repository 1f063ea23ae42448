package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/tools/demo"
	"github.com/pingmill/pingmill/tools/generate"
)

func newDemo() *cobra.Command {
	var o demo.Options
	var once bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "synthetic pings, all tables, example queries, the query tool",
		Long: `Generates pings, loads them, makes all tables and asks them, in a folder of its
own. Then it serves the query tool, while more pings arrive, until Ctrl-C. The
last line is a link that signs in there.

Where the output is no terminal it ends after the queries, as with --once.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Program, o.Now, o.Out, o.Errs = versionText(), time.Now, cmd.OutOrStdout(), cmd.ErrOrStderr()
			if !once && (cmd.Flags().Changed("once") || cli.IsTerminal(o.Out)) {
				o.Serve = serveIn
			}
			return demo.Run(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Dir, "dir", "demo", "folder for everything")
	f.IntVar(&o.Clients, "clients", generate.DefaultClients, "number of clients")
	f.IntVar(&o.Days, "days", generate.DefaultDays, "number of days")
	config.Flag(f, "web.listen", &o.Web)
	f.BoolVar(&once, "once", false, "end after the queries, without the query tool; --once=false serves it also without a terminal")
	return cmd
}

// serveIn runs a command in this process and writes its log to errs.
func serveIn(ctx context.Context, errs io.Writer, args ...string) error {
	root := newRoot()
	root.SetArgs(args)
	root.SetErr(errs)
	return root.ExecuteContext(ctx)
}
