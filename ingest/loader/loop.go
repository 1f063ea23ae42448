package loader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// tick is the interval at which a decode loop checks for due work.
const tick = 200 * time.Millisecond

// stopTries is the number of failed attempts to decode after Stop; see also stopPatience.
const stopTries = 4

// Decode decodes a spool into the archive and the direct tables until the context ends or, after Stop,
// everything is decoded. Each submission is stored exactly once, even if processes are killed: decoded
// submissions are committed to the archive as one load, named after its segments, and segments are removed only
// after that. A failure, as of the disk, is logged and retried with growing pauses.
//
// Decode returns an error only for an unusable configuration, for another process that decodes for the same
// edge (claim.ErrLost if the spool is Shared), or ErrUndecoded.
func Decode(ctx context.Context, s *site.Site, o DecodeOptions) error {
	o.defaults()
	window := o.Decode.DuplicateWindow
	o.Decode.DuplicateWindow = 0 // found in order, after decoding on many cores
	decoder, err := ingest.New(o.Decode)
	if err != nil {
		return err
	}
	if _, shared := o.Spool.(Shared); shared {
		return decodeUntil(ctx, s, o, decoder, window)
	}
	for {
		err := decodeAs(ctx, s, o, decoder, window)
		var other *otherSpoolError
		if !errors.As(err, &other) {
			return err
		}
		o.Log.Error(other.Error())
		o.Edge = other.name
	}
}

// decodeAs decodes under the name of an edge.
func decodeAs(ctx context.Context, s *site.Site, o DecodeOptions, decoder *ingest.Decoder, window time.Duration) error {
	lock, err := s.LockDecoding(ctx, o.Edge)
	if err != nil && ctx.Err() != nil {
		return nil // it was ended before it began
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	ctx, explain, stop := lock.While(ctx)
	defer stop()
	if err := decodeUntil(ctx, s, o, decoder, window); err != nil {
		return err
	}
	return explainLoss(ctx, explain)
}

// explainLoss is an error if decoding ended because another server decodes for the edge.
func explainLoss(ctx context.Context, explain func(error) error) error {
	if err := explain(ctx.Err()); errors.Is(err, store.ErrLost) {
		return err
	}
	return nil
}

// decodeLoop decodes a spool from one state on disk until a failure. See the package comment for its states.
type decodeLoop struct {
	cursor
	timing

	site     *site.Site
	locks    site.LockFiles
	others   *others          // nil: no other server commits to the archive
	registry *forget.Registry // of clients to be forgotten
	decoder  *ingest.Decoder
	decode   decoder // the same, but in tests
	troubles *troubles
	failing  *failing
	window   time.Duration

	duplicates *memory
	direct     *direct
	live       *live.Rows
	preparer   *etl.Preparer
	unsure     map[ping.Day]bool // of the direct tables, if decoding failed before
	open       *openLoad

	stopping  bool // Stop was closed before the spool was read
	commits   int
	forgotten int64 // URIs that were logged as such
}

// loopState names the next step of a decode loop.
type loopState int

const (
	starting   loopState = iota // take the spool over, and read what is in the archive
	decoding                    // decode the sealed segments
	deciding                    // reload what has changed, and find out what is due
	committing                  // commit everything that was acknowledged so far, and publish it
	leaving                     // commit only what was decoded: another process continues
	publishing                  // make the rows of the direct tables visible
	waiting                     // for segments, Stop or the time
	ended
)

// run works until everything is done after Stop, or to the first failure.
func (d *decodeLoop) run(ctx context.Context) (progressed bool, err error) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for s := starting; s != ended; {
		if s, err = d.step(ctx, s, ticks.C); err != nil {
			return d.commits > 0, err
		}
	}
	return true, nil
}

// step does what a state says and returns the next state.
func (d *decodeLoop) step(ctx context.Context, s loopState, ticks <-chan time.Time) (next loopState, err error) {
	switch s {
	case starting:
		if err := d.start(ctx); err != nil {
			return s, fmt.Errorf("start: %w", err)
		}
		d.failing.reached()
		return decoding, nil
	case decoding:
		d.stopping = isClosed(d.o.Stop)
		_, err = d.takeAll(ctx)
		return deciding, err
	case deciding:
		return d.decide(ctx)
	case committing:
		if err := d.commit(ctx); err != nil || !d.stopping {
			return waiting, err
		}
		return waiting, d.publish(ctx) // what did not succeed
	case leaving:
		return waiting, d.commitTaken(ctx)
	case publishing:
		return waiting, d.publish(ctx)
	default: // waiting
		if d.stopping {
			return ended, nil
		}
		return decoding, d.wait(ctx, ticks)
	}
}

