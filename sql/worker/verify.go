package worker

import (
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/lake/fetch"
)

// verify calls Request.Verify for the scans of the plan and reports how many bytes come from a bucket meanwhile.
func (c *call) verify() error {
	var fetched atomic.Int64
	ctx := fetch.WithObserver(c.ctx, func(n int64) { fetched.Add(n) })
	done := make(chan error, 1)
	go func() {
		done <- func() (err error) {
			defer panics.Recover(&err)
			return c.q.Verify(ctx, c.s.Plan.Scans)
		}()
	}()
	tick := time.NewTicker(progressEach)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			c.s.Fetched = fetched.Load()
			return err
		case <-tick.C:
			if n := fetched.Load(); n > c.s.Fetched {
				c.s.Fetched = n
				c.observe(Progress{Percent: -1, Fetched: n})
			}
		}
	}
}
