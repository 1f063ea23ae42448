package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/generate/send"
	"github.com/pingmill/pingmill/pipe"
)

// sendFlags say where a population is sent and what is checked in the end.
type sendFlags struct {
	to      string
	acked   string
	verify  string
	wait    time.Duration
	options send.Options
}

func (f *sendFlags) add(cmd *cobra.Command) {
	o := &f.options
	c := cmd.Flags()
	c.StringVar(&f.to, "to", "", "send the submissions to this edge, http://HOST or https://HOST, instead of writing them")
	c.Float64Var(&o.Rate, "rate", 0, "with --to: submissions a second (default: as fast as they are answered)")
	c.IntVar(&o.Concurrency, "concurrency", 64, "with --to: submissions on their way at a time")
	c.IntVar(&o.Retries, "retries", send.DefaultRetries, "with --to: how often to send again what is not answered, or with 429 or 5xx; -1: until it is")
	c.DurationVar(&o.Timeout, "timeout", 30*time.Second, "with --to: how long to wait for an answer")
	c.Int64Var(&o.Skip, "skip", 0, "with --to: submissions to leave out first")
	c.Int64Var(&o.Limit, "limit", 0, "with --to: most submissions to send (default: all)")
	c.StringVar(&f.acked, "acked", "", "with --to: add each acknowledged document id to this file; with --verify alone: the file to check")
	c.StringVar(&f.verify, "verify", "", "look for every acknowledged document id in the archive of the installation in this folder")
	c.DurationVar(&f.wait, "wait", time.Minute, "with --verify: how long the archive may take to have everything")
}

// used says that nothing is to be written.
func (f *sendFlags) used() bool { return f.to != "" || f.verify != "" }

// check refuses flags that do not go together.
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
		reject("needs --to or --verify", "acked", "wait")
	case f.verify == "":
		reject("needs --verify", "wait", "verify")
	case f.to == "" && f.acked == "":
		wrong = append(wrong, "--verify needs --to or --acked")
	}
	if len(wrong) > 0 {
		return cli.Usagef("%s", strings.Join(wrong, "; "))
	}
	return nil
}

// run sends the population, if it is to be sent, and accounts for what was
// acknowledged, if that is wanted.
func (f *sendFlags) run(cmd *cobra.Command, c generate.Config, probes string) (err error) {
	ctx := cmd.Context()
	f.options.IDs = &send.IDs{}
	var s *etl.Site
	if f.verify != "" { // first, so that a wrong folder is known before any work
		site := siteFlags{data: f.verify, probes: probes}
		if s, err = site.read(ctx); err != nil {
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
	return f.account(ctx, s, cmd.OutOrStdout())
}

// readAcked reads what an earlier call has written.
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
	stop := showSending(cmd.ErrOrStderr(), g, o)
	r, err := send.Run(cmd.Context(), g, *o)
	stop()
	fmt.Fprint(cmd.OutOrStdout(), sentLines(&r))
	if err == nil && r.Acknowledged == 0 && r.Submissions > 0 {
		err = fmt.Errorf("send to %s: nothing was acknowledged", f.to)
		if r.LastError != nil {
			err = fmt.Errorf("%w: %w", err, r.LastError)
		}
	}
	return err
}

// showSending shows how far sending is, on a terminal.
func showSending(w io.Writer, g *generate.Generator, o *send.Options) (stop func()) {
	if !cli.IsTerminal(w) {
		return func() {}
	}
	all := g.Expect().Submissions - o.Skip
	if o.Limit > 0 {
		all = min(all, o.Limit)
	}
	bar := progressbar.NewOptions64(max(all, 1), progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("sending"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	o.Progress = func(s send.Stats) {
		_ = bar.Set64(s.Submissions - s.Unfinished()) // a terminal that went away is no reason to stop
	}
	return func() { _ = bar.Clear() }
}

// sentLines say what came of sending.
func sentLines(r *send.Report) string {
	var b strings.Builder
	n := humanize.Comma
	fmt.Fprintf(&b, "%s submissions in %s, %.1f/s: %s acknowledged, %s refused, %s given up, %s cut off; sent again %s times; %s of bodies\n",
		n(r.Submissions), r.Took.Round(time.Millisecond), r.Rate(), n(r.Acknowledged), n(r.Refused), n(r.GivenUp), n(r.Unfinished()),
		n(r.Retries), humanize.Bytes(uint64(r.Bytes)))
	var answers []string
	for _, status := range slices.Sorted(maps.Keys(r.Answers)) {
		answers = append(answers, strconv.Itoa(status)+" "+n(r.Answers[status]))
	}
	fmt.Fprintf(&b, "answers: %s; none %s", cmp.Or(strings.Join(answers, ", "), "none"), n(r.Unanswered))
	if r.LastError != nil {
		fmt.Fprintf(&b, " (the last time: %v)", r.LastError)
	}
	l := &r.Latency
	fmt.Fprintf(&b, "\nlatency: p50 %s, p90 %s, p99 %s, longest %s\n", short(l.P50), short(l.P90), short(l.P99), short(l.Max))
	return b.String()
}

// short is a duration with three digits or so.
func short(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

// account prints where the acknowledged ids are. It is an error that some are
// not there, or there twice.
func (f *sendFlags) account(ctx context.Context, s *etl.Site, out io.Writer) error {
	a, err := s.AwaitAccount(ctx, f.options.IDs, etl.AwaitOptions{Wait: f.wait, Now: time.Now, Sleep: send.Sleep})
	if err != nil {
		return err
	}
	fmt.Fprint(out, accountLines(&a))
	if !a.Faultless() {
		return fmt.Errorf("account for acknowledged ids in %s: %d missing, %d with nothing but duplicates, %d more than once",
			f.verify, a.Missing, a.OnlyDuplicates, a.Repeated)
	}
	return nil
}

func accountLines(a *etl.Account) string {
	var b strings.Builder
	n := humanize.Comma
	fmt.Fprintf(&b, "%s acknowledged document ids: %s pings, %s errors, %s with nothing but duplicates, %s missing, %s more than once\n",
		n(a.Acked), n(a.InPings), n(a.InErrors), n(a.OnlyDuplicates), n(a.Missing), n(a.Repeated))
	var classes []string
	for _, class := range slices.Sorted(maps.Keys(a.ByClass)) {
		classes = append(classes, class+" "+n(a.ByClass[class]))
	}
	fmt.Fprintf(&b, "errors by class: %s; copies recognised as duplicates: %s; of ids not acknowledged: %s\n",
		cmp.Or(strings.Join(classes, ", "), "none"), n(a.Duplicates), n(a.Others))
	for _, e := range []struct {
		what string
		ids  []string
	}{
		{"missing", a.MissingIDs}, {"nothing but duplicates", a.OnlyDuplicateIDs}, {"more than once", a.RepeatedIDs},
	} {
		if len(e.ids) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", e.what, strings.Join(e.ids, ", "))
		}
	}
	return b.String()
}
