package etl

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// source finds the inputs of a table for a day.
func (s *steps) source(ctx context.Context, t *schema.Table, day string, base *lake.Manifest) (source, error) {
	if t.DocType != "" {
		return s.pingSource(ctx, t, day)
	}
	if t.IsSnapshots() {
		return s.snapshotSource(ctx, t, day)
	}
	if t.FromRows() {
		return s.rowSource(ctx, t, day, base)
	}
	var src source
	for _, need := range t.Needs {
		_, m, err := s.need(ctx, need, day, &src)
		if err != nil || m == nil {
			return src, err
		}
		src.inputs = append(src.inputs, job.Input{Name: need, Generation: m.Generation})
		for _, p := range m.Parts {
			src.parts = append(src.parts, job.Samples{Lo: p.Lo, Hi: p.Hi})
			src.bytes = append(src.bytes, fileBytes(m, p))
		}
		src.rows += m.Rows
		wanted := s.samples
		if t.Whole {
			wanted = nil
		}
		if gap := uncovered(src.parts, wanted); gap != "" {
			src.missing = need + " of the day lacks " + gap
		}
	}
	if t.Whole {
		src.join()
	}
	return src, nil
}

// need returns the partition of a day that a table is made from. Without a usable one it is nil, and the source has the
// reason.
func (s *steps) need(ctx context.Context, table, day string, src *source) (*lake.Table, *lake.Manifest, error) {
	lt, err := s.data.Table(table)
	if err != nil {
		return nil, nil, err
	}
	m, err := lt.Partition(ctx, day)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		src.missing = notPublished(table)
		return lt, nil, nil
	case lake.Unusable(err):
		src.missing = table + " of the day is damaged"
		return lt, nil, nil
	}
	return lt, m, err
}

// pingSource returns the archive's pings of a document type as a source. A day with pings of other types only
// has an empty source; a day without any pings has a missing one.
func (s *steps) pingSource(ctx context.Context, t *schema.Table, day string) (source, error) {
	p, err := origin.OpenPings(ctx, s.data.Archive, t, day)
	if err != nil {
		return source{}, err
	}
	d := p.Day
	if d == nil {
		return s.emptySource(ctx, t, day)
	}
	least := 1
	if t.Large {
		least = 4 // so that even a small day keeps some cores busy
	}
	n := min(100, max(least, int((d.RawBytes()+taskBytes-1)/taskBytes)))
	if t.Internal() { // it reads few of the samples
		n = min(n, len(t.Snapshots.Samples))
	}
	src := source{inputs: p.Inputs, rows: d.Rows()}
	for i := range n {
		src.parts = append(src.parts, job.Samples{Lo: i * 100 / n, Hi: (i+1)*100/n - 1})
		src.bytes = append(src.bytes, d.RawBytes()/int64(n))
	}
	src.parts[n-1].Hi = job.NoClient
	return src, nil
}

func (s *steps) emptySource(ctx context.Context, t *schema.Table, day string) (source, error) {
	types, err := archive.DocTypes(ctx, s.data.Archive, ping.Day(day))
	emptied := false
	if err == nil && len(types) == 0 {
		emptied, err = archive.Emptied(ctx, s.data.Archive, ping.Day(day))
	}
	if err != nil || len(types) == 0 && !emptied {
		return source{missing: NoPingsOfDay}, err
	}
	return source{
		inputs: []job.Input{{Name: t.Source(), Generation: origin.NoPings}},
		parts:  []job.Samples{{Lo: 0, Hi: job.NoClient}},
		bytes:  []int64{0},
	}, nil
}

// NoPingsOfDay explains why a table made from pings cannot be made.
const NoPingsOfDay = "the archive has no pings of the day: load them first"
