package loader

import (
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

// decodeUntil decodes until the end, and returns errors after which it is of no use to
// try again.
func decodeUntil(ctx context.Context, s *site.Site, o DecodeOptions, decoder *ingest.Decoder, window time.Duration) error {
	o.Log.Info("decoding", "edge", o.Edge, "geo", decoder.GeoInfo().String(), "duplicateWindow", window.String())
	troubles := newTroubles(s.Archive, &o)
	preparer := etl.NewPreparer(live.Select(s.Tables, o.Prepared), s.Probes)
	rows, end := startLive(ctx, s, &o, preparer)
	defer end()
	var unsure map[ping.Day]bool
	stopped := 0 // failures since Stop
	failures := 0
	for {
		d := &decodeLoop{
			cursor: cursor{o: &o, archive: s.Archive},
			site:   s, locks: s.LockFiles, registry: s.Forgotten, direct: newDirect(s, s.Locks(), &o), live: rows, preparer: preparer,
			decoder: decoder, decode: decoder, window: window, troubles: troubles,
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
		if err == nil || ctx.Err() != nil {
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
				return fmt.Errorf("stopped while decoding fails: what is not decoded stays in the spool: %w", err)
			}
			wake, pause = nil, time.Duration(stopped)*time.Second
		}
		troubles.failed(ctx, err, pause)
		if clock.WaitOr(ctx, pause, wake) != nil {
			return nil
		}
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
