package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
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
	if err := d.takeOver(ctx); err != nil {
		return err
	}
	if err = d.begin(ctx); err != nil {
		return err
	}
	loads, err := archive.Loads(ctx, d.archive, loadPrefix(d.o.Edge))
	if err != nil {
		return err
	}
	if err := d.resume(ctx, loads); err != nil {
		return err
	}
	d.live.Begin(last(loads))
	d.duplicates = &memory{bucket: d.archive, edge: d.o.Edge, window: d.window, claimed: d.claim != nil}
	if err = d.duplicates.open(ctx, d.others, d.o.Decode.MaxURIs, loads, d.o.Now()); err != nil {
		return err
	}
	if d.others != nil {
		d.others.behind = d.catchUp
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

// last is the newest of an edge's loads, "" if there are none.
func last(loads []string) string {
	if len(loads) == 0 {
		return ""
	}
	return loads[len(loads)-1]
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

func seenName(load string) string { return seenDir + "/" + load + ".seen" }

// memory is the duplicate check and what of it is on disk.
type memory struct {
	bucket     store.Bucket
	edge       string
	window     time.Duration
	shared     bool // other edges have theirs, too
	claimed    bool // another process may be about to commit a load of this edge
	duplicates *ingest.Duplicates
	files      []seenFile // oldest first
	newest     int64      // submission of the load that was saved last
	awaited    int64      // where servers share the archive: time up to which all edges are decoded
	looked     int64      // when that was found out
}

type seenFile struct {
	name   string
	newest int64 // ns since epoch
}

// open reads what committed loads remember, those of other edges, too, if there are
// any, and removes what is of no load of this edge, or too old.
func (m *memory) open(ctx context.Context, o *others, most int, loads []string, now time.Time) error {
	committed := map[string]bool{}
	for _, l := range loads {
		committed[l] = true
	}
	of := loadPrefix(m.edge)
	if o != nil {
		m.shared, of = true, spoolLoads
		news, err := o.log.News(ctx)
		if err != nil {
			return err
		}
		for _, e := range news {
			committed[e.Load] = true
		}
	}
	if m.window == 0 {
		return nil
	}
	m.duplicates = ingest.NewDuplicates(m.window, most)
	if m.shared {
		m.duplicates.AnyOrder()
	}
	var names []string
	for e, err := range m.bucket.List(ctx, seenDir+"/"+of) {
		if err != nil {
			return fmt.Errorf("read what was seen: %w", err)
		}
		names = append(names, e.Name)
	}
	for _, name := range names {
		if err := m.readIf(ctx, name, committed); err != nil {
			return err
		}
	}
	slices.SortStableFunc(m.files, func(a, b seenFile) int { return cmp.Compare(a.newest, b.newest) })
	return m.expire(ctx, now)
}

// readIf reads what a load remembers if that was committed, as far as it is known, and
// removes it if it was one of this edge that was not.
func (m *memory) readIf(ctx context.Context, name string, committed map[string]bool) error {
	load := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".seen")
	own := strings.HasPrefix(load, loadPrefix(m.edge))
	is := committed[load]
	if !is && !own { // from before servers had an order
		var err error
		if _, is, err = archive.Loaded(ctx, m.bucket, load); err != nil {
			return err
		}
	}
	switch {
	case is, own && m.claimed: // what is of no load yet stays until it is too old
		return m.read(ctx, name, is)
	case own:
		return m.bucket.Delete(ctx, name)
	}
	return nil
}

// read reads an object, and remembers what it has if it is of a load that is known.
func (m *memory) read(ctx context.Context, name string, known bool) error {
	data, err := store.ReadFile(ctx, m.bucket, name)
	if err != nil {
		return err
	}
	f := seenFile{name: name}
	err = ingest.ReadSeen(data, func(s ingest.Seen) {
		if known {
			m.duplicates.Add(s)
		}
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
	f := seenFile{name: seenName(load)}
	for _, s := range seen {
		f.newest = max(f.newest, s.At)
	}
	if err := store.WriteFile(ctx, m.bucket, f.name, ingest.AppendSeen(nil, seen)); err != nil {
		return fmt.Errorf("keep what was seen: %w", err)
	}
	m.files = append(m.files, f)
	m.newest = f.newest
	return nil
}

// saved forgets what is too old beside the load that was saved last, and is committed.
func (m *memory) saved(ctx context.Context) error {
	if m.newest == 0 {
		return nil
	}
	if m.shared {
		m.duplicates.ForgetBefore(m.newest - int64(m.window) - int64(m.window)/8)
	}
	return m.expire(ctx, time.Unix(0, m.newest))
}

// expire removes what is older than the window. Where there are other edges, what one
// needs that is behind, or silent, stays.
func (m *memory) expire(ctx context.Context, now time.Time) error {
	before := now.Add(-2 * m.window).UnixNano()
	if m.shared && len(m.files) > 0 && m.files[0].newest < before {
		if err := m.await(ctx, now.UnixNano()); err != nil {
			return err
		}
		before = min(before, m.awaited-int64(m.window))
	}
	for len(m.files) > 0 && m.files[0].newest < before {
		if err := m.bucket.Delete(ctx, m.files[0].name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		m.files = m.files[1:]
	}
	return nil
}

// await finds out up to when all edges are decoded, once an hour.
func (m *memory) await(ctx context.Context, now int64) error {
	if m.looked != 0 && now-m.looked < int64(time.Hour) {
		return nil
	}
	edges, err := archive.ReadProgress(ctx, m.bucket)
	if err != nil {
		return err
	}
	m.looked, m.awaited = now, now
	for _, e := range edges {
		m.awaited = min(m.awaited, e.Watermark)
	}
	return nil
}
