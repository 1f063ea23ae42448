package spool

import "time"

// pace determines how long the committer gathers entries before it writes. With few appenders it writes at
// once. With many it waits until most appenders of the last commit have appended again, because one large write
// is cheaper than two. If they take longer than that, it waits for a shorter time and less often.
type pace struct {
	target int           // entries to wait for
	limit  time.Duration // the longest wait
	skip   int           // commits before it waits again
	missed int           // skip after the last wait in vain, 0 after a good one
	timer  *time.Timer
}

const (
	fewAppenders = 8
	maxGather    = 4 * time.Millisecond
	maxSkip      = 63
)

// gather waits until enough entries are in the queue.
func (s *Spool) gather() {
	p := &s.pace
	if s.o.Sync != SyncGroup && s.o.Sync != SyncCached || p.target <= fewAppenders || s.enough(p.target) {
		return
	}
	if p.skip > 0 {
		p.skip--
		return
	}
	if p.timer == nil {
		p.timer = time.NewTimer(p.limit)
	} else {
		p.timer.Reset(p.limit)
	}
	defer p.timer.Stop()
	defer s.enough(0)
	for {
		select {
		case <-s.wake:
			if s.enough(p.target) {
				p.missed = 0
				return
			}
		case <-p.timer.C:
			p.missed = min(2*p.missed+1, maxSkip)
			p.skip = p.missed
			return
		case <-s.closing:
			return
		}
	}
}

// paced learns from a commit: the entries written and those that came
// meanwhile are all the appenders there are.
func (s *Spool) paced(batch int, size int64, took time.Duration) {
	s.mu.Lock()
	all := batch + len(s.pending)
	s.mu.Unlock()
	fits := int(maxBatch * int64(batch) / max(size, 1))
	s.pace.target = min(all*9/10, fits)
	s.pace.limit = max(0, min(2*took, maxGather))
}
