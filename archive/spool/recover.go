package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// recover seals what a crash left open and finds the timestamp and the number
// to go on from.
func (s *Spool) recover() error {
	var err error
	if s.floor, s.kept, s.slot, err = openFloor(s.dir, mark{number: s.o.After}); err != nil {
		return err
	}
	s.number = max(s.kept.number, s.o.After)
	s.last.Store(s.kept.floor)
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	if err := removeFree(s.dir, entries); err != nil {
		return err
	}
	var buf []byte
	for _, e := range entries { // sorted by name: oldest first
		if err := s.checkEdge(e.Name()); err != nil {
			return err
		}
		if edge, number, ok := parseName(e.Name(), openSuffix); ok {
			g := Segment{Edge: edge, Number: number, Path: filepath.Join(s.dir, e.Name())}
			if buf, err = s.recoverSegment(g, buf); err != nil {
				return err
			}
		}
	}
	all, err := s.Sealed()
	if err != nil {
		return err
	}
	for _, g := range all {
		s.used(g.Number, g.Last)
	}
	if ahead := time.Duration(s.last.Load() - s.o.Now().UnixNano()); ahead > time.Hour {
		s.o.Log.Warn("timestamps of the spool are ahead of the clock", "dir", s.dir, "by", ahead)
	}
	if err := syncDir(s.dir); err != nil {
		return err
	}
	// All is sealed, and another process may take it from now on.
	last := s.last.Load()
	s.through.Store(last)
	return s.raiseFloor(mark{floor: last, number: s.number})
}

// checkEdge refuses segments of an edge of another name: whoever decodes them
// would not know which are in the archive.
func (s *Spool) checkEdge(name string) error {
	for _, suffix := range []string{openSuffix, sealedSuffix} {
		if edge, _, ok := parseName(name, suffix); ok && edge != s.o.Edge {
			return fmt.Errorf("%s is of edge %q, not %q: an edge keeps its name", name, edge, s.o.Edge)
		}
	}
	return nil
}

// used notes a number and a timestamp that may not come again.
func (s *Spool) used(number uint64, timestamp int64) {
	s.number = max(s.number, number)
	s.last.Store(max(s.last.Load(), timestamp))
}

// recoverSegment seals a segment behind its last good record, or removes it if
// it has none.
func (s *Spool) recoverSegment(g Segment, buf []byte) ([]byte, error) {
	r, err := ReadSegment(g, buf)
	if err != nil {
		return buf, err
	}
	buf = r.Buffer()
	r.readAll()
	floor, _ := fileHeaderFloor(r.data, g.Number)
	s.used(g.Number, floor)
	u, damaged := r.scan()
	var lost []error
	for _, d := range damaged {
		lost = append(lost, d)
	}
	if len(lost) > 0 {
		s.o.Log.Error("recover a segment", "err", errors.Join(lost...))
	}
	if u.records == 0 {
		if err := os.Remove(g.Path); err != nil {
			return buf, fmt.Errorf("remove empty segment: %w", err)
		}
		return buf, nil
	}
	if err := s.raiseFloor(mark{floor: u.last, number: g.Number}); err != nil {
		return buf, err
	}
	g, err = sealFile(g.Path, g.Edge, g.Number, u, sealing{sync: true})
	if err != nil {
		return buf, err
	}
	s.o.Log.Info("recovered a segment", "segment", g.Path, "records", g.Records)
	s.addSealed(g)
	return buf, nil
}

// readAll makes the reader take all of the file for records: what looks like a
// footer in a file that was not sealed may be the end of a body.
func (r *Reader) readAll() {
	r.limit = int64(len(r.data))
	r.at = min(block, r.limit)
}
