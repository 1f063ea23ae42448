package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Writing where a file has had bytes before changes nothing but these bytes.
// In a new file each commit also changes what the file system knows about the
// file, and making that durable takes several times as long as the bytes. So
// under load the files of removed segments become the next ones. Old bytes in
// them never count as a record: checksums are made with the segment's number.

// maxFree bounds the files that are kept for this.
const maxFree = 4

// freeFile is the file of a removed segment.
type freeFile struct {
	path  string
	since time.Time
}

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

// setAside gives the file of a segment that is to be removed another name;
// false when it cannot be used again.
func (s *Spool) setAside(path string, g Segment) (free string, ok bool) {
	s.freeMu.Lock()
	n := len(s.freeFiles)
	s.freeMu.Unlock()
	info, err := os.Stat(path)
	if err != nil || info.Size() != s.o.SegmentBytes+footerSize || n >= maxFree || s.nearlyFull.Load() || !s.recycles() {
		return "", false
	}
	free = filepath.Join(s.dir, segmentName(g.Edge, g.Number, freeSuffix))
	return free, os.Rename(path, free) == nil
}

// addFree takes a file in whose new name is durable.
func (s *Spool) addFree(path string) {
	s.freeMu.Lock()
	defer s.freeMu.Unlock()
	s.freeFiles = append(s.freeFiles, freeFile{path, s.o.Now()})
}

// takeFree gives a file to be used again, or "".
func (s *Spool) takeFree() string {
	s.freeMu.Lock()
	defer s.freeMu.Unlock()
	n := len(s.freeFiles)
	if n == 0 {
		return ""
	}
	path := s.freeFiles[n-1].path
	s.freeFiles = s.freeFiles[:n-1]
	return path
}

// dropFree deletes the files that have waited for as long as a segment may.
func (s *Spool) dropFree(all bool) error {
	s.freeMu.Lock()
	defer s.freeMu.Unlock()
	var err error
	kept := s.freeFiles[:0]
	now := s.o.Now()
	for _, f := range s.freeFiles {
		if waited := now.Sub(f.since); !all && waited >= 0 && waited < s.o.SegmentAge {
			kept = append(kept, f)
		} else if e := os.Remove(f.path); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	s.freeFiles = kept
	return err
}

// forgetPrepared gives up a prepared segment that has bytes of an older one:
// when nothing comes they shall not stay.
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

// forgetIdle gives up a prepared segment with bytes of an older one when nothing
// has come for as long as a segment may wait.
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
	path := s.takeFree()
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

// removeFree deletes what a crash left of such files.
func removeFree(dir string, names []os.DirEntry) error {
	for _, e := range names {
		if _, _, ok := parseName(e.Name(), freeSuffix); ok {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove a segment's file: %w", err)
			}
		}
	}
	return nil
}
