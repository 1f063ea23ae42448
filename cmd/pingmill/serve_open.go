package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/site"
)

// The parts of the service.
const (
	partEdge     = "edge"
	partDecode   = "decode"
	partSchedule = "schedule"
)

// has says whether a part runs in this process.
func (f *serveFlags) has(part string) bool { return slices.Contains(f.only, part) }

// spoolDir is where the edge writes and decoding reads.
func (f *serveFlags) spoolDir() string { return filepath.Join(f.site.data, "spool") }

// opened is what the parts of this process work on.
type opened struct {
	site     *site.Site      // nil where only the edge runs, which needs no archive
	server   *edge.Server    // nil without the edge
	spool    *spool.Spool    // nil without the edge
	follower *spool.Follower // nil unless another process is the edge
	public   net.Listener    // nil without the edge
	private  net.Listener
}

func (o *opened) close() error {
	var all []error
	for _, l := range []net.Listener{o.public, o.private} {
		if l != nil {
			_ = l.Close() // who served it has closed it, too
		}
	}
	if o.spool != nil {
		all = append(all, o.spool.Close())
	}
	if o.follower != nil {
		all = append(all, o.follower.Close())
	}
	if o.site != nil {
		all = append(all, o.site.Close())
	}
	return errors.Join(all...)
}

// open opens what the parts need.
func (f *serveFlags) open(ctx context.Context, log *slog.Logger) (*opened, error) {
	f.drain.Edge, f.drain.Now, f.drain.Log = f.spool.Edge, f.clock.now, log
	o := &opened{}
	err := f.checkFiles()
	if err == nil {
		err = f.listen(ctx, o)
	}
	if err == nil {
		err = f.openSite(ctx, o)
	}
	if err == nil {
		err = f.openSpool(ctx, o)
	}
	if err == nil && f.has(partEdge) {
		err = f.openEdge(o)
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

// checkFiles looks whether the files that the configuration names can be used,
// before anything is made.
func (f *serveFlags) checkFiles() error {
	if _, err := loadProbes(f.site.probes); err != nil {
		return err
	}
	if f.has(partDecode) {
		if err := checkDecode(f.drain.Decode); err != nil {
			return err
		}
	}
	if f.has(partEdge) {
		return checkCertificate(f.edge.CertFile, f.edge.KeyFile)
	}
	return nil
}

// listen takes the addresses. Who comes before all is open waits until it is.
func (f *serveFlags) listen(ctx context.Context, o *opened) (err error) {
	if f.has(partEdge) {
		if o.public, err = listen(ctx, f.listenAt); err != nil {
			return err
		}
	}
	o.private, err = listen(ctx, f.operator)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w: each process needs its own private.listen (--private)", err)
	}
	return err
}

// openSite opens the installation. An edge alone does without: it goes on taking
// submissions whatever is with the archive.
func (f *serveFlags) openSite(ctx context.Context, o *opened) (err error) {
	if !f.has(partDecode) && !f.has(partSchedule) {
		return nil
	}
	if o.site, err = f.site.open(ctx, true); err != nil {
		return err
	}
	o.site.Log = f.drain.Log
	if err := f.keep.set(o.site); err != nil {
		return cli.Usage(err)
	}
	if o.site.Grace.Now = f.clock.now; o.site.Sharing != nil {
		o.site.Sharing.Now = f.clock.now
	}
	if f.prepare != nil {
		f.prepare(o.site)
	}
	return f.checks.set(ctx, o.site, f.site.temp(), f.drain.Log)
}

// openSpool opens the spool to write it, and for decoding alone to follow it.
func (f *serveFlags) openSpool(ctx context.Context, o *opened) (err error) {
	switch {
	case f.has(partEdge):
		if f.spool.After, err = f.after(ctx, o.site); err != nil {
			return err
		}
		f.spool.Decoding = f.has(partDecode)
		f.spool.Now, f.spool.Log = f.clock.now, f.drain.Log
		if o.spool, err = spool.Open(f.spoolDir(), f.spool); err == nil {
			f.drain.Spool = o.spool
		}
	case f.has(partDecode):
		if o.follower, err = spool.Follow(f.spoolDir(), f.spool.Edge); err != nil {
			return err
		}
		f.drain.Spool, f.drain.Leave = o.follower, true
		if err := f.checkWritten(o.follower)(ctx); err != nil {
			f.drain.Log.Warn("waiting for the edge", "reason", err)
		}
	}
	return err
}

// after is the number that those of new segments are above: who decodes takes
// lower ones for what is in the archive already. Without the archive a spool
// that was never there before begins at the time in milliseconds, which is more
// than an earlier spool has come to.
func (f *serveFlags) after(ctx context.Context, site *site.Site) (uint64, error) {
	if site != nil {
		return etl.LastSegment(ctx, site, f.spool.Edge)
	}
	if spool.Exists(f.spoolDir()) {
		return 0, nil
	}
	return uint64(max(0, f.clock.now().UnixMilli())), nil
}

// openEdge makes the edge.
func (f *serveFlags) openEdge(o *opened) (err error) {
	f.edge.Spool, f.edge.Now, f.edge.Log = o.spool, time.Now, f.drain.Log
	f.edge.Version = versionInfo()
	f.edge.Health = f.checkDisk(o.spool)
	o.server, err = edge.New(f.edge)
	return err
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("listen: %w", err))
	}
	return l, nil
}
