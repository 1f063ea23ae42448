package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Damaged is a file that was preserved because not all of it could be read.
type Damaged struct {
	Path  string
	Bytes int64 // 0: the segment was missing
	Time  time.Time
}

// ListDamaged lists the damaged files in a folder, oldest segment first. Other processes may use the folder
// meanwhile. The files remain until an operator removes them.
func ListDamaged(dir string) (all []Damaged, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list damaged segments: %w", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), damagedEnd) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken away meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("list damaged segments: %w", err)
		}
		all = append(all, Damaged{Path: filepath.Join(dir, e.Name()), Bytes: info.Size(), Time: info.ModTime()})
	}
	return all, nil
}

// damagedName returns the path at which a damaged segment's file is preserved.
func damagedName(dir string, g Segment) string {
	return filepath.Join(dir, segmentName(g.Edge, g.Number, damagedEnd))
}

// preserveDamaged renames the file of a damaged segment to its damagedName, without the records that were read;
// for a missing file it creates an empty one. It can be repeated after a failure at any point.
func preserveDamaged(dir string, g Segment) error {
	err := moveDamaged(dir, g)
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("keep damaged segment %s: %w", g.Path, err)
	}
	return nil
}

func moveDamaged(dir string, g Segment) error {
	target := damagedName(dir, g)
	info, err := os.Lstat(g.Path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		return f.Close()
	}
	if err != nil {
		return err
	}
	for n := 2; ; n++ { // a file of this name is an operator's, or was put there twice
		if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return err
		}
		target = filepath.Join(dir, fmt.Sprintf("%s.%d%s", segmentName(g.Edge, g.Number, ""), n, damagedEnd))
	}
	if err := os.Rename(g.Path, target); err != nil || !info.Mode().IsRegular() || g.Damage != "" {
		return err
	}
	g.Path = target
	return clearRecords(g)
}

// clearRecords writes zeros over the records of a file that can be read: they are
// in the archive, where deletion requests and retention reach them.
func clearRecords(g Segment) error {
	r, err := ReadSegment(g, nil)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(g.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var rec Record
	for {
		before := r.records
		err := r.Next(&rec)
		var d *DamageError
		switch {
		case errors.As(err, &d):
		case err != nil: // the end
			return f.Sync()
		case r.records > before:
			if err := clearFile(f, r.began, r.at); err != nil {
				return err
			}
		}
	}
}

// keeper takes sealed segments out of a spool.
type keeper interface {
	Sealed() ([]Segment, error)
	Remove(Segment) error
	Keep(Segment) error
}

// resume takes the segments up to a number out of a spool, which are in the archive
// and which a crash has left there.
func resume(k keeper, last uint64) error {
	sealed, err := k.Sealed()
	if err != nil {
		return err
	}
	for _, g := range sealed {
		if g.Number > last {
			continue
		}
		ok, err := isWhole(g)
		if err != nil {
			return err
		}
		if ok {
			err = k.Remove(g)
		} else {
			err = k.Keep(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Resume sets the number up to which all segments are in the archive, when decoding begins or resumes.
func (s *Spool) Resume(last uint64) error { return resume(s, last) }

// Resume works like [Spool.Resume].
func (f *Follower) Resume(last uint64) error { return resume(f, last) }

// Read reads a segment into buf, which grows as needed.
func (s *Spool) Read(g Segment, buf []byte) (Records, error) { return readRecords(g, buf) }

// Read works like [Spool.Read].
func (f *Follower) Read(g Segment, buf []byte) (Records, error) { return readRecords(g, buf) }

func readRecords(g Segment, buf []byte) (Records, error) {
	r, err := ReadSegment(g, buf)
	if err != nil {
		return nil, err // not a nil reader in an interface
	}
	return r, nil
}

// isWhole reports whether a sealed segment is complete.
func isWhole(g Segment) (bool, error) {
	if g.Damage != "" {
		return false, nil
	}
	r, err := ReadSegment(g, nil)
	if err != nil {
		return false, err
	}
	var rec Record
	for {
		err := r.Next(&rec)
		var d *DamageError
		switch {
		case errors.As(err, &d):
			return false, nil
		case err != nil:
			return true, nil
		}
	}
}

// missing returns the segments of a folder that were sealed, by the next segments or the floor file, and are neither
// among the sealed ones nor before those up to last, which are in the archive. 0: the archive has none, unless that is
// not known.
func missing(dir, edge string, sealed []Segment, last uint64, known bool, newest uint64) (all []Segment) {
	lost := func(number uint64) Segment {
		return Segment{
			Edge: edge, Number: number, Path: filepath.Join(dir, segmentName(edge, number, sealedSuffix)), Damage: "it is missing",
		}
	}
	for _, g := range sealed {
		if g.Number <= last {
			continue
		}
		if known && g.Previous > last {
			m := lost(g.Previous)
			m.First, m.Last = g.First, g.First // about
			all = append(all, m)
		}
		last, known = g.Number, true
	}
	if !known || newest <= last {
		return all
	}
	for _, suffix := range []string{openSuffix, sealedSuffix} { // in the order in which it has them
		if _, err := os.Lstat(filepath.Join(dir, segmentName(edge, newest, suffix))); !errors.Is(err, fs.ErrNotExist) {
			return all
		}
	}
	return append(all, lost(newest))
}

// Missing lists the segments that were sealed but are neither in sealed nor in the archive. last is the number
// of the last archived segment, 0 if there is none; known is false if it is unknown which ones are archived.
func (w *writer) Missing(sealed []Segment, last uint64, known bool) ([]Segment, error) {
	return missing(w.dir, w.o.Edge, sealed, last, known, w.newest.Load()), nil
}

// Keep works like Remove, for a damaged segment: it preserves the unreadable bytes beside the other segments,
// as NAME.damaged.
func (w *writer) Keep(g Segment) error {
	if err := w.floor.raise(mark{last: g.Last, number: g.Number}); err != nil {
		return fmt.Errorf("keep damaged segment %s: %w", g.Path, err)
	}
	w.catalog.remove(filepath.Base(g.Path))
	return preserveDamaged(w.dir, g)
}

// Missing works like [Spool.Missing].
func (f *Follower) Missing(sealed []Segment, last uint64, known bool) ([]Segment, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.look(); err != nil {
		return nil, err
	}
	return missing(f.dir, f.edge, sealed, last, known, f.mark.sealed), nil
}

// Keep works like [Spool.Keep].
func (f *Follower) Keep(g Segment) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.known, filepath.Base(g.Path))
	return preserveDamaged(f.dir, g)
}
