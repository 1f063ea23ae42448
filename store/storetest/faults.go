// Package storetest holds a Bucket with injected faults, for the tests of packages
// that write to one.
package storetest

import (
	"errors"
	"fmt"
	"sync"
	"syscall"

	"github.com/pingmill/pingmill/store"
)

// ErrStopped is the error of every operation after the process has, so to
// speak, been killed. See Faults.StopAfter.
var ErrStopped = errors.New("stopped by the test")

// Faults is a Bucket that passes everything on to another, and fails on
// request. It counts the operations that change something: Create, Write, Commit,
// Delete, CompareAndSwap, Rename, Exchange, LinkAll, MakeDir, DeleteTree and Tidy.
// It has directories if the Bucket inside has.
type Faults struct {
	inner store.Bucket

	mu      sync.Mutex
	ops     int
	stopAt  int // first operation that does not happen; 0: none
	failAt  int
	failErr error
	lose    bool // it fails after it has happened
	old     map[string]bool
	space   int64
	full    bool // whether space counts
	without map[string]bool
	pauseAt int // the operation before which pause is called; 0: none
	pause   func()

	swapping sync.Mutex
}

// NewFaults returns a Bucket that has no faults yet.
func NewFaults(b store.Bucket) *Faults {
	return &Faults{inner: b, without: map[string]bool{}}
}

// StopAfter lets n more changing operations happen. Every operation after
// that, reading included, fails with ErrStopped and does nothing; an Abort
// leaves the unfinished write as it is, as a killed process would.
func (f *Faults) StopAfter(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopAt = f.ops + n + 1
}

// Revive ends what StopAfter has begun, as if the process had been started again.
func (f *Faults) Revive() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopAt = 0
}

// PauseAt calls a function before the nth changing operation from now, which waits
// for it: meanwhile this process is stopped there as if by SIGSTOP. This
// is never in the middle of a CompareAndSwap, whose lock would keep others from theirs.
func (f *Faults) PauseAt(n int, pause func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pauseAt, f.pause = f.ops+n, pause
}

// FailAt makes the nth changing operation from now fail with err and lets the
// others happen.
func (f *Faults) FailAt(n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failAt, f.failErr, f.lose = f.ops+n, err, false
}

// LoseAt makes the nth changing operation from now fail with err after it has happened:
// its answer is lost.
func (f *Faults) LoseAt(n int, err error) {
	f.FailAt(n, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lose = true
}

// OldLists keeps what is written from now on out of all listings.
func (f *Faults) OldLists() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.old = map[string]bool{}
}

// written notes that an object was written.
func (f *Faults) written(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.old != nil {
		f.old[name] = true
	}
}

// unlisted reports whether listings do not have an object yet.
func (f *Faults) unlisted(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.old[name]
}

// FullAfter lets this many more bytes be written; then writes are short and
// fail with syscall.ENOSPC.
func (f *Faults) FullAfter(bytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.space, f.full = bytes, true
}

// Without takes something away: "exchange", "link", or with "rename" all that is in
// store.Dirs.
func (f *Faults) Without(op string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.without[op] = true
}

// Lacks reports whether Without has removed an operation.
func (f *Faults) Lacks(op string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.without[op]
}

// Ops returns the number of changing operations so far.
func (f *Faults) Ops() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ops
}

// Stopped reports whether StopAfter has taken effect.
func (f *Faults) Stopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped()
}

func (f *Faults) stopped() bool { return f.stopAt > 0 && f.ops >= f.stopAt }

// change counts a changing operation and returns the error it must fail with.
func (f *Faults) change(op, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.without[op] {
		return fmt.Errorf("%s %s: %w", op, name, errors.ErrUnsupported)
	}
	f.ops++
	if f.ops == f.pauseAt {
		f.mu.Unlock()
		f.swapping.Lock()
		f.pause()
		f.swapping.Unlock()
		f.mu.Lock()
	}
	if f.stopped() {
		return fmt.Errorf("%s %s: %w", op, name, ErrStopped)
	}
	if f.ops == f.failAt && !f.lose {
		return fmt.Errorf("%s %s: %w", op, name, f.failErr)
	}
	return nil
}

// answer is the error that the caller gets of the last operation.
func (f *Faults) answer(op, name string, err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ops == f.failAt && f.lose && err == nil {
		f.failAt = 0
		return fmt.Errorf("%s %s: %w", op, name, f.failErr)
	}
	return err
}

// read returns the error that an operation that changes nothing must fail with.
func (f *Faults) read(op, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stopped() {
		return fmt.Errorf("%s %s: %w", op, name, ErrStopped)
	}
	return nil
}

// take returns how many of n bytes still fit.
func (f *Faults) take(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.full {
		return n
	}
	n = int(min(int64(n), f.space))
	f.space -= int64(n)
	return n
}

type faultyWriter struct {
	store.Writer
	faults *Faults
	name   string
	failed error
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if err := w.faults.change("write", w.name); err != nil {
		w.failed = err
		return 0, err
	}
	fits := w.faults.take(len(p))
	n, err := w.Writer.Write(p[:fits])
	if err == nil && fits < len(p) {
		err = fmt.Errorf("write %s: %w", w.name, syscall.ENOSPC)
	}
	if err != nil {
		w.failed = err
	}
	return n, err
}

func (w *faultyWriter) Commit() error {
	err := w.faults.change("commit", w.name)
	if err == nil {
		err = w.failed
	}
	if err != nil {
		w.Abort()
		return err
	}
	if err = w.Writer.Commit(); err == nil {
		w.faults.written(w.name)
	}
	return w.faults.answer("commit", w.name, err)
}

func (w *faultyWriter) Abort() error {
	if err := w.faults.read("abort", w.name); err != nil {
		return err
	}
	return w.Writer.Abort()
}
