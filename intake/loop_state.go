package intake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// start brings memory and spool to the state of the archive: which segments are
// in it, and which submissions came within the window of duplicates.
func (d *decodeLoop) start(ctx context.Context) (err error) {
	if err = d.begin(ctx); err != nil {
		return err
	}
	loads, err := archive.Loads(ctx, d.archive, loadPrefix(d.o.Edge))
	if err != nil {
		return err
	}
	if d.last, err = lastSegment(loads); err != nil {
		return err
	}
	if d.last == 0 {
		if d.expired, err = anyExpired(ctx, d.archive); err != nil {
			return err
		}
	}
	if err := d.removeDecoded(); err != nil {
		return err
	}
	if d.duplicates, err = openMemory(ctx, d.archive, d.o.Edge, d.window, d.o.Decode.MaxURIs, loads, d.o.Now()); err != nil {
		return err
	}
	return d.lookBack(ctx)
}

// anyExpired says whether any day of the archive was removed because its time was
// over, and the records of its loads with it.
func anyExpired(ctx context.Context, b store.Bucket) (bool, error) {
	for _, k := range []archive.Kind{archive.KindPings, archive.KindErrors} {
		days, err := archive.ExpiredDays(ctx, b, k)
		if err != nil || len(days) > 0 {
			return true, err
		}
	}
	return false, nil
}

// lookBack makes sure that the direct tables get the rows of pings that came into
// the archive when decoding was ended.
func (d *decodeLoop) lookBack(ctx context.Context) error {
	edges, err := archive.ReadProgress(ctx, d.archive)
	if err != nil {
		return err
	}
	since := ping.DayOf(d.o.Now().UnixNano())
	for _, e := range edges {
		if e.Edge == d.o.Edge {
			since = ping.DayOf(e.Watermark)
		}
	}
	days, err := d.direct.unfinished(ctx, since)
	if err != nil {
		d.o.Log.Error("look for days of the direct tables that lack rows: the schedule finds them", "error", err)
		return ctx.Err()
	}
	maps.Copy(days, d.unsure)
	d.direct.look(days)
	return nil
}

// LastSegment is the number of the last segment of an edge's spool that is in
// the archive, 0 if there is none. Segments of a new spool must have higher ones.
func LastSegment(ctx context.Context, b store.Bucket, edge string) (uint64, error) {
	loads, err := archive.Loads(ctx, b, loadPrefix(edge))
	if err != nil {
		return 0, err
	}
	return lastSegment(loads)
}

// lastSegment reads the last segment of an edge's loads from their names.
func lastSegment(loads []string) (uint64, error) {
	if len(loads) == 0 {
		return 0, nil
	}
	load := loads[len(loads)-1]
	n, err := strconv.ParseUint(load[strings.LastIndexByte(load, '-')+1:], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("load %s names no segment", load)
	}
	return n, nil
}

// seenDir holds what the duplicate check of an edge remembers: an object for
// each load, with the submissions that the load has for the first time.
const seenDir = "seen/v1"

// memory is the duplicate check and what of it is on disk.
type memory struct {
	bucket     store.Bucket
	edge       string
	window     time.Duration
	duplicates *ingest.Duplicates
	files      []seenFile // oldest first
}

type seenFile struct {
	name   string
	newest int64 // ns since epoch
}

// openMemory reads what committed loads remember, and removes what is of none
// or too old.
func openMemory(ctx context.Context, b store.Bucket, edge string, window time.Duration, most int, loads []string, now time.Time) (*memory, error) {
	m := &memory{bucket: b, edge: edge, window: window}
	if window == 0 {
		return m, nil
	}
	m.duplicates = ingest.NewDuplicates(window, most)
	committed := map[string]bool{}
	for _, l := range loads {
		committed[l] = true
	}
	var names []string
	for e, err := range b.List(ctx, seenDir+"/"+loadPrefix(edge)) {
		if err != nil {
			return nil, fmt.Errorf("read what was seen: %w", err)
		}
		names = append(names, e.Name)
	}
	for _, name := range names {
		if !committed[strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".seen")] {
			if err := b.Delete(ctx, name); err != nil {
				return nil, err
			}
			continue
		}
		if err := m.read(ctx, name); err != nil {
			return nil, err
		}
	}
	return m, m.expire(ctx, now)
}

func (m *memory) read(ctx context.Context, name string) error {
	data, err := store.ReadFile(ctx, m.bucket, name)
	if err != nil {
		return err
	}
	f := seenFile{name: name}
	err = ingest.ReadSeen(data, func(s ingest.Seen) {
		m.duplicates.Add(s)
		f.newest = max(f.newest, s.At)
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	m.files = append(m.files, f)
	return nil
}

// known is the check, nil when there is none.
func (m *memory) known() *ingest.Duplicates { return m.duplicates }

// forgotten is how many URIs were forgotten too early.
func (m *memory) forgotten() int64 {
	if m.duplicates == nil {
		return 0
	}
	return m.duplicates.Forgotten()
}

// save keeps what a load has seen, before the load is committed.
func (m *memory) save(ctx context.Context, load string, seen []ingest.Seen) error {
	if m.duplicates == nil || len(seen) == 0 {
		return nil
	}
	f := seenFile{name: seenDir + "/" + load + ".seen"}
	for _, s := range seen {
		f.newest = max(f.newest, s.At)
	}
	if err := store.WriteFile(ctx, m.bucket, f.name, ingest.AppendSeen(nil, seen)); err != nil {
		return fmt.Errorf("keep what was seen: %w", err)
	}
	m.files = append(m.files, f)
	return m.expire(ctx, time.Unix(0, f.newest))
}

// expire removes what is older than the window.
func (m *memory) expire(ctx context.Context, now time.Time) error {
	for len(m.files) > 0 && m.files[0].newest < now.Add(-2*m.window).UnixNano() {
		if err := m.bucket.Delete(ctx, m.files[0].name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		m.files = m.files[1:]
	}
	return nil
}
