package loader

import (
	"context"
	"sync"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site"
)

// liveBacklog is the number of waiting bytes from which on decoding is behind, and live rows leave the
// processor to it.
const liveBacklog = 256 << 20

// liveCommit is the time after the last commit at which missing live rows cause the next one. Rows are missing when the machine is too
// slow: every 10 s a commit, which takes 86 requests of a bucket, made that worse.
const liveCommit = time.Minute

// startLive starts publishing live rows. end publishes the remaining ones.
func startLive(ctx context.Context, s *site.Site, o *DecodeOptions, p *etl.Preparer) (rows *live.Rows, end func()) {
	l := o.Live
	l.Edge, l.Now, l.Log, l.Published, l.Preparer = o.Edge, o.Now, o.Log, o.Published, p
	if _, shared := o.Spool.(Shared); !shared { // other partitions are decoded, too
		l.Alone = func(ctx context.Context) (bool, error) { return s.DecodesAlone(ctx, o.Edge) }
	}
	if rows = live.New(s, l); rows == nil {
		return nil, func() {}
	}
	stop := make(chan struct{})
	var run sync.WaitGroup
	run.Go(func() { rows.Run(ctx, stop) })
	return rows, func() {
		close(stop)
		run.Wait()
	}
}

// lacks reports whether a commit is due because rows are missing that could not be made in time.
func (d *decodeLoop) lacks(now time.Time) bool {
	return d.live.Lacks() && now.Sub(d.committed) >= liveCommit
}

// waiting returns the number of bytes to be decoded.
func (c *cursor) waiting(sealed []spool.Segment) (n int64) {
	for _, g := range sealed {
		if g.Number > c.last {
			n += g.Bytes
		}
	}
	return n
}
