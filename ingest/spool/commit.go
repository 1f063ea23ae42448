package spool

import (
	"fmt"
	"slices"
	"time"
)

const (
	maxBatch     = 4 << 20 // bytes of one commit, but for a single larger record
	retryPause   = 100 * time.Millisecond
	lookInterval = time.Second // at the free disk
)

// run is the committer: the only one that writes segments.
func (s *Spool) run() {
	defer close(s.done)
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	for {
		select {
		case <-s.wake:
			s.gather()
			s.commitSome()
		case f := <-s.commands:
			f()
		case <-s.age.C:
			s.sealAged()
		case <-look.C:
			s.lookAtDisk()
			s.forgetIdle()
			s.publishWatermark()
		case <-s.closing:
			for s.commitSome() {
			}
			return
		}
	}
}

// commitSome writes one batch of what waits; false if nothing does.
func (s *Spool) commitSome() bool {
	batch, size := s.take()
	if len(batch) == 0 {
		return false
	}
	start := s.o.Now()
	err := s.write(batch, size)
	took := s.o.Now().Sub(start)
	s.paced(len(batch), size, took)
	s.primaryDone(batch, err == nil, took)
	if err == nil {
		s.commits.Add(1)
		s.records.Add(int64(len(batch)))
		s.bytes.Add(s.conclude(batch, nil))
	} else {
		s.failed.Add(int64(len(batch)))
		s.conclude(batch, err)
	}
	return true
}

// primaryDone ends the flight of a batch.
func (s *Spool) primaryDone(batch []*entry, ok bool, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flight = nil
	if !ok || s.failover == nil {
		return
	}
	kept := 0
	for _, e := range batch {
		e.onPrimary = true
		if e.onFailover {
			kept++
		}
	}
	s.failover.primaryDone(kept, took)
}

// conclude reports the result of a batch and gives its bytes. What was not
// written here, and was acknowledged from the second disk, is tried again.
func (s *Spool) conclude(batch []*entry, err error) (bytes int64) {
	var again []*entry
	for i, e := range batch {
		batch[i] = nil
		n := int64(len(e.buf))
		s.queued.Add(-n) // first: an appender that reads Stats after its Append does not find its own entry in the queue
		if !e.report(err) && err != nil {
			s.queued.Add(n)
			again = append(again, e)
			continue
		}
		bytes += n
		e.drop()
	}
	if len(again) > 0 {
		s.tryAgain(again)
	}
	return bytes
}

// tryAgain puts entries before all others. When the spool is being closed they
// stay on the second disk.
func (s *Spool) tryAgain(again []*entry) {
	select {
	case <-s.closing:
		return
	default:
	}
	s.mu.Lock()
	s.queue = slices.Concat(again, s.queue)
	s.mu.Unlock()
	time.AfterFunc(retryPause, s.signal)
}

// take removes the entries of the next batch from the queue; size is the number of bytes that they
// take in the segment. Entries whose callers are gone are dropped.
func (s *Spool) take() (batch []*entry, size int64) {
	limit := min(maxBatch, s.o.SegmentBytes-block)
	s.mu.Lock()
	defer s.mu.Unlock()
	batch = s.batch[:0]
	n := 0
	for _, e := range s.queue {
		bytes := int64(len(e.buf))
		if e.abandoned.Load() {
			s.queued.Add(-bytes)
			e.drop()
			n++
			continue
		}
		if len(batch) > 0 && (size+bytes > limit || (s.o.Sync == SyncEach || s.o.Sync == SyncAppend)) {
			break
		}
		batch, size = append(batch, e), size+bytes
		n++
	}
	rest := copy(s.queue, s.queue[n:])
	clear(s.queue[rest:])
	s.queue = s.queue[:rest]
	if rest > 0 {
		s.signal()
	}
	s.batch = batch[:0]
	s.flight = batch
	if s.failover != nil && len(batch) > 0 {
		s.failover.watch(batch[0])
	}
	return batch, size
}

// write puts a batch on disk with one write.
func (s *Spool) write(batch []*entry, size int64) error {
	if err := s.ready(whole(size)); err != nil {
		return err
	}
	a := s.active
	s.mu.Lock()
	s.stamp(batch)
	s.mu.Unlock()
	buf := s.buffer(whole(size))
	u := a.fill(buf, batch)
	err := a.write(buf, s.o.Sync != SyncNone)
	if err != nil {
		return s.failSegment(fmt.Errorf("write segment %s: %w", a.path, err))
	}
	if a.sum.records == 0 {
		s.age.Reset(s.o.SegmentAge)
	}
	a.sum, a.off = u, a.off+int64(len(buf))
	return nil
}

// fill puts the records of a batch into the buffer of a commit, and gives the
// summary of the segment with them.
func (a *active) fill(buf []byte, batch []*entry) summary {
	u, at := a.sum, int64(0)
	for _, e := range batch {
		putHead(buf[at:], a.number, head{size: len(e.buf) - recordHeader, timestamp: e.timestamp, sum: e.sum})
		at += recordHeader
		at += int64(copy(buf[at:], e.buf[recordHeader:]))
		u.add(e.timestamp, a.off+at)
	}
	clear(buf[at:])
	return u
}

// stamp gives timestamps to entries that have none: about now, never one that was
// used. Under mu.
func (s *Spool) stamp(batch []*entry) {
	now := s.o.Now().UnixNano()
	for _, e := range batch {
		if e.timestamp == 0 {
			e.timestamp = max(now, s.last.Load()+1)
			s.last.Store(e.timestamp)
		}
	}
}

// settled returns a timestamp below those of all records that are not on disk yet, and not below any other.
func (s *Spool) settled() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settledLocked()
}

func (s *Spool) settledLocked() int64 {
	for _, waiting := range [][]*entry{s.flight, s.queue} {
		if len(waiting) > 0 && waiting[0].timestamp != 0 {
			return waiting[0].timestamp - 1
		}
	}
	return s.last.Load()
}

// buffer is the aligned memory of a commit.
func (s *Spool) buffer(size int64) []byte {
	if size > maxBatch+block {
		return alignedBuffer(size) // rare: one very large record
	}
	if s.aligned == nil {
		s.aligned = alignedBuffer(min(maxBatch, s.o.SegmentBytes) + block)
	}
	return s.aligned[:size]
}

func (s *Spool) lookAtDisk() {
	free, err := FreeSpace(s.dir)
	if err != nil {
		free = -1
	}
	s.free.Store(free)
	full := err == nil && s.o.MinFree > 0 && free < s.o.MinFree
	if full != s.nearlyFull.Swap(full) {
		s.o.Log.Warn("free disk of the spool", "dir", s.dir, "bytes", free, "refusing", full)
	}
	if full {
		s.pool.report(s.pool.drop(true))
	}
	s.pool.look()
}

// sealAged seals a segment that has had records for long enough.
func (s *Spool) sealAged() {
	err := s.sealActive()
	if err == nil {
		err = s.forgetPrepared()
	}
	if err != nil {
		s.o.Log.Error("seal a segment", "err", err)
		s.age.Reset(s.o.SegmentAge)
	}
}
