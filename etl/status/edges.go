package status

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/store"
)

// EdgeLag describes how far the submissions of an edge are decoded.
type EdgeLag struct {
	Edge      string
	Watermark time.Time // all earlier submissions are in the archive
	Lag       time.Duration
	Silent    bool // for so long that no day waits for it
}

// Backlog describes the sealed segments that wait in the spool.
type Backlog struct {
	Segments int
	Records  int
	Bytes    int64
	Oldest   time.Time // arrival of the oldest submission; zero if there is none
	Damaged  []spool.Damaged
}

func lags(edges []edgestate.Progress, silent bool, now time.Time) (all []EdgeLag) {
	for _, e := range edges {
		at := time.Unix(0, e.Watermark).UTC()
		all = append(all, EdgeLag{Edge: e.Edge, Watermark: at, Lag: max(0, now.Sub(at)), Silent: silent})
	}
	return all
}

// clockError is the tolerated difference between the clocks of servers.
const clockError = time.Minute

// edgeTroubles describes silent edges, which are the first ones, and edges whose clocks are wrong.
func edgeTroubles(edges []edgestate.Progress, silent int, now time.Time) (all []string) {
	for i, e := range edges {
		at := text.Stamp(e.At())
		if i < silent {
			all = append(all, fmt.Sprintf(
				"edge %s has been silent since %s: days are made without it (schedule.edge-timeout), and again when it has been decoded. "+
					"If it is gone for good, delete %s/%s.json of the archive", e.Edge, at, naming.Progress, e.Edge))
		}
		if ahead := e.At().Sub(now); ahead > clockError {
			all = append(all, fmt.Sprintf("edge %s has reported at %s, %v from now: a clock is wrong, there or here, and pings get days by it",
				e.Edge, at, ahead.Round(time.Second)))
		}
	}
	return all
}

// ReadBacklog reads the state of the spool in dir; nil if there is no spool.
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

// batchFree is the required free disk space, in bytes, if no edge writes to the disk.
const batchFree = 64 << 20

// diskTrouble returns a message if the disk is full.
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

// damage describes the segments that could not be read, completely or in part.
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
			what, d.Path, text.Stamp(d.Time)))
	}
	return all
}

// stalled describes submissions that wait for longer than decoding needs.
func (b *Backlog) stalled(now time.Time, after time.Duration) []string {
	if b == nil || b.Oldest.IsZero() || after <= 0 || now.Sub(b.Oldest) < after {
		return nil
	}
	return []string{fmt.Sprintf("%s waiting in the spool, the oldest since %s: decoding stands still, is far behind or does not run; its "+
		"log says why (decode.stalled-after)", text.Plural(b.Records, "acknowledged submission"), text.Stamp(b.Oldest))}
}

// stalledTopics describes the partitions of topics whose messages are not decoded for longer than that takes. A decoder
// moves the watermark also while no message comes.
func stalledTopics(edges []edgestate.Progress, now time.Time, after time.Duration) (all []string) {
	for _, e := range edges {
		if at := time.Unix(0, e.Watermark).UTC(); after > 0 && strings.HasPrefix(e.Edge, "kafka.") && now.Sub(at) >= after {
			all = append(all, fmt.Sprintf("messages of %s are decoded up to %s: decoding stands still, is far behind or does not run; its log "+
				"says why (decode.stalled-after)", e.Edge, text.Stamp(at)))
		}
	}
	return all
}

// decodingTroubles describes what decoding repeatedly fails to do.
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
			text.Stamp(t.Since), t.Last.Format("15:04:05"), t.Error))
	}
	return all, err
}

// gapsShown is the time for which status shows messages that were lost before they were decoded.
const gapsShown = 7 * 24 * time.Hour

// gapTroubles describes the messages that topics lost before they were decoded.
func gapTroubles(ctx context.Context, b store.Bucket, now time.Time) (all []string, err error) {
	claims, err := claim.ReadAll(ctx, b)
	for _, c := range claims {
		if at := time.Unix(0, c.GapAt).UTC(); c.Gaps > 0 && now.Sub(at) < gapsShown {
			all = append(all, fmt.Sprintf("acknowledged submissions are lost: %s at %s: %s (pingmill errors --class record)",
				c.Edge, text.Stamp(at), c.Gap))
		}
	}
	return all, err
}
