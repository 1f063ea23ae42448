package loader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// openLoad holds the submissions decoded since the last commit.
type openLoad struct {
	writer   *archive.Writer
	loaded   Loaded
	forgets  *forgets
	seen     []ingest.Seen
	taken    []ingest.Seen // that others have committed, and which are in seen, too
	segments []spool.Segment
	damaged  map[uint64]bool // segments of them, by number
	bytes    int64
	classes  map[string]int // of errors
	buffer   []byte         // for segments
	began    uint64         // the number before the first segment
}

// begin opens the next load. What a killed process left of one is finished or
// dropped.
func (d *decodeLoop) begin(ctx context.Context) error {
	forgotten, err := newForgets(ctx, d.registry, d.o.Decode.Requests)
	if err != nil {
		return err
	}
	o := archive.Options{BufferBytes: d.o.Buffer, Owner: "spool-" + d.o.Edge, Requests: forgotten.set.Requests()}
	if d.preparer != nil {
		o.Prepared = d.preparer.Tables
	}
	d.committing(&o)
	w, err := archive.NewWriter(ctx, d.archive, o)
	if err != nil {
		return err
	}
	d.open = &openLoad{writer: w, forgets: forgotten, classes: map[string]int{}, damaged: map[uint64]bool{}, began: d.last}
	return nil
}