// decide reloads what has changed and returns the state for what is due.
func (d *decodeLoop) decide(ctx context.Context) (loopState, error) {
	now := d.o.Now()
	if due(now, d.reloaded, d.o.ReloadEvery) {
		d.reloaded = now
		d.reload()
		if err := d.commitForRequests(ctx); err != nil {
			return deciding, err
		}
	}
	if d.stopping && d.o.Leave {
		return leaving, nil
	}
	commit := d.stopping || d.commitDue(now)
	if !commit {
		var err error
		if commit, err = d.dayEnded(ctx, now); err != nil {
			return deciding, err
		}
	}
	switch {
	case commit:
		d.published, d.committed = now, now
		return committing, nil
	case due(now, d.published, d.o.PublishEvery):
		d.published = now
		return publishing, nil
	}
	return waiting, nil
}

// wait returns when there may be something to do.
func (d *decodeLoop) wait(ctx context.Context, ticks <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-d.o.Stop:
	case <-d.o.Spool.Changed():
	case <-ticks:
	}
	return nil
}

// publish makes the rows of the direct tables visible, as far as it can.
func (d *decodeLoop) publish(ctx context.Context) error {
	err := d.direct.publish(ctx, d.upTo())
	d.troubles.record(ctx, edgestate.TroublePublish, d.direct.failure())
	return err
}

// dayEnded reports whether a day has ended since the last commit, and no more of its submissions can follow.
func (d *decodeLoop) dayEnded(ctx context.Context, now time.Time) (bool, error) {
	last := ping.DayOf(d.watermark)
	if ping.DayOf(now.UnixNano()) == last || !due(now, d.requested, time.Second) {
		return false, nil
	}
	d.requested = now
	watermark, err := d.o.Spool.Watermark(ctx)
	return ping.DayOf(watermark) > last, err
}

// commitDue reports whether the last commit, with or without a load, was long ago, or the open load is large.
func (d *decodeLoop) commitDue(now time.Time) bool {
	return due(now, d.committed, d.o.ArchiveEvery) ||
		d.open.bytes >= d.o.ArchiveBytes || d.direct.rows() >= maxDirectRows ||
		d.lacks(now)
}

// maxDirectRows bounds the rows in memory and in an open file.
const maxDirectRows = 200_000

func (d *decodeLoop) reload() {
	changed, err := d.decoder.ReloadGeo()
	if err != nil {
		d.o.Log.Error("geo database: the last good one stays", "error", err)
	}
	if changed {
		d.o.Log.Info("geo database reloaded", "geo", d.decoder.GeoInfo().String())
	}
}

// sweepPrepared deletes prepared rows that nobody needs any more, at most once an hour. Most days drop theirs once their
// tables are published.
func (d *decodeLoop) sweepPrepared(ctx context.Context) {
	now := d.o.Now()
	if !due(now, d.swept, time.Hour) {
		return
	}
	d.swept = now
	if err := maintain.SweepPrepared(ctx, d.archive, ping.DayOf(now.Add(-preparedFor).UnixNano())); err != nil && ctx.Err() == nil {
		d.o.Log.Error("prepared rows that are no longer needed stay: it is tried again in an hour", "error", err)
	}
}

// preparedFor is the time after which the prepared rows of a day go, whether its tables were made or not.
const preparedFor = 3 * 24 * time.Hour

func (d *decodeLoop) upTo() string { return fmt.Sprintf("%016d", d.last) }

// days returns the days that the direct tables were adding to.
func (d *decodeLoop) days() map[ping.Day]bool {
	days := maps.Clone(d.unsure)
	if days == nil {
		days = map[ping.Day]bool{}
	}
	for _, t := range d.direct.tables {
		for day := range t.days {
			days[day] = true
		}
	}
	return days
}

// abort drops the load that is open.
func (d *decodeLoop) abort() {
	if d.open != nil {
		if err := d.open.writer.Abort(); err != nil && !errors.Is(err, context.Canceled) {
			d.o.Log.Error("drop an unfinished load", "error", err)
		}
	}
}
