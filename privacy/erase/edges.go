package erase

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/privacy/forget"
)

// runningEdges are the edges that are being decoded for, and up to when their
// submissions are in the archive. What was taken before a request is committed
// once that is past the request.
type runningEdges map[string]time.Time

// running finds the edges that this or another process decodes for. If servers share a lake, processes of other
// machines cannot be checked, so all count.
func (c *removal) running(ctx context.Context) (runningEdges, error) {
	edges, err := edgestate.ReadProgress(ctx, c.data.Archive)
	if err != nil {
		return nil, err
	}
	all := runningEdges{}
	for _, e := range edges {
		if c.data.Sharing != nil || c.lockFiles.Decodes(e.Edge) {
			all[e.Edge] = time.Unix(0, e.Watermark).UTC()
		}
	}
	return all, nil
}

// unaware names the edges that may hold rows from before a request.
func (r runningEdges) unaware(request time.Time) (why []string) {
	for _, edge := range slices.Sorted(maps.Keys(r)) {
		if r[edge].Before(request) {
			why = append(why, fmt.Sprintf("edge %s has committed nothing since %s", edge, r[edge].Format(time.RFC3339)))
		}
	}
	return why
}

// awaitSeconds limits the time that a cycle waits for running edges. They check for requests twice a minute, see those of
// other servers after another minute, and commit their pending submissions if they find some.
const awaitSeconds = 180

// awaitEdges waits until running edges have committed what they took before the
// requests, so that one cycle finds it all; but not for ever.
func (c *removal) awaitEdges(ctx context.Context, pending []*forget.Request) error {
	for i := range awaitSeconds {
		edges, err := c.running(ctx)
		if err != nil {
			return err
		}
		var unaware []string
		for _, q := range pending {
			unaware = append(unaware, edges.unaware(q.Time)...)
		}
		if len(unaware) == 0 {
			return nil
		}
		if i == 0 {
			c.o.Log.Info("waiting for running edges to commit what they took before the requests", "edges",
				slices.Compact(slices.Sorted(slices.Values(unaware))))
		}
		if err := c.o.Wait(ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}
