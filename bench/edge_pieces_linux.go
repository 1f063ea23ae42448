package main

import "context"

// edgePieceRows are the edge, and the edge without one of its pieces.
var edgePieceRows = []edgeRow{
	{"edge-group", "all of it", 256, startEdge},
	{"edge-slow", "without the fast path: net/http reads every request", 256, startEdge},
	{"edge-bare", "nor checks of framing nor a bound on connections: net/http alone", 256, startEdge},
	{"edge-deletes", "without recycled segments: files are made and deleted", 256, startEdge},
	{"edge-cached", "nor direct I/O: one write through the page cache and a sync for each group", 256, startEdge},
}

// pieceRounds is how many times more rounds these rows take: they differ by less.
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
	p.printf("\n## Pieces of the edge\n\nThe same submissions on 256 connections, medians of %d alternating rounds.\n\n| the edge | submissions/s | server's µs each | more than all of it |\n|---|---|---|---|\n", pieceRounds*o.rounds)
	for _, r := range edgePieceRows {
		s := samples[r.name]
		p.printf("| %s | %.0f | %.1f | %+.0f %% |\n", r.what, s.rate, s.cpu, 100*(s.cpu/whole.cpu-1))
	}
	return nil
}
