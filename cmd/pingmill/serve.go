package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/generate/send"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

// serveFlags are the settings of the service.
type serveFlags struct {
	site      siteFlags
	checks    checkFlags
	keep      keepFlags
	listenAt  string
	only      []string // parts that run here
	operator  string   // address of the private listener
	hosts     []string // names of it
	schedules bool
	lookback  int
	files     time.Duration // in which every file is read and compared; 0: never
	deletes   time.Duration // between removals of forgotten clients' rows; 0: never
	grace     time.Duration
	edge      edge.Config
	spool     spool.Options
	drain     etl.DrainOptions
	clock     clock
	prepare   func(*site.Site)
}

// clock is what the service reads the time from, and waits by, but for what
// happens on sockets.
type clock struct {
	now  func() time.Time
	wait func(context.Context, time.Duration) error
}

func newServe() *cobra.Command { return newServeAt(clock{time.Now, send.Sleep}, nil) }

// newServeAt is serve by another clock, on the installation as prepare, if not
// nil, leaves it.
func newServeAt(c clock, prepare func(*site.Site)) *cobra.Command {
	f := serveFlags{clock: c, prepare: prepare}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "take submissions over HTTP, decode them, and make the daily tables",
		Long: `Takes submissions at /submit/… and acknowledges them once they are on disk, in the
spool; decodes them into the archive, and new-profile and update pings straight
into their tables; and makes the tables of each day once it is complete, shortly
after midnight UTC, or what was missed while it was down. A private listener has
metrics, health, status and profiles.

--only runs some of its parts, so that others can be processes of their own: edge
takes submissions, decode decodes what the edge on the same folder has taken, and
schedule makes the daily tables.

SIGTERM or Ctrl-C ends it: what was taken is finished and decoded. A second
signal ends it at once; nothing is lost then either, it is decoded next time.`,
		Example: "  pingmill serve --data data --listen :8080 --geo GeoLite2-City.mmdb\n  pingmill serve --data data --only decode --private 127.0.0.1:8082",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.serve(cmd.Context(), cli.NewLog(cmd.ErrOrStderr()))
		},
	}
	f.site.add(cmd)
	f.site.addPublishing(cmd)
	f.site.addApps(cmd)
	f.checks.add(cmd)
	f.keep.add(cmd)
	addDecodeFlags(cmd, &f.drain.Decode)
	fs := cmd.Flags()
	config.Flag(fs, "only", &f.only)
	config.Flag(fs, "edge.listen", &f.listenAt)
	config.Flag(fs, "private.listen", &f.operator)
	config.Flag(fs, "private.hosts", &f.hosts)
	config.Flag(fs, "schedule.enabled", &f.schedules)
	config.Flag(fs, "schedule.lookback", &f.lookback)
	config.Flag(fs, "deletion.every", &f.deletes)
	config.Flag(fs, "checks.files-every", &f.files)
	config.Flag(fs, "edge.name", &f.spool.Edge)
	config.Flag(fs, "edge.tls.cert", &f.edge.CertFile)
	config.Flag(fs, "edge.tls.key", &f.edge.KeyFile)
	config.Flag(fs, "edge.namespaces", &f.edge.Namespaces)
	config.Flag(fs, "edge.max-request", &f.edge.MaxBody)
	config.Flag(fs, "edge.max-connections", &f.edge.MaxConnections)
	config.Flag(fs, "edge.trusted-proxies", &f.edge.TrustedProxies)
	config.Flag(fs, "spool.min-free", &f.spool.MinFree)
	config.Flag(fs, "spool.segment-bytes", &f.spool.SegmentBytes)
	config.Flag(fs, "spool.segment-age", &f.spool.SegmentAge)
	config.Flag(fs, "decode.publish-every", &f.drain.PublishEvery)
	config.Flag(fs, "decode.archive-every", &f.drain.ArchiveEvery)
	config.Flag(fs, "decode.workers", &f.drain.Workers)
	config.Flag(fs, "grace", &f.grace)
	return cmd
}

// diskThreads are the threads that may wait for the disk beside those that
// compute: the one that commits and the one that seals. In a system call they
// keep a place for a while, which on few cores is missed.
const diskThreads = 2

// serve runs its parts until the context ends. What cannot work is an error
// before the first submission is taken.
func (f *serveFlags) serve(ctx context.Context, log *slog.Logger) error {
	if f.drain.Workers == 0 {
		f.drain.Workers = runtime.GOMAXPROCS(0)
	}
	if f.has(partEdge) && os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + diskThreads)
	}
	o, err := f.open(ctx, log)
	if err != nil {
		return err
	}
	args := []any{"parts", f.only, "private", o.private.Addr().String()}
	if o.public != nil {
		args = append(args, "address", o.public.Addr().String(), "tls", f.edge.CertFile != "")
	}
	cli.Finishes(ctx, func() string { return "" }) // the log says it
	if o.site != nil {
		report.WarnColumnless(log, o.site.Probes)
	}
	log.Info("serving", append(args, "data", f.site.data, "version", versionText())...)
	if err := notify(ctx, "READY=1"); err != nil {
		log.Warn("go on all the same", "err", err)
	}
	return errors.Join(f.run(ctx, o), o.close())
}

// run runs the parts. When ctx ends the edge finishes what it took, then the
// rest of the spool is decoded, unless another signal comes; where another
// process is the edge, only what was begun.
func (f *serveFlags) run(ctx context.Context, o *opened) error {
	log := f.drain.Log
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	rest, end := context.WithCancel(work)
	defer end()
	m := f.metrics(o.site)
	handler, err := f.privateHandler(o, m)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	f.drain.Stop, f.drain.Decoded, f.drain.Published = stop, m.Decoded, m.Published
	p := newParts()
	if f.has(partEdge) {
		p.run("edge", func() error { return o.server.Serve(work, o.public) })
	}
	if f.has(partDecode) {
		p.run("decode", func() error { return etl.Drain(work, o.site, f.drain) })
	}
	p.run("private listener", func() error { return f.private(rest, o.private, handler) })
	if f.has(partSchedule) && f.schedules {
		p.run("schedule", func() error { return f.schedule(rest, o.site, m) })
	}
	if f.has(partSchedule) && f.files > 0 {
		p.run("check of files", func() error { return f.rotateFiles(rest, o.site, m) })
	}
	if f.has(partSchedule) && f.deletes > 0 {
		p.run("deletion", func() error { return f.forget(rest, o.site) })
	}
	select {
	case <-ctx.Done():
	case <-p.failed: // the others are ended, too
	}
	log.Info("ending: another signal ends it at once")
	_ = notify(work, "STOPPING=1") // it only shows there
	defer f.abortOnSignal(work, abort)()
	if f.has(partEdge) {
		grace, cancel := context.WithTimeout(work, f.grace)
		err = o.server.Shutdown(grace)
		cancel()
	}
	close(stop)
	end()
	err = errors.Join(err, p.group.Wait())
	args := []any{}
	if f.has(partEdge) {
		args = append(args, "stats", o.server.Stats())
	}
	log.Info("ended", args...)
	return err
}

// abortOnSignal ends the work at the next signal.
func (f *serveFlags) abortOnSignal(work context.Context, abort func()) (forget func()) {
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-again:
			abort()
		case <-work.Done():
		}
	}()
	return func() { signal.Stop(again) }
}
