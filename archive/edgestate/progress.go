package edgestate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Progress is the decoding progress of one edge.
type Progress struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	// Watermark is a time of arrival in ns since epoch: every submission of the edge that arrived at or before
	// it is in the archive, as a ping or rejected.
	Watermark int64 `json:"through"`
	// Time is Watermark in RFC 3339, for people.
	Time string `json:"time"`
	// Reported is the time of this report by the clock of the reporting server. Older versions did not write
	// it.
	Reported time.Time `json:"reported,omitzero"`

	// Damaged, if not nil, means the object cannot be read: only Edge is known, and no day is complete.
	Damaged *store.StateError `json:"-"`
}

// At returns the time of the edge's last report, as far as it is known.
func (p *Progress) At() time.Time {
	if p.Reported.IsZero() {
		return time.Unix(0, p.Watermark).UTC()
	}
	return p.Reported
}

// SetProgress publishes the watermark of an edge.
func SetProgress(ctx context.Context, b store.Bucket, edge string, watermark int64, now time.Time) error {
	return writeState(ctx, b, naming.Progress, edge, edge, Progress{
		Format: 1, Edge: edge, Watermark: watermark, Time: time.Unix(0, watermark).UTC().Format(time.RFC3339Nano),
		Reported: now.UTC(),
	})
}

// ReadProgress returns the progress of all edges, by name. An edge whose object is damaged is included with
// Damaged set; the next SetProgress of the edge repairs it.
func ReadProgress(ctx context.Context, b store.Bucket) (all []Progress, err error) {
	var damaged []Progress
	all, err = readStates(ctx, b, naming.Progress, parseProgress, func(e *store.StateError) {
		damaged = append(damaged, Progress{Edge: nameOfState(e.Name), Damaged: e})
	})
	if len(damaged) > 0 {
		all = append(all, damaged...)
		slices.SortFunc(all, func(x, y Progress) int { return strings.Compare(x.Edge, y.Edge) })
	}
	return all, err
}

// Silent separates the edges that have not reported for a timeout, while another one has, from the others. No
// day waits for silent edges. A timeout of 0 is infinite. An edge that is alone is never silent: nobody decodes
// then, so nothing is known about it.
func Silent(edges []Progress, now time.Time, timeout time.Duration) (others, silent []Progress) {
	if timeout <= 0 {
		return edges, nil
	}
	var last time.Time
	for _, p := range edges {
		if at := p.At(); at.After(last) {
			last = at
		}
	}
	if last.After(now) { // a clock is wrong, there or here
		last = now
	}
	for _, p := range edges {
		if p.Damaged == nil && last.Sub(p.At()) > timeout {
			silent = append(silent, p)
		} else {
			others = append(others, p)
		}
	}
	return others, silent
}

// Complete reports whether every submission of a day is in the archive: all watermarks are past the day.
// Without any edge nothing is known to be missing, so the day is complete.
func Complete(day ping.Day, edges []Progress) bool {
	for _, p := range edges {
		if ping.DayOf(p.Watermark) <= day {
			return false
		}
	}
	return true
}
