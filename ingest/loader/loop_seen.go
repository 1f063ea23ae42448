package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/order"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/store"
)

// memory is the duplicate check and what of it is on disk.
type memory struct {
	log        *slog.Logger
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

// open reads the duplicates' memory of committed loads, also of other edges if servers share the archive, and removes objects
// that are too old or belong to no load of this edge. news is what the order of commits has.
func (m *memory) open(ctx context.Context, shared bool, news []order.Entry, most int, loads []string, now time.Time) error {
	committed := map[string]bool{}
	for _, l := range loads {
		committed[l] = true
	}
	prefix := naming.EdgeLoads(m.edge)
	if shared {
		m.shared, prefix = true, naming.FromSpool
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
	for e, err := range m.bucket.List(ctx, naming.Seen+"/"+prefix) {
		if err != nil {
			return fmt.Errorf("read what was seen: %w", err)
		}
		names = append(names, e.Name)
	}
	for _, e := range news {
		name := naming.SeenBy(e.Load)
		if strings.HasPrefix(e.Load, prefix) && now.Sub(time.Unix(0, e.At)) < listingAge && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		err := m.readIf(ctx, name, committed)
		if errors.Is(err, fs.ErrNotExist) { // it was removed, or there was nothing to remember
			continue
		}
		if errors.Is(err, ingest.ErrSeen) {
			m.damaged(name, err, now)
			continue
		}
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(m.files, func(a, b seenFile) int { return cmp.Compare(a.newest, b.newest) })
	return m.expire(ctx, now)
}

// listingAge is the greatest age of a listing: objects of loads that were committed since are looked for by their names.
const listingAge = time.Hour

// readIf reads what a load remembers if that was committed, as far as it is known, and
// removes it if it was one of this edge that was not.
func (m *memory) readIf(ctx context.Context, name string, committed map[string]bool) error {
	load := naming.LoadOfSeen(name)
	own := strings.HasPrefix(load, naming.EdgeLoads(m.edge))
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

// damaged continues without an unreadable object: duplicates of its submissions are not recognised. It is
// removed when it is too old.
func (m *memory) damaged(name string, err error, now time.Time) {
	m.log.Error("duplicates of the submissions of a load are not recognised", "file", store.Place(m.bucket, name), "error", err)
	m.files = append(m.files, seenFile{name: name, newest: now.UnixNano()})
}

// known returns the check, nil when there is none.
func (m *memory) known() *ingest.Duplicates { return m.duplicates }

// forgotten returns the number of URIs that were removed early.
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
	f := seenFile{name: naming.SeenBy(load)}
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
	edges, err := edgestate.ReadProgress(ctx, m.bucket)
	if err != nil {
		return err
	}
	m.looked, m.awaited = now, now
	for _, e := range edges {
		m.awaited = min(m.awaited, e.Watermark)
	}
	return nil
}
