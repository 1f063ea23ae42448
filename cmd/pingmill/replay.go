package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

func newReplay() *cobra.Command {
	var site siteFlags
	var checks checkFlags
	var o etl.ReplayOptions
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
			s, err := site.open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			s.Log = cli.NewLog(cmd.ErrOrStderr())
			if err := checks.set(cmd.Context(), s, site.temp(), cli.NewLog(cmd.ErrOrStderr())); err != nil {
				return err
			}
			return replay(cmd.Context(), s, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	site.add(cmd)
	site.addPublishing(cmd)
	site.addApps(cmd)
	checks.add(cmd)
	addDecodeFlags(cmd, &o.Decode)
	f := cmd.Flags()
	_ = f.MarkHidden("duplicate-window") // of no use here; the flag exists
	f.StringVar(&from, "from", "", "first day, YYYYMMDD (default: the first there is)")
	f.StringVar(&to, "to", "", "last day, YYYYMMDD (default: the last there is)")
	f.StringArrayVar(&o.Classes, "class", nil, "only rejected submissions of this class, such as json; may be given again (default: all but duplicate)")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would become of them, and change nothing")
	config.Flag(f, "decode.workers", &o.Workers)
	return cmd
}

// replay replays, says what came of it and makes the direct tables.
func replay(ctx context.Context, s *site.Site, o etl.ReplayOptions, out, errs io.Writer) error {
	r, err := etl.Replay(ctx, s, o)
	if err != nil {
		return err
	}
	if err := printReplay(out, &r, o.DryRun); err != nil || o.DryRun {
		return err
	}
	return runDirect(ctx, s, daySet(r.Days), errs)
}

func printReplay(out io.Writer, r *etl.Replayed, dry bool) error {
	are, copies := "are pings now", "are copies of pings"
	if dry {
		are, copies = "would be pings", "would be copies of pings"
	}
	fmt.Fprintf(out, "tried %s rejected submissions: %s %s, %s %s, %s still fail\n", humanize.Comma(r.Tried),
		humanize.Comma(r.Pings), are, humanize.Comma(r.Duplicates), copies, humanize.Comma(r.Failed))
	if r.Unfit > 0 {
		fmt.Fprintf(out, "of %s too little is left to try: damaged records, and those without their path\n", humanize.Comma(r.Unfit))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range r.Became {
		fmt.Fprintf(w, "  was %s\t%s\t%s\t%s\n", report.Printable(c.Class), report.OrNone(c.DocType), humanize.Comma(c.Rows), are)
	}
	for _, c := range r.Fails {
		fmt.Fprintf(w, "  %s\t%s\t%s\tstill fail\n", report.Printable(c.Class), report.OrNone(c.DocType), humanize.Comma(c.Rows))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !dry && r.Load == "" {
		fmt.Fprintln(out, "nothing changed")
	}
	return printStale(out, r.Stale, dry)
}
