package main

import (
	"context"
	"io"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/generate"
)

// load fills the archive with days of some pings.
func (d *Days) load(ctx context.Context, s *site.Site) (days []string, err error) {
	g, err := generate.New(generate.Config{Seed: 3, Clients: 30, Days: d.Days, MeanBytes: 16_000, Gzip: true})
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		_, err := g.WriteSubmissions(w, generate.Options{})
		_ = w.CloseWithError(err)
	}()
	if _, err := loader.Load(ctx, s, r, loader.LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		return nil, err
	}
	known, err := archive.KnownDays(ctx, s.Archive, archive.KindPings)
	for _, day := range known {
		days = append(days, string(day))
	}
	return days, err
}
