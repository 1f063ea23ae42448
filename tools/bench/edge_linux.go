package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pingmill/pingmill/ingest/spool"
)

// edgeRow is a server of a table: nginx, or an edge of ours.
type edgeRow struct {
	name  string
	what  string
	conns int         // at which it takes most; more or fewer make all of them slower
	least float64     // ratio of group commit to this row
	rate  float64     // submissions a second; 0: the highest load
	edge  edgeVariant // unless it is nginx
}

var edgeRows = []edgeRow{
	{name: "edge-group", what: "pingmill, group commit", conns: 256},
	{name: "edge-none", what: "the same without sync", conns: 256, least: 0.6, edge: edgeVariant{sync: spool.SyncNone}},
	{name: "edge-append", what: "the same, one append and fsync a request", conns: 64, least: 5, edge: edgeVariant{sync: spool.SyncAppend}},
	{name: "edge-each", what: "the same, one direct write and sync a request", conns: 64, edge: edgeVariant{sync: spool.SyncEach}},
	{name: "nginx", what: "nginx, discarding", conns: 64, least: 0.2},
	{name: "nginx-32k", what: "nginx, discarding, 32 KB header buffer", conns: 64},
}

const (
	edgeRequests = 3000
	edgeWarmup   = 500 * time.Millisecond
	edgeRound    = 2 * time.Second
	edgeSteady   = 10 * time.Second
	edgeLoad     = 0.7 // of the highest load, for the latency
)

// edgeSample is a server in one round.
type edgeSample struct{ rate, cpu float64 } // responses a second; microseconds of the server's processor time for each

// edgePart compares how many submissions a second servers take over HTTP. Every
// server is a process on the first core, the clients are one on the second.
func edgePart(ctx context.Context, o *options, p *page) error {
	b, err := newEdgeBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	p.printf("\n## Submissions over HTTP\n\n%d different main pings, %.1f KB each when gzipped, over loopback TCP with keep-alive; the "+
		"server has one core and the clients, one process with prepared requests, have the other. "+
		"A response of pingmill means that the submission is on disk (but for the row without sync). Medians of %d alternating rounds of %s.\n",
		edgeRequests, b.mean/1e3, o.rounds, edgeRound)
	samples, err := b.measure(ctx, o.rounds, edgeRows)
	if err != nil {
		return err
	}
	if b.servers["nginx"] == nil {
		p.printf("\nnginx is missing, so there is nothing to compare with: apt-get install nginx-light\n")
	}
	edgeTable(p, samples)
	return edgeLatency(p, b.load, b.servers["edge-group"], samples["edge-group"].rate)
}

// edgeBench are the clients, and the servers that they send to.
type edgeBench struct {
	disk    string // folder
	mean    float64
	load    *loadProcess
	servers map[string]*edgeServer
}

func newEdgeBench(ctx context.Context, o *options) (b *edgeBench, err error) {
	b = &edgeBench{servers: map[string]*edgeServer{}}
	if b.disk, err = diskFolder(o.spool); err != nil {
		return nil, err
	}
	requests := filepath.Join(b.disk, "requests")
	if b.mean, err = writeRequests(requests, edgeRequests); err != nil {
		b.close()
		return nil, fmt.Errorf("prepare requests: %w", err)
	}
	if b.load, err = startLoad(ctx, requests); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *edgeBench) close() {
	for _, s := range b.servers {
		s.stop()
	}
	if b.load != nil {
		b.load.stop()
	}
	_ = os.RemoveAll(b.disk)
}

// measure starts the servers of rows, measures them alternately, and returns their medians. It omits nginx's rows if
// nginx is missing.
func (b *edgeBench) measure(ctx context.Context, rounds int, rows []edgeRow) (map[string]edgeSample, error) {
	for _, r := range rows {
		if b.servers[r.name] != nil {
			continue
		}
		start := startEdge
		if strings.HasPrefix(r.name, "nginx") {
			start = startNginx
		}
		s, err := start(ctx, b.disk, r.name)
		if errors.Is(err, exec.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", r.name, err)
		}
		b.servers[r.name] = s
	}
	rates, cpus := map[string][]float64{}, map[string][]float64{}
	for round := range rounds {
		for _, r := range rows {
			s := b.servers[r.name]
			if s == nil {
				continue
			}
			if _, err := b.load.run(loadJob{Addr: s.addr, Conns: r.conns, Time: edgeWarmup}); err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			before := s.cpu()
			res, err := b.load.run(loadJob{Addr: s.addr, Conns: r.conns, Time: edgeRound, Rate: r.rate})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			cpu := (s.cpu() - before) / float64(res.Done) * 1e6
			rates[r.name], cpus[r.name] = append(rates[r.name], res.rate()), append(cpus[r.name], cpu)
			fmt.Fprintf(os.Stderr, "round %d %-12s %8.0f/s  %6.1f µs cpu  p50 %6.2f ms  p99 %6.2f ms  clients %3.0f %% of a core\n",
				round+1, r.name, res.rate(), cpu, ms(res.P50), ms(res.P99), 100*res.CPU/res.Wall.Seconds())
		}
	}
	medians := map[string]edgeSample{}
	for name := range rates {
		medians[name] = edgeSample{median(rates[name], itself), median(cpus[name], itself)}
	}
	return medians, nil
}

func itself(v float64) float64 { return v }

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

func edgeTable(p *page, samples map[string]edgeSample) {
	group := samples["edge-group"]
	p.printf("\n| what | connections | responses/s | group commit ÷ this | minimum | server's µs each |\n|---|---|---|---|---|---|\n")
	for _, r := range edgeRows {
		s, ok := samples[r.name]
		if !ok {
			continue
		}
		floor := ""
		if r.least > 0 {
			floor = fmt.Sprint(r.least)
			if group.rate < r.least*s.rate || r.name == "nginx" && s.cpu < r.least*group.cpu {
				floor += ", missed"
			}
		}
		p.printf("| %s | %d | %.0f | %.2f | %s | %.1f |\n", r.what, r.conns, s.rate, group.rate/s.rate, floor, s.cpu)
	}
	p.printf("\nOne append and fsync a request is the ordinary way: each body to the end of a file, through the page cache. One direct " +
		"write and sync a request has all that group commit has but the group: reserved space, reused files, no page cache. On a disk that " +
		"syncs in some 50 µs most of the gain is there already.\n")
	if n, ok := samples["nginx"]; ok {
		p.printf("\nBy the processor time of the servers group commit is %.2f times nginx: on a busy machine that is the right ratio, "+
			"because nginx, which responds at once, then waits for its clients' turn. The minimum holds for both. "+
			"nginx reads every body, 4 KB at a time, or with a header buffer of 32 KB at once with its head, before it responds. Each server "+
			"has the number of connections that is best for it.\n",
			n.cpu/group.cpu)
	}
}

// edgeLatency offers a fixed share of the highest load at a steady rate, independent of the responses.
func edgeLatency(p *page, load *loadProcess, s *edgeServer, highest float64) error {
	rate := edgeLoad * highest
	res, err := load.run(loadJob{Addr: s.addr, Conns: 512, Time: edgeSteady, Rate: rate})
	if err != nil {
		return fmt.Errorf("steady load: %w", err)
	}
	p.printf("\nAt %.0f %% of the highest load, %.0f a second offered steadily on up to 512 connections for %s, of which %.0f got a "+
		"response: p50 %.1f ms, p99 %.1f ms, counted from when a request was due.\n",
		100*edgeLoad, rate, edgeSteady, res.rate(), ms(res.P50), ms(res.P99))
	return nil
}
