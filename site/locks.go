package site

import (
	"context"
	"fmt"

	"github.com/gofrs/flock"
)

// LoadLock names the lock that a load of files has.
const LoadLock = "load"

// CommitLock names the lock for committing a load: a process that looks for
// documents in the archive just before its commit must not miss another's commit.
const CommitLock = "commit"

// LockRewriting waits for nobody else rewriting files of the archive.
func (s *Site) LockRewriting(ctx context.Context) (h *Lock, err error) {
	h = &Lock{stop: func() {}}
	if h.file, err = s.TryLock("rewriting"); err != nil {
		return nil, fmt.Errorf("replay, or removal of rows: %w", err)
	}
	if err := h.share(ctx, s.Sharing, s.Archive, "_leases/rewriting"); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// LockDecoding takes the lock that a process has while it decodes for an edge.
func (f LockFiles) LockDecoding(edge string) (*flock.Flock, error) {
	lock, err := f.TryLock("drain-" + edge)
	if err != nil {
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	return lock, nil
}

// Decodes says whether a process of this machine decodes for an edge.
func (f LockFiles) Decodes(edge string) bool {
	lock, err := f.LockDecoding(edge)
	if err != nil {
		return true
	}
	_ = lock.Close()
	return false
}

// Lease takes, where servers share the lake, a lease in the archive, which is kept until the release. Without
// sharing everything is ours.
func (s *Site) Lease(ctx context.Context, name string) (*Lock, error) {
	h := &Lock{stop: func() {}}
	if err := h.share(ctx, s.Sharing, s.Archive, name); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// Locks begins with no partition locked.
func (s *Site) Locks() *Locks { return &Locks{data: &s.Data, files: s.LockFiles} }

// Lend gives locks that count all partitions as locked by the lender, who keeps them.
func (l *Locks) Lend() *Locks { return &Locks{data: l.data, files: l.files, lender: l} }

// RewriteOwner is the archive's name for the writers that have LockRewriting.
const RewriteOwner = "replay"
