package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newReplay() *cobra.Command {
	var site flags.Site
	var checks flags.Checks
	var o loader.ReplayOptions
	var from, to string
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "decode rejected submissions again, after a fix",
		Long: `Reads the rejected submissions of the archive and decodes each again, with the
path, timestamp, headers and place it had. What is a ping now goes into the
archive under its original day; what still fails stays, with the reason of
today. Copies of pings that went through become duplicates.

It is done as a whole or not at all, and given again it changes nothing.
Without --from and --to all days are tried, and those of no known day as well.
The tables of new-profile and update pings are made again for the days that got
pings; other tables that have to be are named.`,
		Example: "  pingmill errors --from 20180301\n  pingmill replay --from 20180301 --to 20180307 --class json --dry-run",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.From, o.To = ping.Day(from), ping.Day(to)
			if err := o.Check(); err != nil {
				return cli.Usage(err)
			}
			if err := o.Decode.Check(); err != nil {
				return cli.Usage(err)
			}
			if err := site.Decoding(cmd.Context(), &o.Decode); err != nil {
				return err
			}
			s, err := site.Open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			var direct etl.RunOptions
			if err := checks.Run(cmd.Context(), s, &direct, itself(), cmd.ErrOrStderr()); err != nil {
				return err
			}
			return replay(cmd.Context(), s, o, direct, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	site.Add(cmd, time.Now)
	site.AddPublishing(cmd)
	site.AddApps(cmd)
	checks.Add(cmd)
	flags.Decode(cmd, &o.Decode)
	f := cmd.Flags()
	_ = f.MarkHidden("duplicate-window") // of no use here; the flag exists
	f.StringVar(&from, "from", "", "first day, YYYYMMDD (default: the first there is)")
	f.StringVar(&to, "to", "", "last day, YYYYMMDD (default: the last there is)")
	f.StringArrayVar(&o.Classes, "class", nil,
		"only rejected submissions of this class, such as json; may be given again (default: all but duplicate)")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would become of them, and change nothing")
	config.Flag(f, "decode.workers", &o.Workers)
	return cmd
}

// replay replays rejected submissions, prints the result and makes the direct tables.
func replay(ctx context.Context, s *site.Site, o loader.ReplayOptions, direct etl.RunOptions, out, errs io.Writer) error {
	r, err := loader.Replay(ctx, s, o)
	if err != nil {
		return err
	}
	if err := report.Replayed(out, &r, o.DryRun); err != nil || o.DryRun {
		return err
	}
	return runDirect(ctx, s, r.Days, direct, errs)
}
