package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// sendFlags holds the flags for sending a population and verifying the result.
type sendFlags struct {
	to      string
	acked   string
	verify  string
	storage config.Storage
	wait    time.Duration
	options send.Options
}

func (f *sendFlags) add(cmd *cobra.Command) {
	o := &f.options
	c := cmd.Flags()
	c.StringVar(&f.to, "to", "", "send the submissions to this edge, http://HOST or https://HOST, instead of writing them")
	c.Float64Var(&o.Rate, "rate", 0, "with --to: submissions a second (default: as fast as they are answered)")
	c.IntVar(&o.Concurrency, "concurrency", 64, "with --to: submissions on their way at a time")
	c.IntVar(&o.Retries, "retries", send.DefaultRetries,
		"with --to: how often to send again what is not answered, or with 429 or 5xx; -1: until it is")
	c.DurationVar(&o.Timeout, "timeout", 30*time.Second, "with --to: how long to wait for an answer")
	c.Int64Var(&o.Skip, "skip", 0, "with --to: submissions to leave out first")
	c.Int64Var(&o.Limit, "limit", 0, "with --to: most submissions to send (default: all)")
	c.StringVar(&f.acked, "acked", "", "with --to: add each acknowledged document id to this file; with --verify alone: the file to check")
	c.StringVar(&f.verify, "verify", "",
		"look for every acknowledged document id in the archive of the installation in this folder, or of --storage")
	f.storage.Add(c)
	c.DurationVar(&f.wait, "wait", time.Minute, "with --verify: how long the archive may take to have everything")
}

// used reports whether the command sends or verifies instead of writing.
func (f *sendFlags) used() bool { return f.to != "" || f.verify != "" }

// check refuses flags that exclude each other.
func (f *sendFlags) check(cmd *cobra.Command) error {
	var wrong []string
	reject := func(because string, names ...string) {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				wrong = append(wrong, "--"+name+" "+because)
			}
		}
	}
	if f.used() {
		reject("goes with writing, not with --to or --verify", "output", "form", "compress")
	}
	if f.to == "" {
		reject("needs --to URL", "rate", "concurrency", "retries", "timeout", "skip", "limit")
	}
	switch {
	case !f.used():
		reject("needs --to or --verify", "acked", "wait", "storage", "storage-archive")
	case f.verify == "":
		reject("needs --verify", "wait", "verify", "storage", "storage-archive")
	case f.to == "" && f.acked == "":
		wrong = append(wrong, "--verify needs --to or --acked")
	}
	if len(wrong) > 0 {
		return cli.Usagef("%s", strings.Join(wrong, "; "))
	}
	return nil
}

// run sends the population and verifies the acknowledged submissions, as the flags request.
func (f *sendFlags) run(cmd *cobra.Command, c generate.Config, probes string) (err error) {
	ctx := cmd.Context()
	f.options.IDs = &send.IDs{}
	var s *site.Site
	if f.verify != "" { // first, so that a wrong folder is known before any work
		site := flags.Site{Data: f.verify, Storage: f.storage, Definitions: flags.Definitions{Probes: probes}, Now: time.Now}
		if s, err = site.Read(ctx); err != nil {
			return err
		}
		defer s.Close()
	}
	if f.to != "" {
		if !cmd.Flags().Changed("gzip") {
			c.Gzip = true
		}
		err = f.send(cmd, c)
	} else {
		err = f.readAcked(ctx)
	}
	if err != nil || s == nil {
		return err
	}
	return f.account(ctx, s, cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// readAcked reads the journal of an earlier call.
func (f *sendFlags) readAcked(ctx context.Context) error {
	file, err := pipe.Open(ctx, f.acked)
	if err != nil {
		return fmt.Errorf("read acknowledged ids: %w", err)
	}
	defer file.Close()
	return send.ReadJournal(file, f.options.IDs)
}

func (f *sendFlags) send(cmd *cobra.Command, c generate.Config) (err error) {
	o := &f.options
	if o.To, err = url.Parse(f.to); err != nil {
		return cli.Usagef("--to: %w", err)
	}
	if o.Concurrency < 1 {
		return cli.Usagef("--concurrency %d: at least 1", o.Concurrency)
	}
	o.Now = time.Now
	if err := o.Check(); err != nil {
		return cli.Usage(err)
	}
	g, err := generate.New(c)
	if err != nil {
		return cli.Usage(err)
	}
	if f.acked != "" {
		journal, err := send.OpenJournal(f.acked, o.IDs)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, journal.Close()) }()
		o.Journal = journal
	}
	all := g.Expect().Submissions - o.Skip
	if o.Limit > 0 {
		all = min(all, o.Limit)
	}
	var stop func()
	o.Progress, stop = report.SendBar(cmd.ErrOrStderr(), all)
	r, err := send.Run(cmd.Context(), g, *o)
	stop()
	fmt.Fprint(cmd.OutOrStdout(), report.Sent(&r))
	if err != nil {
		return err
	}
	return r.Err(f.to)
}

// account prints where the acknowledged ids are. It returns an error if some are missing or stored twice.
func (f *sendFlags) account(ctx context.Context, s *site.Site, out, errs io.Writer) error {
	reported := time.Now()
	waiting := func(rows int64) { // every few seconds, so that it does not seem to hang
		if now := time.Now(); now.Sub(reported) >= 2*time.Second {
			reported = now
			fmt.Fprintf(errs, "waiting for %d acknowledged submissions: the archive has %d rows\n", f.options.IDs.Len(), rows)
		}
	}
	a, err := loader.AwaitAccount(ctx, s.Archive, f.options.IDs,
		loader.AwaitOptions{Wait: f.wait, Clock: clock.System(), Waiting: waiting})
	if err != nil {
		return err
	}
	fmt.Fprint(out, report.Account(&a))
	return a.Err(f.verify)
}
