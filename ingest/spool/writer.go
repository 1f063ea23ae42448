package spool

import (
	"fmt"
	"sync/atomic"
	"time"
)

// writer writes records into the active segment and seals segments. Only the committer calls its methods that change
// segments; Open and Close do so while the committer does not run.
type writer struct {
	segmentFiles
	queue

	floor       floor
	catalog     catalog
	failoverDir failoverDir

	watermark atomic.Int64  // records up to it are sealed
	newest    atomic.Uint64 // number of the segment that was sealed last; 0: not known
	paused    atomic.Pointer[error]

	active    *active
	unsealed  *active // the one before, until it is sealed
	sealing   bool    // in the background
	sealDone  chan error
	number    uint64 // of the newest segment
	next      chan *active
	preparing bool

	preparedAt time.Time
	age        *time.Timer
	aligned    []byte
}

func (w *writer) init(dir string, o Options) {
	w.o, w.dir = o, dir
	w.pool = newPool(o.SegmentAge, o.Now, o.Log)
	w.queue.init(&w.o)
	w.catalog = newCatalog(dir)
	w.failoverDir = failoverDir{o: &w.o, dir: dir}
	w.sealDone, w.next = make(chan error, 1), make(chan *active, 1)
	w.age = time.NewTimer(o.SegmentAge)
	w.age.Stop()
}

// Sealed lists the sealed segments, oldest first.
func (w *writer) Sealed() ([]Segment, error) { return w.catalog.Sealed() }

// prepare makes the next segment in the background. If that fails, the segment is made again when it is needed.
func (w *writer) prepare() {
	w.number++
	number, after := w.number, w.settled()
	w.preparing, w.preparedAt = true, w.o.Now()
	go func() {
		a, _ := w.create(number, after)
		w.next <- a
	}()
}

// takePrepared waits for the segment that is made in the background; nil if
// there is none.
func (w *writer) takePrepared() *active {
	if !w.preparing {
		return nil
	}
	w.preparing = false
	return <-w.next
}

// ready makes sure that the active segment takes need bytes. After a failure it
// says so for a while without trying again.
func (w *writer) ready(need int64) error {
	if a := w.active; a != nil && !a.broken && a.off+need <= a.size {
		return nil
	}
	if err := w.paused.Load(); err != nil {
		return *err
	}
	err := w.finishSealing()
	if err == nil {
		err = w.retire()
	}
	if err == nil {
		err = w.begin()
	}
	if err != nil {
		err = w.classify(err)
		w.paused.Store(&err)
		time.AfterFunc(retryPause, func() { w.paused.Store(nil) })
	}
	return err
}

// begin makes a new segment the active one.
func (w *writer) begin() error {
	a := w.takePrepared()
	if a == nil {
		w.number++
		var err error
		if a, err = w.create(w.number, w.settled()); err != nil {
			return err
		}
	}
	w.active = a
	w.prepare()
	return nil
}

// failSegment ends the active segment at the last durable offset after a write
// failed. If even that fails, the next append tries again.
func (w *writer) failSegment(cause error) error {
	w.active.broken = true
	w.o.Log.Error("a commit failed", "err", cause)
	if err := w.sealActive(); err != nil {
		w.o.Log.Error("seal a segment after a failed commit", "err", err)
	}
	return w.classify(cause)
}

func (w *writer) classify(err error) error {
	if diskFull(err) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// write puts a batch on disk with one write.
func (w *writer) write(batch []*entry, size int64) error {
	if err := w.ready(whole(size)); err != nil {
		return err
	}
	a := w.active
	w.mu.Lock()
	w.stamp(batch)
	w.mu.Unlock()
	buf := w.buffer(whole(size))
	u := a.fill(buf, batch)
	err := a.write(buf, w.o.Sync != SyncNone)
	if err != nil {
		return w.failSegment(fmt.Errorf("write segment %s: %w", a.path, err))
	}
	if a.sum.records == 0 {
		w.age.Reset(w.o.SegmentAge)
	}
	a.sum, a.off = u, a.off+int64(len(buf))
	return nil
}

// buffer returns the aligned memory of a commit.
func (w *writer) buffer(size int64) []byte {
	if size > maxBatch+block {
		return alignedBuffer(size) // rare: one very large record
	}
	if w.aligned == nil {
		w.aligned = alignedBuffer(min(maxBatch, w.o.SegmentBytes) + block)
	}
	return w.aligned[:size]
}
