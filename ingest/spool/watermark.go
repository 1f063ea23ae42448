package spool

import (
	"context"
	"time"
)

// Watermark seals the active segment if it has records and returns a timestamp
// about now: every record appended later is above it, also after a crash or
// with a clock that was set back, and every earlier one is in a sealed segment.
func (s *Spool) Watermark(ctx context.Context) (int64, error) {
	var watermark int64
	err := s.do(ctx, func() (err error) {
		watermark, err = s.advance()
		return s.classify(err)
	})
	if err != nil {
		return 0, err
	}
	return watermark, nil
}

// advance seals the active segment and makes now the watermark.
func (w *writer) advance() (watermark int64, err error) {
	if err := w.sealActive(); err != nil {
		return 0, err
	}
	watermark = w.present()
	return watermark, w.floor.raise(mark{last: watermark, number: w.number, watermark: watermark})
}

// publishWatermark writes the watermark into the floor file from time to time,
// and always soon after midnight UTC: readers in other processes find it there.
func (s *Spool) publishWatermark() {
	now := s.o.Now().UTC()
	newDay := now.Truncate(day) != s.published.Truncate(day)
	if waited := now.Sub(s.published); !newDay && waited >= 0 && waited < s.o.SegmentAge {
		return
	}
	var err error
	if newDay || s.active == nil {
		_, err = s.advance()
	} else {
		err = s.floor.raise(mark{watermark: s.watermark.Load()})
	}
	if err != nil {
		s.o.Log.Error("write down how far segments are sealed", "err", err)
		return
	}
	s.published = now
}

const day = 24 * time.Hour

// Seal seals the active segment now if it has records.
func (s *Spool) Seal(ctx context.Context) error {
	return s.do(ctx, func() error {
		if err := s.sealActive(); err != nil {
			return s.classify(err)
		}
		return nil
	})
}

// do lets the committer run f between two commits.
func (s *Spool) do(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	result := make(chan error, 1)
	select {
	case s.commands <- func() { result <- f() }:
	case <-s.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
