package main

import (
	"context"

	"github.com/pingmill/pingmill/ingest/spool"
)

// edgePieceRows are the edge, and the edge without one of its pieces.
var edgePieceRows = []edgeRow{
	{name: "edge-group", what: "all of it", conns: 256},
	{name: "edge-slow", what: "without the fast path: net/http reads every request", conns: 256, edge: edgeVariant{slow: true}},
	{name: "edge-bare", what: "without the fast path, checks of framing and the bound on connections: net/http alone", conns: 256,
		edge: edgeVariant{bare: true}},
	{name: "edge-deletes", what: "without recycled segments: files are made and deleted", conns: 256, edge: edgeVariant{deletes: true}},
	{name: "edge-cached", what: "without recycled segments and direct I/O: groups are written through the page cache and synced", conns: 256,
		edge: edgeVariant{sync: spool.SyncCached}},
}

// pieceRounds is the factor for the rounds of these rows, because they differ by less.
const pieceRounds = 3

// edgePiecesPart measures what each piece of the edge brings, by taking it away.
func edgePiecesPart(ctx context.Context, o *options, p *page) error {
	b, err := newEdgeBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	samples, err := b.measure(ctx, pieceRounds*o.rounds, edgePieceRows)
	if err != nil {
		return err
	}
	whole := samples["edge-group"]
	p.printf("\n## Pieces of the edge\n\nThe same submissions on 256 connections to the edge without one piece after the other; medians "+
		"of %d alternating rounds. "+
		"A piece stays where without it a submission costs at least 10 %% more of the server's processor time, or 10 %% fewer a second are "+
		"acknowledged. "+
		"The checks of framing and the bound on connections make nothing faster: they stay for [what they stop](edge.md#guards).\n\n"+
		"| the edge | submissions/s | ÷ all of it | server's µs each | ÷ all of it |\n|---|---|---|---|---|\n", pieceRounds*o.rounds)
	for _, r := range edgePieceRows {
		s := samples[r.name]
		p.printf("| %s | %.0f | %.2f | %.1f | %.2f |\n", r.what, s.rate, s.rate/whole.rate, s.cpu, s.cpu/whole.cpu)
	}
	return nil
}
