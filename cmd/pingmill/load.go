package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

// Memory for a load: pings that wait for their files, and the buffers of each decoder.
const (
	loadMemory = 512 << 20
	loadWorker = 128 << 20
)

func newLoad() *cobra.Command {
	var site flags.Site
	var checks flags.Checks
	var decode ingest.Config
	var workers int
	var keepJunk bool
	var undo string
	cmd := &cobra.Command{
		Use:   "load FILE…",
		Short: "put pings from files into the archive",
		Long: `Reads pings of any known format, recognised by content and not by name: NDJSON of
{"meta","ping"}, NDJSON of submissions (as for decode), Heka-framed protobuf, and
Pub/Sub exports {"attributeMap","payload"}; each plain, gzip or zstd. - is
standard input.

A file is loaded whole or not at all, and once: the same content again changes
nothing. A document that is among the pings of its day already is kept apart as a
duplicate, and what is no ping with the reason. Afterwards the tables of
new-profile and update pings are made for the days that got pings.

--undo takes a load back by its name: its pings leave the archive, and the tables
of their days are to be made again.`,
		Example: "  pingmill load pings-20180301.ndjson.gz\n  pingmill load --undo a6881bc70945b57ee64ed5ae",
		Args: cli.Args(func(_ *cobra.Command, args []string) error {
			if (len(args) > 0) == (undo != "") {
				return errors.New("name the files to load, or one load to take back with --undo")
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := decode.Check(); err != nil {
				return cli.Usage(err)
			}
			if err := site.Decoding(cmd.Context(), &decode); err != nil {
				return err
			}
			s, err := site.Open(cmd.Context(), undo == "")
			if err != nil {
				return err
			}
			defer s.Close()
			var direct etl.RunOptions
			if err := checks.Run(cmd.Context(), s, &direct, itself(), cmd.ErrOrStderr()); err != nil {
				return err
			}
			if undo != "" {
				return undoLoad(cmd.Context(), s, undo, direct, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			cli.BoundMemory(loadMemory, loadWorker, workers) // otherwise a load takes twice what it needs
			return loadFiles(cmd, s, args, loader.LoadOptions{Decode: decode, Workers: workers, KeepJunk: keepJunk}, direct)
		},
	}
	site.Add(cmd, time.Now)
	site.AddPublishing(cmd)
	checks.Add(cmd)
	flags.Decode(cmd, &decode)
	f := cmd.Flags()
	config.Flag(f, "decode.workers", &workers)
	f.BoolVar(&keepJunk, "keep-junk", false, "load a file also when none of its first records can be read")
	f.StringVar(&undo, "undo", "", "take this load back, by the name that it was reported with")
	return cmd
}

// loadFiles loads files in order. It continues after a file that fails.
func loadFiles(cmd *cobra.Command, s *site.Site, files []string, o loader.LoadOptions, direct etl.RunOptions) error {
	var failed []error
	var days []ping.Day
	o.Documents = &loader.Documents{}
	for _, name := range files {
		start := time.Now()
		var stop func()
		o.Read, stop = report.LoadBar(cmd.ErrOrStderr(), name)
		l, err := loader.LoadFile(cmd.Context(), s, name, cmd.InOrStdin(), o)
		stop()
		if err != nil {
			failed = append(failed, err)
			if cmd.Context().Err() != nil {
				break
			}
			continue
		}
		fmt.Fprintln(cmd.OutOrStdout(), report.Loaded(name, &l, time.Since(start)))
		days = append(days, l.Days...)
	}
	return errors.Join(append(failed, runDirect(cmd.Context(), s, days, direct, cmd.ErrOrStderr()))...)
}

// undoLoad takes a load back and makes the direct tables of its days again.
func undoLoad(ctx context.Context, s *site.Site, load string, direct etl.RunOptions, out, errs io.Writer) error {
	u, err := loader.UndoLoad(ctx, s, load)
	if err != nil {
		return err
	}
	if err := report.Undone(out, &u); err != nil || u.Already {
		return err
	}
	return runDirect(ctx, s, u.Days, direct, errs)
}

// runDirect makes the direct tables of days with new pings.
func runDirect(ctx context.Context, s *site.Site, days []ping.Day, o etl.RunOptions, errs io.Writer) error {
	var list []string
	for _, d := range slices.Compact(slices.Sorted(slices.Values(days))) {
		if d != "" {
			list = append(list, string(d))
		}
	}
	if len(list) == 0 {
		return nil
	}
	o.Tables, o.Days = s.Direct(), list
	r, err := etl.Run(ctx, s, o)
	for _, u := range r.Units {
		if u.Outcome == job.Skipped {
			fmt.Fprintf(errs, "skipped %s: %s\n", u.Unit, u.Reason)
		}
	}
	return err
}
