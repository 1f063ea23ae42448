package iceberg

import (
	"maps"
	"sync"
	"time"
)

// Count sums up the work for a table since the follower was opened.
type Count struct {
	Commits, Failures int64
	Bytes             int64 // of metadata
	Expired           int64 // snapshots
	Took              time.Duration
}

// counts holds the counts of all tables.
type counts struct {
	mu  sync.Mutex
	all map[string]Count
}

func (c *counts) count(table string, r *Result, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]Count{}
	}
	n := c.all[table]
	if r.Err != nil {
		n.Failures++
	}
	if r.Committed() {
		n.Commits++
	}
	n.Bytes += r.Bytes
	n.Expired += int64(r.Expired)
	n.Took += took
	c.all[table] = n
}

// Counts returns the work since the follower was opened, by table.
func (f *Follower) Counts() map[string]Count {
	f.counts.mu.Lock()
	defer f.counts.mu.Unlock()
	return maps.Clone(f.counts.all)
}
