package send

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pingmill/pingmill/tools/generate"
)

// lateness is the delay behind the schedule up to which sending catches up. Beyond it the schedule restarts, so that a
// server that was stopped gets no burst of all missed submissions.
const lateness = time.Second

// sender carries submissions from the generator to the edge.
type sender struct {
	Options
	tally
	stop context.CancelCauseFunc
}

// run hands the submissions to as many goroutines as may be on their way.
func (s *sender) run(ctx context.Context, g *generate.Generator) {
	free, work := make(chan *job, s.Concurrency), make(chan *job)
	var workers sync.WaitGroup
	for range s.Concurrency {
		free <- &job{body: &body{}}
		workers.Go(func() {
			for j := range work {
				s.send(ctx, j)
				free <- j
			}
		})
	}
	s.feed(ctx, g, free, work)
	close(work)
	workers.Wait()
}

// feed takes submissions from the generator, each when it is due.
func (s *sender) feed(ctx context.Context, g *generate.Generator, free <-chan *job, work chan<- *job) {
	due := s.start
	n := int64(0)
	for sub := range g.Submissions() {
		if n++; s.Limit > 0 && n > s.Skip+s.Limit || ctx.Err() != nil {
			return
		}
		if n <= s.Skip {
			continue
		}
		var start time.Time
		if s.Rate > 0 {
			due = s.await(ctx, due).Add(time.Duration(float64(time.Second) / s.Rate))
			start = s.Now()
		}
		select {
		case <-ctx.Done():
			return
		case j := <-free:
			j.take(sub, s.To)
			j.start = start
			s.add(&s.stats.Submissions)
			work <- j
		}
	}
}

// await waits until a submission is due. It returns due, or the current time if that is later than due by more than
// lateness.
func (s *sender) await(ctx context.Context, due time.Time) time.Time {
	switch wait := due.Sub(s.Now()); {
	case wait > 0:
		_ = s.Wait(ctx, wait) // the caller asks the context
	case wait < -lateness:
		return s.Now()
	}
	return due
}

// send sends a submission until it has a final response, is given up, or the
// context ends.
func (s *sender) send(ctx context.Context, j *job) {
	defer j.end()
	for try := 0; ; try++ {
		start := j.start
		if try > 0 || start.IsZero() {
			start = s.Now()
		}
		a := s.try(ctx, j)
		if a.err != nil && ctx.Err() != nil {
			return // cut off: it counts as no try
		}
		s.count(j, &a, s.Now().Sub(start))
		switch {
		case a.status == 200:
			s.acknowledged(j)
			return
		case !a.again():
			s.end(&s.stats.Refused)
			return
		case s.Retries >= 0 && try >= s.Retries:
			s.end(&s.stats.GivenUp)
			return
		}
		if s.Wait(ctx, s.pause(try, a.retryAfter)) != nil {
			return
		}
		s.add(&s.stats.Retries)
	}
}

// acknowledged keeps the account of a submission.
func (s *sender) acknowledged(j *job) {
	id := DocumentID(j.uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == nil {
		s.stats.Nameless++
	} else if isRequest(j.uri) {
		s.stats.Requests++
	} else if err := s.record(id); err != nil {
		s.stop(err)
	}
	s.stats.Acknowledged++
	s.progress()
}

// record writes an id to the journal before it counts it.
func (s *sender) record(id []byte) error {
	if s.Journal != nil {
		s.line = append(append(s.line[:0], id...), '\n')
		if _, err := s.Journal.Write(s.line); err != nil {
			return fmt.Errorf("keep acknowledged id %s: %w", id, err)
		}
	}
	if s.IDs != nil {
		s.IDs.Add(id)
	}
	return nil
}

// end counts a submission that ends without an acknowledgement.
func (s *sender) end(as *int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*as++
	s.progress()
}

// progress reports a submission that ended; s.mu is held.
func (s *sender) progress() {
	if s.Progress != nil {
		s.Progress(s.stats)
	}
}
