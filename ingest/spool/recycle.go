package spool

import (
	"errors"
	"os"
)

// Writing where a file has had bytes before changes nothing but these bytes.
// In a new file each commit also changes what the file system knows about the
// file, and making that durable takes several times as long as the bytes. So
// under load the files of removed segments become the next ones. Old bytes in
// them never count as a record: checksums are made with the segment's number.

// recycles reports whether files are used again: only where commits go past the
// page cache.
func (s *Spool) recycles() bool {
	return s.o.Sync != SyncNone && s.direct.Load() && s.o.SegmentBytes%block == 0
}

// keepSize is the offset of the footer that leaves a segment's file at its full
// size; 0: it is to be cut, because too little of it is in use.
func (s *Spool) keepSize(a *active) int64 {
	if !s.recycles() || a.broken || a.sum.end < a.size/4*3 {
		return 0
	}
	return a.size
}

// usable reports whether the file of a segment may become another one.
func (s *Spool) usable(g Segment) bool {
	info, err := os.Stat(g.Path)
	return err == nil && info.Size() == s.o.SegmentBytes+footerSize && !s.nearlyFull.Load() && s.recycles()
}

// forgetPrepared drops a prepared segment that has bytes of an older one: without new records these must not
// remain.
func (s *Spool) forgetPrepared() error {
	if !s.preparing {
		return nil
	}
	a := s.takePrepared()
	if a == nil || a.reused {
		if a != nil {
			return a.discard()
		}
		return nil
	}
	s.preparing = true
	s.next <- prepared{segment: a}
	return nil
}

// forgetIdle drops a prepared segment with bytes of an older one if no record has arrived for SegmentAge.
func (s *Spool) forgetIdle() {
	if waited := s.o.Now().Sub(s.preparedAt); s.active != nil || waited >= 0 && waited < s.o.SegmentAge {
		return
	}
	if err := s.forgetPrepared(); err != nil {
		s.o.Log.Warn("give up a prepared segment", "err", err)
	}
}

// reuse makes the file of a removed segment the new one; false when there is
// none, or it cannot be used.
func (s *Spool) reuse(a *active, header []byte) bool {
	path := s.pool.take()
	if path == "" {
		return false
	}
	err := os.Rename(path, a.path)
	if err == nil {
		a.file, err = openAgain(a.path)
	}
	if err == nil {
		_, err = a.file.WriteAt(header, 0)
	}
	if err == nil {
		err = syncData(a.file)
	}
	if err == nil {
		err = syncDir(s.dir)
	}
	if err == nil {
		a.reused = true
		return true
	}
	s.o.Log.Warn("use the file of a segment again", "err", err)
	a.close()
	_ = errors.Join(os.Remove(path), os.Remove(a.path)) // one of the two exists
	return false
}
