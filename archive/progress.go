package archive

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

const progressDir = "progress/v1"

// Progress says how far the submissions of one edge are decoded.
type Progress struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	// Watermark is a time of arrival in ns since epoch: every submission of the edge
	// up to it, and of that moment, is in the archive, as a ping or rejected.
	Watermark int64 `json:"through"`
	// Time is Watermark for people, RFC 3339.
	Time string `json:"time"`
}

// SetProgress publishes how far an edge is decoded.
func SetProgress(ctx context.Context, b store.Bucket, edge string, watermark int64) error {
	return writeState(ctx, b, progressDir, edge, edge, Progress{
		Format: 1, Edge: edge, Watermark: watermark, Time: time.Unix(0, watermark).UTC().Format(time.RFC3339Nano),
	})
}

// ReadProgress lists the progress of all edges, by name.
func ReadProgress(ctx context.Context, b store.Bucket) ([]Progress, error) {
	return readStates(ctx, b, progressDir, func(p *Progress) int { return p.Format })
}

// Complete says whether every submission of a day is in the archive: all watermarks
// are past the day. Without any edge nothing is known to be missing, and the day is
// complete.
func Complete(day ping.Day, edges []Progress) bool {
	for _, p := range edges {
		if ping.DayOf(p.Watermark) <= day {
			return false
		}
	}
	return true
}
