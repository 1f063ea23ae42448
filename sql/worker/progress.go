package worker

import (
	"time"

	"github.com/pingmill/pingmill/sql/query"
)

// progressEach is the interval between two progress frames.
const progressEach = 200 * time.Millisecond

func (s *session) progress(rows *query.Rows, done <-chan struct{}) {
	tick := time.NewTicker(progressEach)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if s.to.send(kindProgress, Progress{Percent: rows.Progress(), Read: s.usage.read() - s.began, Rows: rows.Given()}) != nil {
				return
			}
		}
	}
}
