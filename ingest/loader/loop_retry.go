package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// pauses are the pauses after failures in a row.
var pauses = retry.Policy{First: time.Second, Max: time.Minute}

// ErrUndecoded means that decoding kept failing after Stop, as without the archive. Nothing is lost: the next start goes on.
var ErrUndecoded = errors.New("stopped while decoding fails: what is not decoded stays in the spool")

// decodeUntil decodes until the end, and returns errors after which it is of no use to
// try again.
func decodeUntil(ctx context.Context, s *site.Site, o DecodeOptions, decoder *ingest.Decoder, window time.Duration) error {
	o.Log.Info("decoding", "edge", o.Edge, "geo", decoder.GeoInfo().String(), "duplicateWindow", window.String())
	ctx, failing, release := newFailing(ctx, o.Stop)
	defer release()
	troubles := newTroubles(s.Archive, &o)
	prepared := live.Options{Tables: o.Prepared}
	preparer := etl.NewPreparer(prepared.Select(s.Tables), s.Probes)
	rows, end := startLive(ctx, s, &o, preparer)
	defer end()
	var unsure map[ping.Day]bool
	stopped := 0 // failures since Stop
	failures := 0
	for {
		d := &decodeLoop{
			cursor: cursor{o: &o, archive: s.Archive},
			site:   s, locks: s.LockFiles, registry: s.Forgotten, direct: newDirect(s, s.Locks(), &o), live: rows, preparer: preparer,
			decoder: decoder, decode: decoder, window: window, troubles: troubles, failing: failing,
		}
		if o.decode != nil {
			d.decode = o.decode(decoder)
		}
		d.unsure = unsure
		var progressed bool
		err := panics.Try(func() (err error) {
			progressed, err = d.run(ctx)
			return err
		})
		d.abort()
		unsure = d.days()
		switch {
		case err == nil:
			return nil
		case failing.ended(ctx):
			return fmt.Errorf("%w: %w", ErrUndecoded, cmp.Or(failing.cause(), err))
		case ctx.Err() != nil:
			return nil
		}
		var other *otherSpoolError
		if errors.Is(err, claim.ErrLost) || errors.As(err, &other) {
			return err
		}
		if failures++; progressed {
			failures, stopped = 1, 0
		}
		pause := pauses.Pause(failures)
		wake := o.Stop
		if isClosed(o.Stop) {
			if stopped++; stopped == stopTries {
				failing.end()
				return fmt.Errorf("%w: %w", ErrUndecoded, err)
			}
			wake, pause = nil, time.Duration(stopped)*time.Second
		}
		failing.failed(err)
		troubles.failed(ctx, err, pause)
		_ = clock.WaitOr(ctx, pause, wake) // the next attempt sees its end
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
