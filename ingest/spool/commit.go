package spool

import (
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

// commitSome writes one batch of the waiting entries; false if nothing does.
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
