package main

import (
	"context"
	"io"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/intake"
	"github.com/pingmill/pingmill/site"
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
	if _, err := intake.Load(ctx, s, r, intake.LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		return nil, err
	}
	known, err := archive.KnownDays(ctx, s.Archive, archive.KindPings)
	for _, day := range known {
		days = append(days, string(day))
	}
	return days, err
}
