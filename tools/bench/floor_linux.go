package main

import (
	"context"
	"slices"
)

// floorRows are the edge, and servers that do less.
var floorRows = []edgeRow{
	{name: "edge-group", what: "pingmill, group commit", conns: 256},
	{name: "floor-discard", what: "Go, these requests only: reads and discards", conns: 256},
	{name: "floor-append", what: "Go, these requests only: one direct write and sync for all that wait", conns: 256},
	{name: "floor-http", what: "Go, net/http and `io.ReadAll`: the same write", conns: 256},
	{name: "nginx-lua", what: "nginx, Lua: the same write", conns: 256},
}

// floorRate is about the load that one process of generated clients makes, submissions a second.
const floorRate = 1000

// floorPart compares the edge with what reading and appending a submission costs at least.
func floorPart(ctx context.Context, o *options, p *page) error {
	b, err := newEdgeBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	most, err := b.measure(ctx, o.rounds, floorRows) // first: it fills the files once
	if err != nil {
		return err
	}
	slow := slices.Clone(floorRows)
	for i := range slow {
		slow[i].rate = floorRate
	}
	steady, err := b.measure(ctx, o.rounds, slow)
	if err != nil {
		return err
	}
	p.printf("\n## The floor of the edge\n\n%d main pings of %.1f KB as in the section before, by the servers' processor time, µs each; "+
		"medians of %d alternating rounds of %s. The highest load is on 256 connections. At %d a second, which is about what one process "+
		"that makes pings sends, nearly every submission has a write and a sync of its own. Load of the machine: %s.\n\n"+
		"| server | highest load, responses/s | µs each | ÷ append | %[5]d a second, µs each | ÷ append |\n|---|---|---|---|---|---|\n",
		edgeRequests, b.mean/1e3, o.rounds, edgeRound, floorRate, machineLoad())
	for _, r := range floorRows {
		m, ok := most[r.name]
		if !ok {
			continue
		}
		s, f := steady[r.name], "floor-append"
		p.printf("| %s | %.0f | %.1f | %.2f | %.1f | %.2f |\n", r.what, m.rate, m.cpu, m.cpu/most[f].cpu, s.cpu, s.cpu/steady[f].cpu)
	}
	if b.servers["nginx-lua"] == nil {
		p.printf("\nnginx or its Lua module is missing: apt-get install nginx-light libnginx-mod-http-lua\n")
	}
	p.printf("\nThe servers in Go know only requests as these clients send them and keep only bodies: no addresses, headers, times, " +
		"checksums, recovery, limits of memory or time, full disk. nginx reads HTTP in full and keeps only bodies, too; its single worker " +
		"writes through FFI and stands still during the sync, so that requests gather at any load: fewer syncs, later responses.\n")
	return nil
}
