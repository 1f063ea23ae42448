package etl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/pingmill/pingmill/job"
)

// unitLocks are the partitions of the direct tables that this process is
// making. Besides the runs that hold the ledger, the service adds to them while
// pings arrive, so each has a lock of its own, a file in the installation.
type unitLocks struct {
	dir string // "": nothing else can be at work

	mu   sync.Mutex
	held map[job.Unit]*flock.Flock
}

// lockPause is how long to wait before asking for a lock again.
const lockPause = 20 * time.Millisecond

// lock waits until nobody else makes the partition. A partition that is locked
// already stays so.
func (l *unitLocks) lock(ctx context.Context, u job.Unit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir == "" || l.held[u] != nil {
		return nil
	}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return fmt.Errorf("lock %v: %w", u, err)
	}
	f := flock.New(filepath.Join(l.dir, u.Table+"-"+u.Day+".lock"))
	if _, err := f.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("lock %v: %w", u, err)
	}
	if l.held == nil {
		l.held = map[job.Unit]*flock.Flock{}
	}
	l.held[u] = f
	return nil
}

func (l *unitLocks) unlock(u job.Unit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.held[u]; f != nil {
		_ = f.Close() // the system gives up the lock with the file
		delete(l.held, u)
	}
}

func (l *unitLocks) unlockAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for u, f := range l.held {
		_ = f.Close()
		delete(l.held, u)
	}
}
