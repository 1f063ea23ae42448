//go:build !linux

package main

import "context"

// edgePart needs what only Linux has: processes bound to cores, epoll.
func edgePart(_ context.Context, _ *options, p *page) error {
	p.printf("\n## Submissions over HTTP\n\nMeasured on Linux only.\n")
	return nil
}

func edgePiecesPart(context.Context, *options, *page) error { return nil }
