package intake

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// openLoad is what was decoded since the last commit.
type openLoad struct {
	writer   *archive.Writer
	loaded   Loaded
	forgets  *forgets
	seen     []ingest.Seen
	segments []spool.Segment
	damaged  map[uint64]bool // segments of them, by number
	bytes    int64
	classes  map[string]int // of errors
	buffer   []byte         // for segments
}

// begin opens the next load. What a killed process left of one is finished or
// dropped.
func (d *decodeLoop) begin(ctx context.Context) error {
	forgotten, err := newForgets(ctx, d.registry)
	if err != nil {
		return err
	}
	w, err := archive.NewWriter(ctx, d.archive, archive.Options{
		BufferBytes: d.o.Buffer, Owner: "spool-" + d.o.Edge, Requests: forgotten.set.Requests(),
	})
	if err != nil {
		return err
	}
	d.open = &openLoad{writer: w, forgets: forgotten, classes: map[string]int{}, damaged: map[uint64]bool{}}
	return nil
}

// takeAll decodes the sealed segments that were not yet, and says whether that
// is all of them.
func (d *decodeLoop) takeAll(ctx context.Context) (all bool, err error) {
	sealed, err := d.sealed()
	if err != nil {
		return false, err
	}
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
		if d.open.bytes >= d.o.ArchiveBytes || d.direct.rows() >= maxDirectRows {
			if err := d.commitTaken(ctx); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func (d *decodeLoop) take(ctx context.Context, g spool.Segment) error {
	r, err := spool.ReadSegment(g, d.open.buffer)
	if err != nil {
		return err
	}
	l := loader{
		writer: d.open.writer, decoder: d.decode, loaded: &d.open.loaded, forgets: d.open.forgets, limits: d.o.Decode,
		duplicates: d.duplicates.known(), seen: &d.open.seen, appended: d.appended,
	}
	src := &segmentSource{reader: r, now: d.o.Now().UnixNano()}
	if err := l.run(ctx, src, d.o.Workers); err != nil {
		return err
	}
	if len(src.damaged) > 0 {
		d.open.damaged[g.Number] = true
		d.o.Log.Error("a spool segment is damaged: acknowledged submissions are lost", "segment", g.Path,
			"records", r.Records(), "lost", lostText(r.Lost()), "places", len(src.damaged), "error", src.damaged[0])
	}
	d.open.segments = append(d.open.segments, g)
	d.open.bytes += g.Bytes
	d.last = g.Number
	return nil
}

// appended is called for every outcome in the archive.
func (d *decodeLoop) appended(o *outcome) error {
	if d.o.Decoded != nil {
		d.o.Decoded(o.class, o.meta.Namespace(), string(o.meta.Text(ping.DocTypeField)))
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
	// Before the progress: once that is past a request, the request is known here.
	if err := d.renew(ctx); err != nil {
		return err
	}
	if watermark > 0 {
		if err := archive.SetProgress(ctx, d.archive, d.o.Edge, watermark); err != nil {
			return err
		}
	}
	d.watermark = watermark
	d.direct.release(ping.DayOf(watermark))
	d.troubles.record(ctx, archive.TroubleDecode, nil)
	return nil
}

// commitTaken commits the open load, finishes the direct rows, and removes the
// segments.
func (d *decodeLoop) commitTaken(ctx context.Context) error {
	l := d.open
	if l.segments == nil {
		return nil
	}
	if err := d.publish(ctx); err != nil {
		return err
	}
	before, err := d.direct.states(ctx)
	if err != nil {
		return err
	}
	name := loadName(d.o.Edge, l.segments[0].Number, d.last)
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
	if err := d.direct.archived(ctx, before); err != nil {
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

// close commits the load, under the lock: a process that loads a file looks for
// its documents in the archive just before its commit.
func (d *decodeLoop) close(ctx context.Context, w *archive.Writer, name string) (archive.Summary, error) {
	lock, err := d.locks.WaitLock(ctx, site.CommitLock)
	if err != nil {
		return archive.Summary{}, err
	}
	defer lock.Close()
	return w.Close(ctx, name)
}

// loadName names the load of a range of segments.
func loadName(edge string, from, to uint64) string {
	return fmt.Sprintf("%s%016d-%016d", loadPrefix(edge), from, to)
}

func loadPrefix(edge string) string { return "spool." + edge + "." }

func (d *decodeLoop) log(l *openLoad) {
	args := []any{"submissions", l.loaded.Records, "pings", l.loaded.Pings, "duplicates", l.loaded.Duplicates, "forgotten", l.loaded.Forgotten}
	for _, class := range slices.Sorted(maps.Keys(l.classes)) {
		if class != classDuplicate {
			args = append(args, "errors."+class, l.classes[class])
		}
	}
	d.o.Log.Info("archived", append(args, "load", l.loaded.Load, "bytes", l.loaded.Bytes)...)
}
