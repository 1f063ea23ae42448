package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unsafe"
)

// active is the segment being written.
type active struct {
	file   *os.File // nil once closed
	path   string
	edge   string
	number uint64
	size   int64 // up to which it may be written
	off    int64 // end of what is durable, a multiple of block
	sum    summary
	broken bool // a write failed: it is never written again
	reused bool // the file has bytes of an older segment
}

func (a *active) write(buf []byte, sync bool) error {
	if _, err := a.file.WriteAt(buf, a.off); err != nil {
		return err
	}
	if !sync {
		return nil
	}
	return syncData(a.file)
}

func (a *active) close() {
	if a.file != nil {
		_ = a.file.Close() // what counts was synced
		a.file = nil
	}
}

// discard closes and removes a segment without records.
func (a *active) discard() error {
	a.close()
	if err := os.Remove(a.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove empty segment: %w", err)
	}
	return nil
}

// create makes a new segment, whose records are after a timestamp, with its header
// on disk and space for its records.
func (s *Spool) create(number uint64, after int64) (*active, error) {
	a := s.newSegment(s.dir, openSuffix, number)
	header := alignedBuffer(block)
	putFileHeader(header, a.edge, number, after)
	if s.reuse(a, header) {
		return a, nil
	}
	direct, err := s.createFile(a, header)
	if err == nil {
		s.direct.Store(direct)
		return a, nil
	}
	return nil, fmt.Errorf("create segment %s: %w", a.path, err)
}

func (s *Spool) newSegment(dir, suffix string, number uint64) *active {
	return &active{
		path:   filepath.Join(dir, segmentName(s.o.Edge, number, suffix)),
		edge:   s.o.Edge,
		number: number,
		size:   s.o.SegmentBytes,
		off:    block,
		sum:    summary{end: block},
	}
}

// createFile creates the file of a segment. Writes bypass the page cache if that is possible.
func (s *Spool) createFile(a *active, header []byte) (direct bool, err error) {
	reserve := s.o.Sync == SyncGroup || s.o.Sync == SyncEach
	for _, direct := range []bool{reserve, false} {
		if a.file, err = openSegment(a.path, direct); errors.Is(err, fs.ErrExist) {
			break
		}
		if err != nil {
			_ = os.Remove(a.path) // a file system may refuse the flag after making the file
			continue
		}
		if s.o.Sync != SyncAppend {
			preallocate(a.file, a.size)
		}
		if _, err = a.file.WriteAt(header, 0); err == nil && s.o.Sync != SyncNone {
			err = syncData(a.file)
		}
		if err == nil {
			err = syncDir(filepath.Dir(a.path))
		}
		if err == nil {
			return direct, nil
		}
		_ = a.discard()
	}
	return false, err
}

// prepared is the result of preparing a segment in the background.
type prepared struct {
	segment *active
	err     error
}

// prepare makes the next segment in the background.
func (s *Spool) prepare() {
	s.number++
	number, after := s.number, s.settled()
	s.preparing, s.preparedAt = true, s.o.Now()
	go func() {
		a, err := s.create(number, after)
		s.next <- prepared{a, err}
	}()
}

// takePrepared waits for the segment that is made in the background; nil if
// there is none.
func (s *Spool) takePrepared() *active {
	if !s.preparing {
		return nil
	}
	s.preparing = false
	return (<-s.next).segment
}

// ready makes sure that the active segment takes need bytes. After a failure it
// says so for a while without trying again.
func (s *Spool) ready(need int64) error {
	if a := s.active; a != nil && !a.broken && a.off+need <= a.size {
		return nil
	}
	if err := s.paused.Load(); err != nil {
		return *err
	}
	err := s.finishSealing()
	if err == nil {
		err = s.retire()
	}
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		err = s.classify(err)
		s.paused.Store(&err)
		time.AfterFunc(retryPause, func() { s.paused.Store(nil) })
	}
	return err
}

// begin makes a new segment the active one.
func (s *Spool) begin() error {
	a := s.takePrepared()
	if a == nil {
		s.number++
		var err error
		if a, err = s.create(s.number, s.settled()); err != nil {
			return err
		}
	}
	s.active = a
	s.prepare()
	return nil
}

// failSegment ends the active segment at the last durable offset after a write
// failed. If even that fails, the next append tries again.
func (s *Spool) failSegment(cause error) error {
	s.active.broken = true
	s.o.Log.Error("a commit failed", "err", cause)
	if err := s.sealActive(); err != nil {
		s.o.Log.Error("seal a segment after a failed commit", "err", err)
	}
	return s.classify(cause)
}

func (s *Spool) classify(err error) error {
	if diskFull(err) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// alignedBuffer gives zeroed memory that starts at a multiple of block.
func alignedBuffer(size int64) []byte {
	b := make([]byte, size+block)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (block - 1)
	return b[skip : int64(skip)+size : int64(skip)+size]
}
