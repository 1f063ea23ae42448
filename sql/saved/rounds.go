package saved

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/sql/queue"
)

// atOnce limits the schedules that run at the same time, also those of one owner. Most of them wait for a slot of the query tool.
var atOnce = queue.Options{Slots: 64, PerPerson: 4}

// rounds are the runs that a scheduler has begun. Each goes on by itself, however long another takes.
type rounds struct {
	s      *Scheduler
	places *queue.Queue
	failed func(error)
	work   sync.WaitGroup

	mu    sync.Mutex
	begun map[string]bool // by query
}

func (s *Scheduler) rounds(failed func(error)) *rounds {
	return &rounds{s: s, places: queue.New(atOnce), failed: failed, begun: map[string]bool{}}
}

// Run runs what is due every time that a round begins, until ctx ends.
func (s *Scheduler) Run(ctx context.Context, every time.Duration) error {
	r := s.rounds(func(err error) {
		if ctx.Err() == nil {
			s.Log.Error("run schedules", "err", err)
		}
	})
	defer r.work.Wait()
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		r.begin(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// Round runs what is due now, and waits for the end of all runs.
func (s *Scheduler) Round(ctx context.Context) error {
	var mu sync.Mutex
	var all []error
	r := s.rounds(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, err)
	})
	r.begin(ctx)
	r.work.Wait()
	return errors.Join(all...)
}

// begin begins to run what is due and does not run yet.
func (r *rounds) begin(ctx context.Context) {
	due, err := r.s.Store.waiting(ctx)
	if err != nil {
		r.failed(err)
	}
	for _, w := range due {
		if !r.mark(w.query) {
			continue
		}
		r.work.Go(func() {
			defer r.unmark(w.query)
			release, err := r.places.Acquire(ctx, w.owner, nil)
			if err != nil {
				return // ctx ended
			}
			defer release()
			if err := panics.Try(func() error { return r.s.one(ctx, w.query) }); err != nil {
				r.failed(fmt.Errorf("schedule of %s: %w", w.query, err))
			}
		})
	}
}

// mark notes that a schedule runs; false if it was noted before.
func (r *rounds) mark(query string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun[query] {
		return false
	}
	r.begun[query] = true
	return true
}

func (r *rounds) unmark(query string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.begun, query)
}
