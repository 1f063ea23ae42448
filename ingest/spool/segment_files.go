package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// segmentFiles makes the files of segments, or reuses those of removed segments.
type segmentFiles struct {
	o    Options
	dir  string
	pool *pool

	direct     atomic.Bool // the newest segment is written past the page cache
	nearlyFull atomic.Bool // the disk has less than MinFree
}

// create makes a new segment, whose records are after a timestamp, with its header
// on disk and space for its records.
func (sf *segmentFiles) create(number uint64, after int64) (*active, error) {
	a := sf.newSegment(sf.dir, openSuffix, number)
	header := alignedBuffer(block)
	putFileHeader(header, a.edge, number, after)
	if sf.reuse(a, header) {
		return a, nil
	}
	direct, err := sf.createFile(a, header)
	if err == nil {
		sf.direct.Store(direct)
		return a, nil
	}
	return nil, fmt.Errorf("create segment %s: %w", a.path, err)
}

func (sf *segmentFiles) newSegment(dir, suffix string, number uint64) *active {
	return &active{
		path:   filepath.Join(dir, segmentName(sf.o.Edge, number, suffix)),
		edge:   sf.o.Edge,
		number: number,
		size:   sf.o.SegmentBytes,
		off:    block,
		sum:    summary{end: block},
	}
}

// createFile creates the file of a segment. Writes bypass the page cache if that is possible.
func (sf *segmentFiles) createFile(a *active, header []byte) (direct bool, err error) {
	reserve := sf.o.Sync == SyncGroup || sf.o.Sync == SyncEach
	for _, direct := range []bool{reserve, false} {
		if a.file, err = openSegment(a.path, direct); errors.Is(err, fs.ErrExist) {
			break
		}
		if err != nil {
			_ = os.Remove(a.path) // a file system may refuse the flag after making the file
			continue
		}
		if sf.o.Sync != SyncAppend {
			preallocate(a.file, a.size)
		}
		if _, err = a.file.WriteAt(header, 0); err == nil && sf.o.Sync != SyncNone {
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

// recycles reports whether files are used again: only where commits go past the
// page cache.
func (sf *segmentFiles) recycles() bool {
	return sf.o.Sync != SyncNone && sf.direct.Load() && sf.o.SegmentBytes%block == 0
}

// keepSize returns the offset of the footer that leaves a segment's file at its full size; 0: it is to be cut, because
// too little of it is in use.
func (sf *segmentFiles) keepSize(a *active) int64 {
	if !sf.recycles() || a.broken || a.sum.end < a.size/4*3 {
		return 0
	}
	return a.size
}

// usable reports whether the file of a segment may become another one.
func (sf *segmentFiles) usable(g Segment) bool {
	info, err := os.Stat(g.Path)
	return err == nil && info.Size() == sf.o.SegmentBytes+footerSize && !sf.nearlyFull.Load() && sf.recycles()
}

// reuse makes the file of a removed segment the new one; false when there is
// none, or it cannot be used.
func (sf *segmentFiles) reuse(a *active, header []byte) bool {
	path := sf.pool.take()
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
		err = syncDir(sf.dir)
	}
	if err == nil {
		a.reused = true
		return true
	}
	sf.o.Log.Warn("use the file of a segment again", "err", err)
	a.close()
	_ = errors.Join(os.Remove(path), os.Remove(a.path)) // one of the two exists
	return false
}
