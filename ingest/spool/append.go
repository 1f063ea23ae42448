package spool

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// entry is a record on its way to the committer.
type entry struct {
	buf       []byte // room for the record's header, then its payload
	sum       uint32 // of the payload
	timestamp int64  // 0 until it has one; set under the spool's mu, before the report
	abandoned atomic.Bool
	reported  atomic.Bool
	refs      atomic.Int32
	done      chan error // takes one result without waiting

	// Under the spool's mu.
	onFailover bool // it is on the second disk
	onPrimary  bool // it is where it belongs
}

var entries = sync.Pool{New: func() any { return &entry{done: make(chan error, 1)} }}

// maxPooled is the size in bytes up to which the memory of an entry is used again.
const maxPooled = 2 << 20

// Append writes the record and returns when it is on disk, with r.Timestamp set. The caller may reuse r
// afterwards. It is safe for concurrent use. If ctx ends first, Append returns its error, and the record may be
// written nevertheless.
//
// Errors that callers distinguish: [ErrOverloaded], [ErrFull], [ErrTooLarge], [ErrClosed]. After any error the
// record is not acknowledged.
func (s *Spool) Append(ctx context.Context, r *Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	size := recordHeader + payloadSize(r)
	if size > s.o.SegmentBytes-block || size > math.MaxInt32 {
		return fmt.Errorf("append a record of %d bytes: %w", size, ErrTooLarge)
	}
	if s.nearlyFull.Load() {
		return ErrFull
	}
	if n := s.queue.bytes.Add(size); n > s.o.MaxQueue && n != size {
		s.queue.bytes.Add(-size)
		return ErrOverloaded
	}
	e := entries.Get().(*entry)
	e.fill(r, size)
	if !s.enqueue(e) {
		s.queue.bytes.Add(-size)
		entries.Put(e)
		return ErrClosed
	}
	defer e.drop()
	select {
	case err := <-e.done:
		if err == nil {
			r.Timestamp = e.timestamp
		}
		return err
	case <-ctx.Done():
		e.abandoned.Store(true)
		return ctx.Err()
	}
}

func (e *entry) fill(r *Record, size int64) {
	if int64(cap(e.buf)) < size {
		e.buf = make([]byte, 0, whole(size))
	}
	e.buf = appendPayload(e.buf[:recordHeader], r)
	e.sum = checksum(e.buf[recordHeader:])
	e.timestamp, e.onFailover, e.onPrimary = 0, false, false
	e.reported.Store(false)
	e.refs.Store(2) // who appends it, and the committer
}

// report reports the result to the appender of the entry; false if it was reported already.
func (e *entry) report(err error) bool {
	if !e.reported.CompareAndSwap(false, true) {
		return false
	}
	e.done <- err
	return true
}

// drop ends the use of an entry by one of its holders. After the last one its memory
// is used again, unless there may be a result that nobody took.
func (e *entry) drop() {
	if e.refs.Add(-1) > 0 || e.abandoned.Load() {
		return
	}
	if cap(e.buf) > maxPooled {
		e.buf = nil
	}
	entries.Put(e)
}
