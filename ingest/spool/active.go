package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unsafe"
)

// active is the segment being written.
type active struct {
	file   *os.File // nil once closed
	path   string
	edge   string
	number uint64
	size   int64 // up to which it may be written
	off    int64 // end of the durable bytes, a multiple of block
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

// alignedBuffer returns zeroed memory that starts at a multiple of block.
func alignedBuffer(size int64) []byte {
	b := make([]byte, size+block)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (block - 1)
	return b[skip : int64(skip)+size : int64(skip)+size]
}
