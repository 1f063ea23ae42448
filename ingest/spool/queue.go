package spool

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// queue holds the entries that wait for a commit and gives them timestamps. It is safe for concurrent use.
type queue struct {
	options *Options

	mu      sync.Mutex
	pending []*entry // waiting for a commit
	flight  []*entry // being written
	want    int      // length of pending at which the committer is woken
	closed  bool

	wake    chan struct{}
	closing chan struct{} // closed when no entry will come any more

	bytes atomic.Int64 // of the entries that are not concluded
	last  atomic.Int64 // timestamp of the newest entry

	batch    []*entry  // memory of the batch that take returned
	failover *failover // nil: no second disk
}

func (q *queue) init(o *Options) {
	q.options = o
	q.wake, q.closing = make(chan struct{}, 1), make(chan struct{})
}

// enqueue hands an entry to the committer; false after Close. The committer is
// woken by the first entry and by the one that completes what it waits for.
func (q *queue) enqueue(e *entry) bool {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return false
	}
	q.pending = append(q.pending, e)
	n := len(q.pending)
	wake := n == 1 || n == q.want
	if q.failover != nil {
		q.failover.queued(n)
	}
	q.mu.Unlock()
	if wake {
		q.signal()
	}
	return true
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// primaryDone ends the flight of a batch.
func (q *queue) primaryDone(batch []*entry, ok bool, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.flight = nil
	if !ok || q.failover == nil {
		return
	}
	journaled := 0
	for _, e := range batch {
		e.onPrimary = true
		if e.onFailover {
			journaled++
		}
	}
	q.failover.primaryDone(journaled, took)
}

// conclude reports the result of a batch and gives its bytes. What was not
// written here, and was acknowledged from the second disk, is tried again.
func (q *queue) conclude(batch []*entry, err error) (bytes int64) {
	var again []*entry
	for i, e := range batch {
		batch[i] = nil
		n := int64(len(e.buf))
		q.bytes.Add(-n) // first: an appender that reads Stats after its Append does not find its own entry in the queue
		if !e.report(err) && err != nil {
			q.bytes.Add(n)
			again = append(again, e)
			continue
		}
		bytes += n
		e.drop()
	}
	if len(again) > 0 {
		q.tryAgain(again)
	}
	return bytes
}

// tryAgain puts entries before all others. When the spool is being closed they
// stay on the second disk.
func (q *queue) tryAgain(again []*entry) {
	select {
	case <-q.closing:
		return
	default:
	}
	q.mu.Lock()
	q.pending = slices.Concat(again, q.pending)
	q.mu.Unlock()
	time.AfterFunc(retryPause, q.signal)
}

// take removes the entries of the next batch from the queue; size is the number of bytes that they take in the segment.
// Entries without a waiting caller are dropped.
func (q *queue) take() (batch []*entry, size int64) {
	limit := min(maxBatch, q.options.SegmentBytes-block)
	q.mu.Lock()
	defer q.mu.Unlock()
	batch = q.batch[:0]
	n := 0
	for _, e := range q.pending {
		bytes := int64(len(e.buf))
		if e.abandoned.Load() {
			q.bytes.Add(-bytes)
			e.drop()
			n++
			continue
		}
		if len(batch) > 0 && (size+bytes > limit || (q.options.Sync == SyncEach || q.options.Sync == SyncAppend)) {
			break
		}
		batch, size = append(batch, e), size+bytes
		n++
	}
	rest := copy(q.pending, q.pending[n:])
	clear(q.pending[rest:])
	q.pending = q.pending[:rest]
	if rest > 0 {
		q.signal()
	}
	q.batch = batch[:0]
	q.flight = batch
	if q.failover != nil && len(batch) > 0 {
		q.failover.watch(batch[0])
	}
	return batch, size
}

// stamp gives timestamps to entries that have none: about now, never one that was
// used. Under mu.
func (q *queue) stamp(batch []*entry) {
	now := q.options.Now().UnixNano()
	for _, e := range batch {
		if e.timestamp == 0 {
			e.timestamp = max(now, q.last.Load()+1)
			q.last.Store(e.timestamp)
		}
	}
}

// settled returns the largest timestamp below all records that are not on disk yet.
func (q *queue) settled() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.settledLocked()
}

func (q *queue) settledLocked() int64 {
	for _, waiting := range [][]*entry{q.flight, q.pending} {
		if len(waiting) > 0 && waiting[0].timestamp != 0 {
			return waiting[0].timestamp - 1
		}
	}
	return q.last.Load()
}

// present returns a timestamp about now, below all records that are not on disk yet.
func (q *queue) present() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := q.settledLocked(); at < q.last.Load() {
		return at
	}
	now := max(q.options.Now().UnixNano(), q.last.Load())
	q.last.Store(now)
	return now
}

// longest returns the entry that has waited longest for the first disk, or nil. The caller holds mu.
func (q *queue) longest() *entry {
	for _, waiting := range [][]*entry{q.flight, q.pending} {
		if len(waiting) > 0 {
			return waiting[0]
		}
	}
	return nil
}

// enough reports whether n entries wait; if not, the committer will be woken when they do.
func (q *queue) enough(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.want = n
	return len(q.pending) >= n
}
