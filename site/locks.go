package site

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// LoadLock names the lock that a load of files has.
const LoadLock = "load"

// CommitLock names the lock for committing a load: a process that looks for
// documents in the archive just before its commit must not miss another's commit.
const CommitLock = "commit"

// LockRewriting waits for nobody else rewriting files of the archive.
func (s *Site) LockRewriting(ctx context.Context) (h *Lock, err error) {
	if err := s.MayWrite(ctx); err != nil {
		return nil, err
	}
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

// LockDecoding takes the lock that a process holds while it decodes for an edge. If servers share the archive
// it also takes the edge's lease in it.
func (s *Site) LockDecoding(ctx context.Context, edge string) (h *Lock, err error) {
	if err := s.MayWrite(ctx); err != nil {
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	h = &Lock{stop: func() {}}
	if h.file, err = s.TryLock(decodingLock(edge)); err != nil {
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	err = h.share(ctx, s.Sharing, s.Archive, decodingLeases+edge)
	if errors.Is(err, store.ErrHeld) {
		err = fmt.Errorf("%w. Two edges need two names (edge.name); after the death of a server its name is free when that time is over", err)
	}
	if err != nil {
		h.Release()
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	return h, nil
}

func decodingLock(edge string) string { return "drain-" + edge }

// decodingLeases is the folder of the leases of edges that are being decoded for.
const decodingLeases = "_leases/decode/"

// DecodesAlone reports whether no server decodes into the archive except the one that decodes for this edge.
func (s *Site) DecodesAlone(ctx context.Context, edge string) (bool, error) {
	if s.Sharing == nil {
		return true, nil
	}
	for e, err := range s.Archive.List(ctx, decodingLeases) {
		if err != nil {
			return false, fmt.Errorf("look for other edges: %w", err)
		}
		if e.Name == decodingLeases+edge {
			continue
		}
		holder, _, err := store.LeaseHolder(ctx, s.Archive, e.Name, s.Sharing.Now())
		if err != nil || holder != "" {
			return false, err
		}
	}
	return true, nil
}

// LockLoading waits until no other load of files is running.
func (s *Site) LockLoading(ctx context.Context) (h *Lock, err error) {
	if err := s.MayWrite(ctx); err != nil {
		return nil, err
	}
	h = &Lock{stop: func() {}}
	if h.file, err = s.WaitLock(ctx, LoadLock); err != nil {
		return nil, err
	}
	for {
		err = h.share(ctx, s.Sharing, s.Archive, "_leases/load")
		if err == nil {
			return h, nil
		}
		if !errors.Is(err, store.ErrHeld) {
			h.Release()
			return nil, err
		}
		select {
		case <-ctx.Done():
			h.Release()
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// Decodes reports whether a process of this machine decodes for an edge.
func (f LockFiles) Decodes(edge string) bool {
	lock, err := f.TryLock(decodingLock(edge))
	if err != nil {
		return true
	}
	_ = lock.Close()
	return false
}

// Lease takes a lease in the archive and holds it until the release, if servers share the lake. Without sharing
// no lease is needed.
func (s *Site) Lease(ctx context.Context, name string) (*Lock, error) {
	if err := s.MayWrite(ctx); err != nil {
		return nil, err
	}
	h := &Lock{stop: func() {}}
	if err := h.share(ctx, s.Sharing, s.Archive, name); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// LockFollowing excludes others from publishing a table to a catalog: processes of this machine by a lock,
// other servers by a lease in the table's bucket.
func (s *Site) LockFollowing(ctx context.Context, lt *lake.Table) (h *Lock, err error) {
	if err := s.MayWrite(ctx); err != nil {
		return nil, err
	}
	h = &Lock{stop: func() {}}
	if h.file, err = s.WaitLock(ctx, "iceberg-"+lt.Schema.Name); err == nil {
		err = h.share(ctx, s.Sharing, lt.Bucket(), "_leases/iceberg/"+lt.Schema.Name)
	}
	if err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// Locks begins with no partition locked.
func (s *Site) Locks() *Locks { return &Locks{data: &s.Data, files: s.LockFiles} }

// Lend returns Locks that treat all partitions as locked by l, which still holds them.
func (l *Locks) Lend() *Locks { return &Locks{data: l.data, files: l.files, lender: l} }

// RewriteOwner is the archive's owner name for writers that hold LockRewriting.
const RewriteOwner = "replay"
