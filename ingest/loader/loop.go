package loader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// tick is the interval at which a decode loop checks for due work.
const tick = 200 * time.Millisecond

// maxPause is the longest pause after a failure.
const maxPause = time.Minute

// stopTries is the number of failed attempts to decode after Stop: some 10 seconds.
const stopTries = 4

// Decode decodes a spool into the archive and the direct tables until the context ends or, after Stop,
// everything is decoded. Each submission is stored exactly once, even if processes are killed: decoded
// submissions are committed to the archive as one load, named after its segments, and segments are removed only
// after that. A failure, as of the disk, is logged and retried with growing pauses.
//
// Decode returns an error only for an unusable configuration, for another process that decodes for the same
// edge (claim.ErrLost if the spool is Shared), or for failures that continue after Stop; what is not decoded
// then remains in the spool.
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

// decodeLoop is the decoding of a spool from one state on disk until a failure.
type decodeLoop struct {
	site     *site.Site
	archive  store.Bucket
	locks    site.LockFiles
	others   *others          // nil: there are none
	registry *forget.Registry // of clients to be forgotten
	o        DecodeOptions
	decoder  *ingest.Decoder
	decode   decoder // the same, but in tests
	troubles *troubles
	window   time.Duration

	claim *claim.Claim   // nil where the spool is not Shared
	at    spool.Position // behind last

	last       uint64 // segment that was taken last
	claimed    bool   // the name of the edge is this spool's
	expired    bool   // loads may be gone because their time was over
	duplicates *memory
	direct     *direct
	live       *live.Rows
	unsure     map[ping.Day]bool // of the direct tables, when decoding failed before
	open       *openLoad

	published, reloaded, committed time.Time
	asked                          time.Time // for the watermark, after the end of a day
	watermark                      int64     // at the last commit
	commits                        int
	forgotten                      int64 // URIs that were logged as such
}

// run works until everything is done after Stop, or to the first failure.
func (d *decodeLoop) run(ctx context.Context) (progressed bool, err error) {
	if err := d.start(ctx); err != nil {
		return false, fmt.Errorf("start: %w", err)
	}
	due := time.NewTicker(tick)
	defer due.Stop()
	for {
		stopping := isClosed(d.o.Stop)
		if _, err := d.takeAll(ctx); err != nil {
			return d.commits > 0, err
		}
		if err := d.work(ctx, stopping); err != nil {
			return d.commits > 0, err
		}
		if stopping {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return d.commits > 0, ctx.Err()
		case <-d.o.Stop:
		case <-d.o.Spool.Changed():
		case <-due.C:
		}
	}
}

// work does what is due.
func (d *decodeLoop) work(ctx context.Context, stopping bool) error {
	now := d.o.Now()
	if now.Sub(d.reloaded) >= d.o.ReloadEvery || now.Before(d.reloaded) {
		d.reloaded = now
		d.reload()
		if err := d.commitForRequests(ctx); err != nil {
			return err
		}
	}
	if stopping && d.o.Leave {
		return d.commitTaken(ctx)
	}
	due := stopping || d.commitDue(now)
	if !due {
		var err error
		if due, err = d.dayEnded(ctx, now); err != nil {
			return err
		}
	}
	if due {
		d.published, d.committed = now, now
		if err := d.commit(ctx); err != nil || !stopping {
			return err
		}
		return d.publish(ctx) // what did not succeed
	}
	if now.Sub(d.published) >= d.o.PublishEvery || now.Before(d.published) {
		d.published = now
		return d.publish(ctx)
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
	if ping.DayOf(now.UnixNano()) == last || now.Sub(d.asked) < time.Second && !now.Before(d.asked) {
		return false, nil
	}
	d.asked = now
	watermark, err := d.o.Spool.Watermark(ctx)
	return ping.DayOf(watermark) > last, err
}

// commitDue reports whether the last commit, with or without a load, was long ago, or the open load is large.
func (d *decodeLoop) commitDue(now time.Time) bool {
	return now.Before(d.committed) || now.Sub(d.committed) >= d.o.ArchiveEvery ||
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
