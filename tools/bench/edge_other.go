//go:build !linux

package main

import "context"

const usualSizes = "1"

// edgePart needs what only Linux has: processes bound to cores, epoll.
func edgePart(_ context.Context, _ *options, p *page) error {
	p.printf("\n## Submissions over HTTP\n\nMeasured on Linux only.\n")
	return nil
}

func floorPart(context.Context, *options, *page) error { return nil }

func edgePiecesPart(context.Context, *options, *page) error { return nil }

func clickhousePart(context.Context, *options, *page) error { return nil }

func polarsPart(context.Context, *options, *page) error { return nil }

func stallPart(context.Context, *options, *page) error { return nil }

func webPart(context.Context, *options, *page) error { return nil }

func removalPart(context.Context, *options, *page) error { return nil }

func wholePart(_ context.Context, _ *options, p *page) error {
	p.printf("\n## The whole way of a ping\n\nMeasured on Linux only.\n")
	return nil
}
