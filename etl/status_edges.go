package etl

import (
	"errors"
	"io/fs"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
)

// EdgeLag is how far an edge is decoded.
type EdgeLag struct {
	Edge    string
	Through time.Time // everything up to then is in the archive
	Lag     time.Duration
}

// Backlog is what waits in the spool, in its sealed segments.
type Backlog struct {
	Segments int
	Records  int
	Bytes    int64
	Oldest   time.Time // arrival of the oldest submission; zero without any
}

func lags(edges []archive.Progress, now time.Time) (all []EdgeLag) {
	for _, e := range edges {
		at := time.Unix(0, e.Through).UTC()
		all = append(all, EdgeLag{Edge: e.Edge, Through: at, Lag: max(0, now.Sub(at))})
	}
	return all
}

// ReadBacklog looks into the spool in a folder; nil without one.
func ReadBacklog(dir string) (*Backlog, error) {
	if dir == "" {
		return nil, nil
	}
	segments, err := spool.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b := &Backlog{Segments: len(segments)}
	for _, g := range segments {
		b.Records += g.Records
		b.Bytes += g.Bytes
		if at := time.Unix(0, g.First).UTC(); g.Records > 0 && (b.Oldest.IsZero() || at.Before(b.Oldest)) {
			b.Oldest = at
		}
	}
	return b, nil
}
