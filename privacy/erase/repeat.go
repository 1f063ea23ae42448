package erase

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// Timing defines when rows are removed.
type Timing struct {
	Every    time.Duration   // between the beginnings of two cycles; 0: never by the service
	Deadline forget.Deadline // of a request; 0: none
}

// urgently is the longest time between the beginnings of two cycles while a deadline is near.
const urgently = 24 * time.Hour

// Due reports whether rows must be removed now: there are requests and the last cycle began long enough ago,
// or a cycle was interrupted.
func Due(ctx context.Context, s *site.Site, t Timing, now time.Time) (bool, error) {
	ctx = store.Polling(ctx)
	running, err := s.Forgotten.Running(ctx)
	if err != nil || running != nil {
		return running != nil, err
	}
	pending, err := s.Forgotten.Pending(ctx)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	every := t.Every
	if t.Deadline.Used(forget.Oldest(pending), now) >= forget.Urgent {
		every = min(every, urgently) // a request that an earlier cycle could not finish does not wait as long again
	}
	cycles, err := s.Forgotten.Cycles(ctx)
	return len(cycles) == 0 || now.Sub(cycles[len(cycles)-1].Began) >= every, err
}

// pauses are the pauses after failures in a row; the first is also the interval between checks for due removals.
var pauses = retry.Policy{First: time.Minute, Max: time.Hour}

// errUnknown means that the lake has tables that the installation does not know.
var errUnknown = errors.New("tables are not known")

// standstill is a removal that could not end because of unknown tables. Another one would read all files again for
// nothing until the tables or the requests are others.
type standstill struct {
	state string
	err   error
}

func (l *standstill) run(ctx context.Context, s *site.Site, remove func() error) error {
	unknown, err := s.Unknown(ctx)
	if err != nil {
		return err
	}
	pending, err := s.Forgotten.Pending(ctx)
	if err != nil {
		return err
	}
	state := strings.Join(unknown, " ")
	for _, q := range pending {
		state += "\n" + q.Name
	}
	if l.err != nil && l.state == state {
		return l.err
	}
	if err = remove(); errors.Is(err, errUnknown) {
		l.state, l.err = state, err
	} else {
		l.err = nil
	}
	return err
}

// Repeat removes rows when it is due until the context ends, and looks
// every so often for loads that were committed late. A failure is logged and
// tried again with longer and longer pauses.
func Repeat(ctx context.Context, s *site.Site, t Timing, o Options) error {
	var looked time.Time
	var last standstill
	o.Timing = t
	for pause, failures := pauses.First, 0; ctx.Err() == nil; _ = o.Wait(ctx, pause) {
		waits := false
		due, err := Due(ctx, s, t, o.Now())
		if err == nil && (due || o.Now().Sub(looked) >= t.Every) {
			err = last.run(ctx, s, func() error {
				return panics.Try(func() error {
					r, err := Run(ctx, s, o)
					waits = r.Cycle != nil && r.Ended.IsZero()
					return err
				})
			})
			if err == nil {
				looked = o.Now()
			}
		}
		switch {
		case ctx.Err() != nil:
		case waits && err == nil:
			failures++
			pause = pauses.Pause(failures)
		case err == nil:
			pause, failures = pauses.First, 0
		case errors.Is(err, store.ErrHeld), errors.Is(err, site.ErrLocked):
			pause, failures = pauses.First, 0
			o.Log.Info("deletion requests: somebody else is at it", "reason", err)
		default:
			failures++
			pause = pauses.Pause(failures + 1)
			o.Log.Error("deletion requests: it is tried again", "error", panics.Report(err), "pause", pause)
		}
	}
	return nil
}
