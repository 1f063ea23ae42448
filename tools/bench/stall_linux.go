package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// stallRows lists the ways to handle a disk that stalls at times.
var stallRows = []struct {
	edgeRow
	stalls bool
}{
	{edgeRow{name: "edge-group", what: "one disk"}, false},
	{edgeRow{name: "edge-group", what: "one disk, which stalls"}, true},
	{edgeRow{name: "edge-second", what: "the same, and a second disk", edge: edgeVariant{failover: true}}, true},
}

const (
	stallBytes    = 3 << 30 // of each disk; in memory only what is written
	stallInterval = 2 * time.Second
	stallFor      = 200 * time.Millisecond
	stallRound    = 6 * time.Second

	freezeDisk, thawDisk = 0xc0045877, 0xc0045878 // FIFREEZE and FITHAW of linux/fs.h
)

// stallLoads are parts of the highest load. To disks in memory each write costs the
// processor two copies, so at the higher one little is left for catching up.
var stallLoads = []float64{edgeLoad / 2, edgeLoad}

// stallPart offers a steady load to edges whose disk stalls at times.
func stallPart(ctx context.Context, o *options, p *page) error {
	if os.Geteuid() != 0 {
		p.printf("\n## A disk that stalls\n\nNot measured: only root may mount disks and freeze them.\n")
		return nil
	}
	base := filepath.Join(o.dir, "stall")
	defer os.RemoveAll(base)
	var disks []*madeDisk
	defer func() {
		for _, d := range disks {
			d.close()
		}
	}()
	for _, name := range []string{"disk", "disk" + secondEnd} {
		d, err := makeDisk(ctx, base, name)
		if err != nil {
			return err
		}
		disks = append(disks, d)
	}
	return measureStalls(ctx, o, p, disks[0])
}

func measureStalls(ctx context.Context, o *options, p *page, disk *madeDisk) error {
	b, err := newEdgeBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	for _, r := range stallRows {
		if b.servers[r.name] == nil {
			if b.servers[r.name], err = startEdge(ctx, disk.dir, r.name); err != nil {
				return err
			}
		}
	}
	most, err := b.load.run(loadJob{Addr: b.servers["edge-group"].addr, Conns: 256, Time: edgeRound})
	if err != nil {
		return err
	}
	p.printf("\n## A disk that stalls\n\nAcknowledgements at parts of the highest load, %.0f a second, on up to 1024 connections. The "+
		"disks are file systems in memory; the first one stands still "+
		"for %s every %s. Medians of %d alternating rounds of %s, counted from when a request was due.\n\n| load | spool on | p50 ms | p99 "+
		"ms | p99.9 ms | most ms |\n|---|---|---|---|---|---|\n",
		most.rate(), stallFor, stallInterval, o.rounds, stallRound)
	for _, load := range stallLoads {
		results, err := b.stallRounds(disk, load*most.rate(), o.rounds)
		if err != nil {
			return err
		}
		for i, r := range stallRows {
			metric := func(f func(loadResult) time.Duration) float64 {
				return ms(f(median(results[i], func(r loadResult) float64 { return float64(f(r)) })))
			}
			p.printf("| %.0f %% | %s | %.1f | %.1f | %.1f | %.1f |\n", 100*load, r.what, metric(func(r loadResult) time.Duration { return r.P50 }),
				metric(func(r loadResult) time.Duration { return r.P99 }), metric(func(r loadResult) time.Duration { return r.P999 }),
				metric(func(r loadResult) time.Duration { return r.Max }))
		}
	}
	return nil
}

// stallRounds offers a load to the servers of all rows alternately.
func (b *edgeBench) stallRounds(disk *madeDisk, rate float64, rounds int) ([][]loadResult, error) {
	results := make([][]loadResult, len(stallRows))
	for round := range rounds {
		for i, r := range stallRows {
			end := func() error { return nil }
			if r.stalls {
				end = disk.stall()
			}
			res, err := b.load.run(loadJob{Addr: b.servers[r.name].addr, Conns: 1024, Time: stallRound, Rate: rate})
			if err = errors.Join(err, end()); err != nil {
				return nil, fmt.Errorf("%s: %w", r.what, err)
			}
			results[i] = append(results[i], res)
			fmt.Fprintf(os.Stderr, "round %d %6.0f/s %-30s p50 %6.2f ms  p99 %6.2f ms  p99.9 %6.2f ms  most %6.2f ms\n",
				round+1, rate, r.what, ms(res.P50), ms(res.P99), ms(res.P999), ms(res.Max))
		}
	}
	return results, nil
}

// madeDisk is a file system in a file.
type madeDisk struct{ dir string }

func makeDisk(ctx context.Context, base, name string) (*madeDisk, error) {
	d := &madeDisk{filepath.Join(base, name)}
	image := d.dir + ".image"
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.Create(image)
	if err == nil {
		err = errors.Join(f.Truncate(stallBytes), f.Close())
	}
	for _, c := range [][]string{{"mkfs.ext4", "-q", "-F", image}, {"mount", "-o", "loop", image, d.dir}} {
		if err != nil {
			break
		}
		var out []byte
		if out, err = exec.CommandContext(ctx, c[0], c[1:]...).CombinedOutput(); err != nil {
			err = fmt.Errorf("%s: %w: %s", c[0], err, out)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("make a disk: %w", err)
	}
	return d, nil
}

func (d *madeDisk) close() {
	if err := unix.Unmount(d.dir, unix.MNT_DETACH); err != nil {
		fmt.Fprintln(os.Stderr, "bench: unmount", d.dir, err)
	}
}

// stall makes the disk stall at times, until end is called.
func (d *madeDisk) stall() (end func() error) {
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- d.freezeUntil(stop) }()
	return func() error { close(stop); return <-done }
}

func (d *madeDisk) freezeUntil(stop <-chan struct{}) error {
	f, err := os.Open(d.dir)
	if err != nil {
		return err
	}
	defer f.Close()
	again := time.NewTicker(stallInterval)
	defer again.Stop()
	for {
		select {
		case <-stop:
			return nil
		case <-again.C:
		}
		err := unix.IoctlSetInt(int(f.Fd()), freezeDisk, 0)
		if err == nil {
			time.Sleep(stallFor)
			err = unix.IoctlSetInt(int(f.Fd()), thawDisk, 0)
		}
		if err != nil {
			return fmt.Errorf("freeze the disk: %w", err)
		}
	}
}
