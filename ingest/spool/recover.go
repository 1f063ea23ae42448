package spool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// recover seals what a crash left open and finds the timestamp and the number
// to go on from.
func (w *writer) recover() error {
	var err error
	if err = w.floor.open(w.dir, mark{number: w.o.After}); err != nil {
		return err
	}
	held := w.floor.held
	before := held.last
	w.number = max(held.number, w.o.After)
	w.newest.Store(held.sealed)
	w.last.Store(held.last)
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return err
	}
	if err := removeFree(w.dir, entries); err != nil {
		return err
	}
	var buf []byte
	if sealed, err := readNames(w.dir); err != nil {
		return err
	} else if n := len(sealed); n > 0 {
		w.newest.Store(max(w.newest.Load(), sealed[n-1].Number))
	}
	for _, e := range entries { // sorted by name: oldest first
		if e.Name() == markerName {
			continue
		}
		if err := w.checkEdge(e.Name()); err != nil {
			return err
		}
		if edge, number, ok := parseName(e.Name(), openSuffix); ok {
			g := Segment{Edge: edge, Number: number, Path: filepath.Join(w.dir, e.Name())}
			if buf, err = w.recoverSegment(g, buf); err != nil {
				return err
			}
		}
	}
	if err := w.recoverFailover(before); err != nil {
		return err
	}
	all, err := w.Sealed()
	if err != nil {
		return err
	}
	for _, g := range all {
		w.used(g.Number, g.Last)
	}
	if ahead := time.Duration(w.last.Load() - w.o.Now().UnixNano()); ahead > time.Hour {
		w.o.Log.Warn("timestamps of the spool are ahead of the clock", "dir", w.dir, "by", ahead)
	}
	if err := syncDir(w.dir); err != nil {
		return err
	}
	// All is sealed, and another process may take it from now on.
	last := w.last.Load()
	w.watermark.Store(last)
	return w.floor.raise(mark{last: last, number: w.number})
}

// checkEdge refuses segments of an edge of another name: the decode loop
// would not know which are in the archive.
func (w *writer) checkEdge(name string) error {
	for _, suffix := range []string{openSuffix, sealedSuffix} {
		if edge, _, ok := parseName(name, suffix); ok && edge != w.o.Edge {
			return fmt.Errorf("%s is of edge %q, not %q: an edge keeps its name", name, edge, w.o.Edge)
		}
	}
	return nil
}

// used records a number and a timestamp that must not be used again.
func (w *writer) used(number uint64, timestamp int64) {
	w.number = max(w.number, number)
	w.last.Store(max(w.last.Load(), timestamp))
}

// recoverSegment seals a segment behind its last good record. One without any is removed if it was never written,
// otherwise set aside as damaged.
func (w *writer) recoverSegment(g Segment, buf []byte) ([]byte, error) {
	if info, err := os.Lstat(g.Path); err != nil {
		return buf, fmt.Errorf("open segment: %w", err)
	} else if !info.Mode().IsRegular() {
		g.Damage = notRegular(info.Mode())
		return buf, w.keepUnread(g, g.Damage)
	}
	r, err := ReadSegment(g, buf)
	if err != nil {
		return buf, err
	}
	buf = r.Buffer()
	r.readAll()
	after, _ := fileHeaderAfter(r.data, g.Number)
	w.used(g.Number, after)
	u, damaged := r.scan()
	var lost []error
	for _, d := range damaged { // a later commit follows: it was acknowledged
		lost = append(lost, d)
	}
	if len(lost) > 0 {
		w.o.Log.Error("a segment that was open at a crash is damaged", "segment", g.Path, "error", errors.Join(lost...))
	}
	if u.records == 0 && !unwritten(r.data, g.Number) {
		return buf, w.keepUnread(g, "it has bytes and no record")
	}
	if u.records == 0 {
		if err := os.Remove(g.Path); err != nil {
			return buf, fmt.Errorf("remove empty segment: %w", err)
		}
		return buf, nil
	}
	if err := w.floor.raise(mark{last: u.last, number: g.Number, sealed: g.Number}); err != nil {
		return buf, err
	}
	u.previous = w.newest.Load()
	g, err = sealFile(g.Path, g.Edge, g.Number, u, sealing{sync: true})
	if err != nil {
		return buf, err
	}
	w.newest.Store(g.Number)
	w.o.Log.Info("recovered a segment", "segment", g.Path, "records", g.Records)
	w.catalog.add(g)
	return buf, nil
}

// keepUnread preserves a segment that cannot be read at all.
func (w *writer) keepUnread(g Segment, why string) error {
	w.used(g.Number, 0)
	w.o.Log.Error("a segment that was open at a crash is damaged: it is kept", "segment", g.Path, "kept", damagedName(w.dir, g), "error", why)
	g.Damage = why
	return preserveDamaged(w.dir, g)
}

// unwritten reports whether nothing was written behind the header of a segment's
// file: there are zeros, or bytes of a recent segment.
func unwritten(data []byte, number uint64) bool {
	rest := data[min(block, len(data)):]
	if len(bytes.TrimLeft(rest, "\x00")) == 0 {
		return true
	}
	for n := number - 1; n > 0 && n < number && number-n < maxBack; n-- {
		if _, ok := parseHead(rest, n); ok {
			return true
		}
	}
	return false
}

// maxBack is the largest distance in numbers to an older segment whose file a segment may reuse.
const maxBack = 100_000

// readAll makes the reader take all of the file for records: what looks like a
// footer in a file that was not sealed may be the end of a body.
func (r *Reader) readAll() {
	r.sealed, r.limit = false, int64(len(r.data))
	r.at = min(block, r.limit)
}
