package etl

import (
	"context"
	"fmt"

	"github.com/gofrs/flock"
)

// loadLock names the lock that a load of files has.
const loadLock = "load"

// commitLock names the lock of who commits a load: what one looks for in the
// archive just before is not brought by the other.
const commitLock = "commit"

// lockRewriting waits for nobody else rewriting files of the archive.
func (s *Site) lockRewriting(ctx context.Context) (h *unitLock, err error) {
	h = &unitLock{stop: func() {}}
	if h.file, err = s.tryLock("rewriting"); err != nil {
		return nil, fmt.Errorf("replay, or removal of rows: %w", err)
	}
	if err := h.share(ctx, s.Sharing, s.Archive, "_leases/rewriting"); err != nil {
		h.release()
		return nil, err
	}
	return h, nil
}

// lockDrain takes the lock that a process has while it decodes for an edge.
func (s *Site) lockDrain(edge string) (*flock.Flock, error) {
	lock, err := s.tryLock("drain-" + edge)
	if err != nil {
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	return lock, nil
}

// drains says whether a process of this machine decodes for an edge.
func (s *Site) drains(edge string) bool {
	lock, err := s.lockDrain(edge)
	if err != nil {
		return true
	}
	_ = lock.Close()
	return false
}

// lease takes, where servers share the lake, a lease in the archive, which is kept until the release. Without
// sharing everything is ours.
func (s *Site) lease(ctx context.Context, name string) (*unitLock, error) {
	h := &unitLock{stop: func() {}}
	if err := h.share(ctx, s.Sharing, s.Archive, name); err != nil {
		h.release()
		return nil, err
	}
	return h, nil
}

// unitLocks begins with no partition locked.
func (s *Site) unitLocks() *unitLocks { return &unitLocks{site: s} }

// lend gives locks that count all partitions as locked by the lender, who keeps them.
func (l *unitLocks) lend() *unitLocks { return &unitLocks{site: l.site, lender: l} }
