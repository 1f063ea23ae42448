package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

const progressDir = "progress/v1"

// Progress says how far the submissions of one edge are decoded.
type Progress struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	// Watermark is a time of arrival in ns since epoch: every submission of the
	// edge up to and including it is in the archive, as a ping or rejected.
	Watermark int64 `json:"through"`
	// Time is Watermark for people, RFC 3339.
	Time string `json:"time"`
}

// SetProgress publishes how far an edge is decoded.
func SetProgress(ctx context.Context, b store.Bucket, edge string, watermark int64) error {
	if err := checkLoad(edge); err != nil {
		return fmt.Errorf("publish progress of an edge: %w", err)
	}
	data, err := json.Marshal(Progress{
		Format: 1, Edge: edge, Watermark: watermark, Time: time.Unix(0, watermark).UTC().Format(time.RFC3339Nano),
	})
	if err != nil {
		return fmt.Errorf("publish progress of edge %s: %w", edge, err)
	}
	return store.WriteFile(ctx, b, progressDir+"/"+edge+".json", append(data, '\n'))
}

// ReadProgress lists the progress of all edges, by name.
func ReadProgress(ctx context.Context, b store.Bucket) ([]Progress, error) {
	var all []Progress
	for e, err := range b.List(ctx, progressDir+"/") {
		if err != nil {
			return nil, fmt.Errorf("read progress of edges: %w", err)
		}
		if !strings.HasSuffix(e.Name, ".json") {
			continue
		}
		data, err := store.ReadFile(ctx, b, e.Name)
		if err != nil {
			return nil, fmt.Errorf("read progress of edges: %w", err)
		}
		var p Progress
		if err := json.Unmarshal(data, &p); err != nil || p.Format != 1 {
			return nil, fmt.Errorf("read progress %s: it is of no known form", e.Name)
		}
		all = append(all, p)
	}
	return all, nil
}

// Complete says whether every submission of a day is in the archive: no edge
// that publishes its progress is still inside the day or before it. Without any
// edge nothing is known to be missing, and the day is complete.
func Complete(day ping.Day, edges []Progress) bool {
	for _, p := range edges {
		if ping.DayOf(p.Watermark) <= day {
			return false
		}
	}
	return true
}

// Loads lists the names of the finished loads that begin with a prefix, sorted.
func Loads(ctx context.Context, b store.Bucket, prefix string) ([]string, error) {
	var names []string
	for e, err := range b.List(ctx, loadsDir+"/"+prefix) {
		if err != nil {
			return nil, fmt.Errorf("list loads: %w", err)
		}
		if name, ok := strings.CutSuffix(strings.TrimPrefix(e.Name, loadsDir+"/"), ".json"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}
