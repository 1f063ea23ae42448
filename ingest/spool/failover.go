package spool

import (
	"sync"
	"sync/atomic"
	"time"
)

// A failover journals on a second disk what waits too long for the first one. Its files
// are like segments, but nobody decodes them: the spool goes on writing
// everything to the first disk, and when that has what the files hold they are
// removed. After a crash [Open] takes from them what the first disk lacks.
type failover struct {
	q    *queue
	sf   *segmentFiles
	dir  string
	wake chan struct{}
	late *time.Timer // runs while something waits for the first disk

	// Under the queue's mu.
	watched *entry        // what waited longest when the timer was set; nil: it does not run
	active  bool          // the first disk is late: nothing waits for it
	waiting int           // entries that are on the second disk alone
	budget  int           // entries that it may still take; negative: any number, nothing comes through
	usual   time.Duration // that a commit to the first disk takes

	// The goroutine's own.
	file    *active
	number  uint64
	full    []*active // before file
	aligned []byte

	stalls atomic.Int64 // how often the first disk was late
	aside  atomic.Int64 // records that were written

	once sync.Once
	end  chan struct{}
	done chan struct{}
}

const (
	// lateAfter is the shortest time after which a commit of the first disk is late. A commit is late after
	// usualTimes its usual time, between lateAfter and latestAfter.
	lateAfter   = 10 * time.Millisecond
	usualTimes  = 4
	latestAfter = 100 * time.Millisecond
	// catchUp bounds how many times the number of entries that waited when a stall ended is written to both
	// disks: a disk that does not catch up is overloaded, and writing everything twice does not help.
	catchUp        = 3
	failoverSuffix = ".side"
)

func newFailover(q *queue, sf *segmentFiles, number uint64) (*failover, error) {
	d := &failover{
		q: q, sf: sf, dir: sf.o.Failover, number: number,
		wake: make(chan struct{}, 1), late: time.NewTimer(lateAfter), end: make(chan struct{}), done: make(chan struct{}),
	}
	d.late.Stop()
	return d, d.begin()
}

// queued is called under mu when the queue has become n long.
func (d *failover) queued(n int) {
	switch {
	case d.active:
		d.signal()
	case d.watched == nil, n == 1 && len(d.q.flight) == 0:
		d.watch(d.q.longest())
	}
}

// watch is called under mu when another entry is the one that waits longest.
func (d *failover) watch(e *entry) {
	if !d.active {
		d.watched = e
		d.late.Reset(min(max(lateAfter, usualTimes*d.usual), latestAfter))
	}
}

// primaryDone is called under mu when the first disk has a batch; the failover journal has some of its entries.
func (d *failover) primaryDone(journaled int, took time.Duration) {
	d.usual += (min(took, 2*d.usual+time.Millisecond) - d.usual) / 8 // no stall is usual
	d.waiting -= journaled
	if !d.active {
		if d.waiting == 0 && journaled > 0 {
			d.signal()
		}
		return
	}
	if d.budget < 0 {
		d.budget = catchUp * d.waiting
	}
	if d.waiting == 0 {
		d.deactivate()
		d.signal()
	}
}

// deactivate is called under mu when the first disk is no longer late, or the failover has written as much as
// it may. It watches the entry that has waited longest, because that may be late again before the first disk
// writes any.
func (d *failover) deactivate() {
	d.active = false
	if e := d.q.longest(); e != nil {
		d.watch(e)
	}
}

func (d *failover) signal() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

func (d *failover) run() {
	defer close(d.done)
	var pause <-chan time.Time // after a failure
	for {
		late, wake := d.late.C, (<-chan struct{})(d.wake)
		if pause != nil {
			late, wake = nil, nil
		}
		select {
		case <-late:
			if !d.isLate() {
				continue
			}
		case <-wake:
		case <-pause:
			pause = nil
		case <-d.end:
			return
		}
		if err := d.writeAll(); err != nil {
			d.sf.o.Log.Error("the second disk of the spool failed", "err", err)
			pause = time.After(retryPause)
		}
	}
}

// isLate looks whether what was watched still waits.
func (d *failover) isLate() bool {
	d.q.mu.Lock()
	defer d.q.mu.Unlock()
	first := d.q.longest()
	if first != nil && first != d.watched {
		d.watch(first)
		return false
	}
	d.watched = nil
	if first != nil && !d.active {
		d.active, d.budget = true, -1
		d.stalls.Add(1)
	}
	return first != nil
}

// writeAll writes the entries that wait for the first disk until none is left.
func (d *failover) writeAll() error {
	for {
		batch, size := d.take()
		if len(batch) == 0 {
			return d.tidy()
		}
		err := d.write(batch, whole(size))
		d.conclude(batch, err)
		if err != nil {
			return err
		}
	}
}

// take picks what is neither on this disk nor reported, in order.
func (d *failover) take() (batch []*entry, size int64) {
	q := d.q
	limit := min(maxBatch, d.sf.o.SegmentBytes-block)
	q.mu.Lock()
	defer q.mu.Unlock()
	if !d.active {
		return nil, 0
	}
	for _, waiting := range [][]*entry{q.flight, q.pending} {
		for i, e := range waiting {
			q.stamp(waiting[i : i+1]) // also those that need nothing: in order
			if e.onFailover || e.abandoned.Load() || e.reported.Load() {
				continue
			}
			bytes := int64(len(e.buf))
			if len(batch) > 0 && size+bytes > limit {
				return batch, size
			}
			e.refs.Add(1)
			batch, size = append(batch, e), size+bytes
			if d.budget--; d.budget == 0 {
				d.deactivate()
				return batch, size
			}
		}
	}
	return batch, size
}

// conclude acknowledges what was written. What was not goes on waiting for the
// first disk.
func (d *failover) conclude(batch []*entry, err error) {
	if err == nil {
		d.q.mu.Lock()
		for _, e := range batch {
			if !e.onPrimary {
				e.onFailover = true
				d.waiting++
			}
		}
		if d.waiting == 0 { // the first disk was as fast
			d.deactivate()
		}
		d.q.mu.Unlock()
		d.aside.Add(int64(len(batch)))
	}
	for _, e := range batch {
		if err == nil {
			e.report(nil)
		}
		e.drop()
	}
}
