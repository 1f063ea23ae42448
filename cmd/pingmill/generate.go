package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
	"github.com/pingmill/pingmill/tools/generate"
)

func newGenerate() *cobra.Command {
	var c generate.Config
	var start, form, compression, output, probesDir string
	var sending sendFlags
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "write the pings of a synthetic population, or send them to an edge",
		Long: `Writes the submissions of clients of a desktop browser of early 2018, in the order
of their arrival. The same flags give the same bytes. With --start in 2026 and
--probes firefox they have a browser of 2026, which sends events in pings of their own.

With --to they are sent to an edge instead, as clients send them: gzipped unless
--gzip=false, and again after a pause when there is no answer, or 429 or 5xx.
The order and the rate are kept, the times of arrival are now. --verify then looks
for every acknowledged document id in an archive, and fails unless each is there
exactly once, among the pings or the errors; copies that were recognised as
duplicates do not count. --acked keeps the ids in a file, where a later call goes on,
and from which --verify works without --to.`,
		Example: `  pingmill generate --clients 1000 --days 7 --output pings.ndjson
  pingmill generate --clients 1000 --to http://localhost:8080 --rate 500 \
    --acked ids --verify data
  pingmill generate --acked ids --verify data`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := sending.check(cmd); err != nil {
				return err
			}
			p, err := flags.LoadProbes(probesDir)
			if err != nil {
				return err
			}
			c.Start, c.Probes = ping.Day(start), p
			if sending.used() {
				return sending.run(cmd, c, probesDir)
			}
			write, ok := generateForms[form]
			if !ok {
				return cli.Usagef("no form %q: want submissions or pings", form)
			}
			var o generate.Options
			if o.Compression, ok = compressions[compression]; !ok {
				return cli.Usagef("no compression %q: want none, gzip, gzip-each or zstd", compression)
			}
			g, err := generate.New(c)
			if err != nil {
				return cli.Usage(err)
			}
			var s generate.Summary
			err = writeGenerated(cmd.Context(), func(w io.Writer) error { s, err = write(g, w, o); return err }, output, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), report.Generated(&s))
			return nil
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&c.Seed, "seed", 1, "seed of the population")
	f.IntVar(&c.Clients, "clients", generate.DefaultClients, "number of clients")
	f.StringVar(&start, "start", string(generate.DefaultStart), "first day, YYYYMMDD")
	f.IntVar(&c.Days, "days", generate.DefaultDays, "number of days")
	f.Float64Var(&c.Damaged, "damaged", generate.DefaultDamaged, "share of damaged and odd submissions; negative: none")
	f.Float64Var(&c.Duplicates, "duplicates", generate.DefaultDuplicates, "share of submissions that arrive twice; negative: none")
	f.Float64Var(&c.NullClients, "null-clients", generate.DefaultNullClients, "share of clients without a client id; negative: none")
	f.IntVar(&c.MeanBytes, "mean-bytes", generate.DefaultMeanBytes, "mean size of main pings")
	f.BoolVar(&c.Glean, "glean", false, "add the Glean pings of the clients, which are of firefox-desktop and org-example-browser")
	f.BoolVar(&c.Gzip, "gzip", false, "gzip the bodies, as clients do")
	f.StringVar(&form, "form", "submissions", `"submissions" as clients send them, or "pings": {"meta","ping"} of the sound ones`)
	f.StringVar(&compression, "compress", "none", "none, gzip, gzip-each (a member a line) or zstd")
	f.StringVar(&output, "output", "", "file to write (default: standard output)")
	config.Flag(f, "probes", &probesDir)
	sending.add(cmd)
	return cmd
}

// generateForms maps the kinds of output to their generators.
var generateForms = map[string]func(*generate.Generator, io.Writer, generate.Options) (generate.Summary, error){
	"submissions": (*generate.Generator).WriteSubmissions,
	"pings":       (*generate.Generator).WritePings,
}

var compressions = map[string]generate.Compression{
	"none": generate.Plain, "gzip": generate.GzipStream, "gzip-each": generate.GzipEach, "zstd": generate.ZstdStream,
}

// writeGenerated writes pings to a file, or to out.
func writeGenerated(ctx context.Context, write func(io.Writer) error, output string, out io.Writer) error {
	if output == "" {
		return write(pipe.Writer(ctx, out))
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
		return fmt.Errorf("make folder of the output: %w", err)
	}
	return cli.WriteFile(ctx, output, write)
}
