package loader

import (
	"context"
	"errors"
	"sync"
	"time"
)

// stopPatience is the time after Stop, or after the first failure if that is later, in which an attempt has to reach the archive.
// A request of a bucket that is away takes some 8 seconds, and service managers kill after 30.
const stopPatience = 10 * time.Second

// failing ends decoding that goes on failing after Stop. It is safe for concurrent use.
type failing struct {
	end func()

	mu    sync.Mutex
	last  error // of the attempt before, nil after one that reached the archive
	stop  <-chan struct{}
	timer *time.Timer
}

// newFailing returns a context that ends with errFailing. release frees it.
func newFailing(parent context.Context, stop <-chan struct{}) (ctx context.Context, f *failing, release func()) {
	ctx, cancel := context.WithCancelCause(parent)
	f = &failing{stop: stop, end: func() { cancel(errFailing) }}
	go func() {
		select {
		case <-stop:
			f.watch()
		case <-ctx.Done():
		}
	}()
	return ctx, f, func() {
		cancel(nil)
		f.reached()
	}
}

// errFailing is the cause of a context that failing has ended.
var errFailing = errors.New("decoding fails and is to stop")

func (f *failing) ended(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errFailing) }

func (f *failing) cause() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// failed records the failure of an attempt.
func (f *failing) failed(err error) {
	f.mu.Lock()
	f.last = err
	f.mu.Unlock()
	if isClosed(f.stop) {
		f.watch()
	}
}

// watch begins the time of patience, if attempts fail.
func (f *failing) watch() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil && f.timer == nil {
		f.timer = time.AfterFunc(stopPatience, f.end)
	}
}

// reached records that an attempt has reached the archive: it may take as long as it needs.
func (f *failing) reached() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = nil
	if f.timer != nil {
		f.timer.Stop()
		f.timer = nil
	}
}
