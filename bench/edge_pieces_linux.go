package main

import "context"

// edgePieceRows are the edge, and the edge without one of its pieces.
var edgePieceRows = []edgeRow{
	{"edge-group", "all of it", 256, startEdge},
	{"edge-slow", "without the fast path: net/http reads every request", 256, startEdge},
	{"edge-bare", "without the fast path, checks of framing and the bound on connections: net/http alone", 256, startEdge},
	{"edge-deletes", "without recycled segments: files are made and deleted", 256, startEdge},
	{"edge-cached", "without recycled segments and direct I/O: groups are written through the page cache and synced", 256, startEdge},
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
	p.printf("\n## Pieces of the edge\n\nThe same submissions on 256 connections to the edge without one piece after the other; medians of %d alternating rounds. "+
		"A piece stays where without it a submission costs at least 10 %% more of the server's processor time, or 10 %% fewer a second are acknowledged. "+
		"The checks of framing and the bound on connections make nothing faster: they stay for [what they stop](edge.md#guards).\n\n"+
		"| the edge | submissions/s | ÷ all of it | server's µs each | ÷ all of it |\n|---|---|---|---|---|\n", pieceRounds*o.rounds)
	for _, r := range edgePieceRows {
		s := samples[r.name]
		p.printf("| %s | %.0f | %.2f | %.1f | %.2f |\n", r.what, s.rate, s.rate/whole.rate, s.cpu, s.cpu/whole.cpu)
	}
	return nil
}