// takeAll decodes the sealed segments that were not decoded yet, and reports whether these are all.
func (d *decodeLoop) takeAll(ctx context.Context) (all bool, err error) {
	sealed, err := d.sealed()
	if err != nil {
		return false, err
	}
	if err := d.claimSpool(ctx, sealed); err != nil {
		return false, err
	}
	d.live.Busy(d.waiting(sealed) > liveBacklog)
	for _, g := range sealed {
		if g.Number <= d.last {
			continue
		}
		if d.o.Leave && isClosed(d.o.Stop) {
			return false, nil
		}
		if err := d.take(ctx, g); err != nil {
			return false, fmt.Errorf("decode spool segment %s: %w", g.Path, err)
		}
		if now := d.o.Now(); d.open.bytes >= d.o.ArchiveBytes || d.direct.rows() >= maxDirectRows || d.lacks(now) {
			d.committed = now
			if err := d.commitTaken(ctx); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func (d *decodeLoop) take(ctx context.Context, g spool.Segment) error {
	r, err := d.o.Spool.Read(g, d.open.buffer)
	if err != nil {
		return err
	}
	l := loader{
		writer: d.open.writer, decoder: d.decode, loaded: &d.open.loaded, forgets: d.open.forgets, limits: d.o.Decode,
		duplicates: d.duplicates.known(), seen: &d.open.seen, appended: d.appended, wants: d.direct.takes, preparer: d.preparer,
	}
	src := &segmentSource{reader: r, now: d.o.Now().UnixNano()}
	if err := l.run(ctx, src, d.o.Workers); err != nil {
		return err
	}
	if len(src.damaged) > 0 {
		d.open.damaged[g.Number] = true
		d.o.Log.Error("a spool segment is damaged: "+lossText(r.Lost()), "segment", g.Path,
			"records", r.Records(), "lost", lostText(r.Lost()), "places", len(src.damaged), "error", src.damaged[0])
	}
	d.open.segments = append(d.open.segments, g)
	d.open.bytes += g.Bytes
	d.passed(g)
	return nil
}

// appended is called for every outcome in the archive.
func (d *decodeLoop) appended(o *outcome) error {
	if d.o.Decoded != nil {
		d.o.Decoded(&o.meta, o.class, o.message)
	}
	if o.class == classForgotten {
		d.open.loaded.Forgotten++
		return nil
	}
	if o.class != "" {
		d.open.classes[o.class]++
		return nil
	}
	d.direct.add(&o.meta, o.body)
	d.live.Add(&o.meta, o.body, o.packed, o.prepared)
	return nil
}

// commit takes all that was acknowledged so far into the archive, and publishes
// that.
func (d *decodeLoop) commit(ctx context.Context) error {
	watermark, err := d.o.Spool.Watermark(ctx)
	if err != nil {
		return err
	}
	all, err := d.takeAll(ctx)
	if err != nil {
		return err
	}
	if err := d.commitTaken(ctx); err != nil || !all {
		return err
	}
	if err := d.catchUp(ctx); err != nil { // nothing is open
		return err
	}
	// Before the progress: once that is past a request, the request is known here.
	if err := d.renew(ctx); err != nil {
		return err
	}
	if err := d.progress(ctx, watermark); err != nil {
		return err
	}
	d.watermark = watermark
	d.direct.release(ping.DayOf(watermark))
	d.live.Release(ping.DayOf(watermark))
	d.sweepPrepared(ctx)
	d.troubles.record(ctx, edgestate.TroubleDecode, nil)
	return nil
}

// commitTaken commits the open load, finishes the direct rows, and removes the
// segments.
func (d *decodeLoop) commitTaken(ctx context.Context) error {
	again := retry.Loop{Policy: busy, What: "commit the submissions of edge " + d.o.Edge, Log: d.o.Log}
	for d.open.segments != nil {
		err := d.catchUp(ctx)
		if err == nil {
			err = d.commitOpen(ctx)
		}
		if !errors.Is(err, errTaken) {
			return err
		}
		if err := again.Again(ctx, err); err != nil {
			return err
		}
		if err := d.again(ctx); err != nil {
			return err
		}
	}
	return nil
}

// commitOpen commits the open load as it is, unless that is errTaken.
func (d *decodeLoop) commitOpen(ctx context.Context) (err error) {
	l := d.open
	if err := d.publish(ctx); err != nil {
		return err
	}
	name := loadName(d.o.Edge, l.from(), d.last)
	if err := d.duplicates.save(ctx, name, l.seen); err != nil {
		return err
	}
	if err := l.forgets.record(ctx, d.registry, name); err != nil {
		return err
	}
	if l.loaded.Summary, err = d.close(ctx, l.writer, name); err != nil {
		return err
	}
	d.log(l)
	d.commits++
	if n := d.duplicates.forgotten(); n > d.forgotten {
		d.o.Log.Warn("duplicates: more URIs in a window than may be remembered, so some will not be recognised", "forgotten", n-d.forgotten)
		d.forgotten = n
	}
	d.live.Archived(name)
	if err := d.direct.archived(ctx, name); err != nil {
		return err
	}
	if err := d.others.end(ctx); err != nil {
		return err
	}
	if err := d.duplicates.saved(ctx); err != nil {
		return err
	}
	for _, g := range l.segments {
		if err := d.done(g, l.damaged[g.Number]); err != nil {
			return err
		}
	}
	buffer := l.buffer
	if err := d.begin(ctx); err != nil {
		return err
	}
	d.open.buffer = buffer
	return nil
}

// close commits the load, in its turn or under the lock: a process that loads a file checks the archive for its
// documents just before its commit.
func (d *decodeLoop) close(ctx context.Context, w *archive.Writer, name string) (archive.Summary, error) {
	if err := d.direct.data.MayWrite(ctx); err != nil {
		return archive.Summary{}, err // what was taken stays in the spool
	}
	if d.others != nil {
		return w.Close(ctx, name)
	}
	lock, err := d.locks.WaitLock(ctx, site.CommitLock)
	if err != nil {
		return archive.Summary{}, err
	}
	defer lock.Close()
	return w.Close(ctx, name)
}

// loadName names the load of a range of segments.
func loadName(edge string, from, to uint64) string {
	return fmt.Sprintf("%s%016d-%016d", naming.EdgeLoads(edge), from, to)
}

func (d *decodeLoop) log(l *openLoad) {
	args := []any{"submissions", l.loaded.Records, "pings", l.loaded.Pings, "duplicates", l.loaded.Duplicates, "forgotten", l.loaded.Forgotten}
	for _, class := range slices.Sorted(maps.Keys(l.classes)) {
		if class != classDuplicate {
			args = append(args, "errors."+class, l.classes[class])
		}
	}
	d.o.Log.Info("archived", append(args, "load", l.loaded.Load, "bytes", l.loaded.Bytes)...)
}
