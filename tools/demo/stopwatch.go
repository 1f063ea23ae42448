package demo

import (
	"time"

	"github.com/pingmill/pingmill/etl/job"
)

// stopwatch adds up the time of the tasks by table.
type stopwatch map[string]map[job.Task]time.Duration

func (s stopwatch) event(e job.Event) {
	if s[e.Unit.Table] == nil {
		s[e.Unit.Table] = map[job.Task]time.Duration{}
	}
	at := time.Duration(e.Time.UnixNano())
	switch e.Kind {
	case job.TaskStarted:
		s[e.Unit.Table][e.Task] -= at
	case job.TaskEnded:
		s[e.Unit.Table][e.Task] += at
	}
}

func (s stopwatch) table(name string) (sum time.Duration) {
	for _, d := range s[name] {
		sum += d
	}
	return sum
}
