package spool

import (
	"fmt"
	"time"
)

const (
	maxBatch   = 4 << 20 // bytes of one commit, but for a single larger record
	retryPause = 100 * time.Millisecond
	lookEvery  = time.Second // at the free disk
)

// run is the committer: the only one that writes segments.
func (s *Spool) run() {
	defer close(s.done)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-s.wake:
			s.gather()
			s.commitSome()
		case f := <-s.ask:
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
	s.paced(len(batch), size, s.o.Now().Sub(start))
	if err == nil {
		s.commits.Add(1)
		s.records.Add(int64(len(batch)))
	} else {
		s.failed.Add(int64(len(batch)))
	}
	var bytes int64
	for i, e := range batch {
		n := int64(len(e.buf))
		bytes += n
		s.queued.Add(-n)
		e.done <- err
		batch[i] = nil
	}
	if err == nil {
		s.bytes.Add(bytes)
	}
	return true
}

// take removes the entries of the next batch from the queue; size is what they
// take in the segment. Entries whose callers are gone are dropped.
func (s *Spool) take() (batch []*entry, size int64) {
	limit := min(maxBatch, s.o.SegmentBytes-block)
	s.mu.Lock()
	defer s.mu.Unlock()
	batch = s.batch[:0]
	n := 0
	for _, e := range s.queue {
		bytes := int64(len(e.buf))
		if e.gone.Load() {
			s.queued.Add(-bytes)
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
	return batch, size
}

// write puts a batch on disk with one write.
func (s *Spool) write(batch []*entry, size int64) error {
	if err := s.ready(whole(size)); err != nil {
		return err
	}
	a := s.active
	buf, u := s.buffer(whole(size)), a.sum
	now, at := s.o.Now().UnixNano(), int64(0)
	for _, e := range batch {
		e.timestamp = s.stamp(now)
		putHead(e.buf[:recordHeader], a.number, head{size: len(e.buf) - recordHeader, timestamp: e.timestamp, sum: e.sum})
		at += int64(copy(buf[at:], e.buf))
		u.add(e.timestamp, a.off+at)
	}
	clear(buf[at:])
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

// stamp is the next timestamp: about now, never one that was used.
func (s *Spool) stamp(now int64) int64 {
	t := max(now, s.last.Load()+1)
	s.last.Store(t)
	return t
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
	if err := s.dropFree(full); err != nil {
		s.o.Log.Warn("delete the file of a removed segment", "err", err)
	}
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
