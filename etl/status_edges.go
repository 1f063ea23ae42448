package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
)

// EdgeLag is how far an edge is decoded.
type EdgeLag struct {
	Edge      string
	Watermark time.Time // everything up to then is in the archive
	Lag       time.Duration
	Silent    bool // for so long that no day waits for it
}

// Backlog is the sealed segments that wait in the spool.
type Backlog struct {
	Segments int
	Records  int
	Bytes    int64
	Oldest   time.Time // arrival of the oldest submission; zero without any
	Damaged  []spool.Damaged
}

func lags(edges []edgestate.Progress, silent bool, now time.Time) (all []EdgeLag) {
	for _, e := range edges {
		at := time.Unix(0, e.Watermark).UTC()
		all = append(all, EdgeLag{Edge: e.Edge, Watermark: at, Lag: max(0, now.Sub(at)), Silent: silent})
	}
	return all
}

// clockError is how far the clocks of servers may be apart.
const clockError = time.Minute

// edgeTroubles names edges of which the first are silent, and those whose clocks are wrong.
func edgeTroubles(edges []edgestate.Progress, silent int, now time.Time) (all []string) {
	for i, e := range edges {
		at := e.At().UTC().Format("2006-01-02 15:04:05")
		if i < silent {
			all = append(all, fmt.Sprintf("edge %s has been silent since %s: days are made without it (schedule.edge-timeout), and again when it has been decoded. "+
				"If it is gone for good, delete progress/v1/%s.json of the archive", e.Edge, at, e.Edge))
		}
		if ahead := e.At().Sub(now); ahead > clockError {
			all = append(all, fmt.Sprintf("edge %s has reported at %s, %v from now: a clock is wrong, there or here, and pings get days by it",
				e.Edge, at, ahead.Round(time.Second)))
		}
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
	if b.Damaged, err = spool.ListDamaged(dir); err != nil {
		return nil, err
	}
	for _, g := range segments {
		b.Records += g.Records
		b.Bytes += g.Bytes
		if at := time.Unix(0, g.First).UTC(); g.Records > 0 && (b.Oldest.IsZero() || at.Before(b.Oldest)) {
			b.Oldest = at
		}
	}
	return b, nil
}

// batchFree is how much of the disk is to be free where no edge writes.
const batchFree = 64 << 20

// diskTrouble says that the disk is full, if it is.
func diskTrouble(dir string, minFree int64, b *Backlog) []string {
	if b == nil {
		minFree = min(minFree, batchFree)
	}
	free, err := spool.FreeSpace(dir)
	if err != nil || free >= minFree {
		return nil
	}
	return []string{fmt.Sprintf("the disk of %s is full: %s are free, want %s (spool.min-free)", dir,
		humanize.IBytes(uint64(max(0, free))), humanize.IBytes(uint64(minFree)))}
}

// damage says which segments could not be read, whole or in part.
func (b *Backlog) damage() (all []string) {
	if b == nil {
		return nil
	}
	for _, d := range b.Damaged {
		what := "the spool lost a segment of acknowledged submissions, noted by "
		if d.Bytes > 0 {
			what = "acknowledged submissions of the spool could not be read, and are kept in "
		}
		all = append(all, fmt.Sprintf("%s%s since %s: move it away once you have looked into it (pingmill errors --class record)",
			what, d.Path, d.Time.UTC().Format("2006-01-02 15:04:05")))
	}
	return all
}

// decodingTroubles says what decoding tries in vain.
func decodingTroubles(ctx context.Context, b store.Bucket) (all []string, err error) {
	troubles, err := edgestate.ReadTroubles(ctx, b)
	for _, t := range troubles {
		what := "decoding for edge " + t.Edge + " fails"
		if t.What == edgestate.TroubleDelete {
			what = "deleting messages that are in the archive, with addresses of clients, from " + t.Edge + " fails"
		}
		if t.What == edgestate.TroublePublish {
			what = "new rows of edge " + t.Edge + " do not become visible in the direct tables"
		}
		all = append(all, fmt.Sprintf("%s since %s, last at %s: %s", what,
			t.Since.Format("2006-01-02 15:04:05"), t.Last.Format("15:04:05"), t.Error))
	}
	return all, err
}

// gapsShown is how long status names messages that were gone before they were decoded.
const gapsShown = 7 * 24 * time.Hour

// gapTroubles says what topics lost before it was decoded.
func gapTroubles(ctx context.Context, b store.Bucket, now time.Time) (all []string, err error) {
	claims, err := claim.ReadAll(ctx, b)
	for _, c := range claims {
		if at := time.Unix(0, c.GapAt).UTC(); c.Gaps > 0 && now.Sub(at) < gapsShown {
			all = append(all, fmt.Sprintf("acknowledged submissions are lost: %s at %s: %s (pingmill errors --class record)",
				c.Edge, at.Format("2006-01-02 15:04:05"), c.Gap))
		}
	}
	return all, err
}
