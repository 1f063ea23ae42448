package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/service"
)

// serveFlags are the settings of the service.
type serveFlags struct {
	site      siteFlags
	checks    checkFlags
	listen    string
	operator  string // address of the private listener
	schedules bool
	lookback  int
	grace     time.Duration
	edge      edge.Config
	spool     spool.Options
	drain     etl.DrainOptions
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "take submissions over HTTP, decode them, and make the daily tables",
		Long: `Takes submissions at /submit/… and acknowledges them once they are on disk, in the
spool; decodes them into the archive, and new-profile and update pings straight
into their tables; and makes the tables of each day once it is complete, shortly
after midnight UTC, or what was missed while it was down. A private listener has
metrics, health, status and profiles.

SIGTERM or Ctrl-C ends it: what was taken is finished and decoded. A second
signal ends it at once; nothing is lost then either, it is decoded next time.`,
		Example: "  pingmill serve --data data --listen :8080 --geo GeoLite2-City.mmdb",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.serve(cmd.Context(), newLog(cmd.ErrOrStderr()))
		},
	}
	f.site.add(cmd)
	f.site.addShared(cmd)
	f.site.addApps(cmd)
	f.checks.add(cmd)
	addDecodeFlags(cmd, &f.drain.Decode)
	fs := cmd.Flags()
	config.Flag(fs, "edge.listen", &f.listen)
	config.Flag(fs, "private.listen", &f.operator)
	config.Flag(fs, "schedule.enabled", &f.schedules)
	config.Flag(fs, "schedule.lookback", &f.lookback)
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

// newLog writes text on a terminal and JSON elsewhere.
func newLog(w io.Writer) *slog.Logger {
	if isTerminal(w) {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// textLog is for commands that end: text anywhere.
func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// diskThreads are the threads that may wait for the disk beside those that
// compute: the one that commits and the one that seals. In a system call they
// keep a place for a while, which on few cores is missed.
const diskThreads = 2

// serve runs edge and decoding until the context ends. What cannot work is an
// error before the first submission is taken.
func (f *serveFlags) serve(ctx context.Context, log *slog.Logger) error {
	if f.drain.Workers == 0 {
		f.drain.Workers = runtime.GOMAXPROCS(0)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + diskThreads)
	}
	site, err := f.site.open(ctx, true)
	if err != nil {
		return err
	}
	defer site.Close()
	if err := f.checks.set(ctx, site, f.site.temp(), log); err != nil {
		return err
	}
	if f.spool.After, err = site.LastSegment(ctx, f.spool.Edge); err != nil {
		return err
	}
	f.spool.Now, f.spool.Log = time.Now, log
	sp, err := spool.Open(filepath.Join(f.site.data, "spool"), f.spool)
	if err != nil {
		return err
	}
	server, listener, err := f.open(ctx, sp, log)
	if err != nil {
		return errors.Join(err, sp.Close())
	}
	f.drain.Spool, f.drain.Edge, f.drain.Now, f.drain.Log = sp, f.spool.Edge, time.Now, log
	operator, err := listen(ctx, f.operator)
	if err != nil {
		return errors.Join(err, listener.Close(), sp.Close())
	}
	log.Info("serving", "address", listener.Addr().String(), "private", operator.Addr().String(), "tls", f.edge.CertFile != "", "data", f.site.data, "version", version())
	err = f.run(ctx, site, server, sp, [2]net.Listener{listener, operator})
	return errors.Join(err, sp.Close())
}

// open makes the edge and its listener.
func (f *serveFlags) open(ctx context.Context, sp *spool.Spool, log *slog.Logger) (*edge.Server, net.Listener, error) {
	f.edge.Spool, f.edge.Now, f.edge.Log = sp, time.Now, log
	f.edge.Version = versionInfo()
	f.edge.Health = f.checkDisk(sp)
	server, err := edge.New(f.edge)
	if err != nil {
		return nil, nil, err
	}
	l, err := listen(ctx, f.listen)
	return server, l, err
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// run runs the parts. When ctx ends the edge finishes what it took, then the
// rest of the spool is decoded, unless another signal comes.
func (f *serveFlags) run(ctx context.Context, site *etl.Site, server *edge.Server, sp *spool.Spool, l [2]net.Listener) error {
	log := f.drain.Log
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	rest, end := context.WithCancel(work)
	defer end()
	m := service.NewMetrics()
	handler, err := f.privateHandler(site, server, sp, m)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	f.drain.Stop, f.drain.Decoded = stop, m.Decoded
	p := newParts()
	p.run("edge", func() error { return server.Serve(work, l[0]) })
	p.run("decode", func() error { return site.Drain(work, f.drain) })
	p.run("private listener", func() error { return f.private(rest, l[1], handler) })
	if f.schedules {
		p.run("schedule", func() error { return f.schedule(rest, site, m) })
	}
	select {
	case <-ctx.Done():
	case <-p.failed: // the others are ended, too
	}
	log.Info("ending: another signal ends it at once")
	defer f.abortOnSignal(work, abort)()
	grace, cancel := context.WithTimeout(work, f.grace)
	err = server.Shutdown(grace)
	cancel()
	close(stop)
	end()
	err = errors.Join(err, p.group.Wait())
	log.Info("ended", "stats", server.Stats())
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

// versionInfo is what the edge says about the program.
func versionInfo() edge.VersionInfo {
	v := edge.VersionInfo{Name: "pingmill", Version: version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value
			}
		}
	}
	return v
}
