package site

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// LoadLock names the lock that a load of files has.
const LoadLock = "load"

// CommitLock names the lock for committing a load: a process that looks for
// documents in the archive just before its commit must not miss another's commit.
const CommitLock = "commit"

// LockRewriting waits for nobody else rewriting files of the archive.
func (s *Site) LockRewriting(ctx context.Context) (*Lock, error) {
	return s.lock(ctx, wanted{bucket: s.Archive, lease: "_leases/rewriting", file: func() (*flock.Flock, error) {
		file, err := s.TryLock("rewriting")
		if err != nil {
			return nil, fmt.Errorf("replay, or removal of rows: %w", err)
		}
		return file, nil
	}})
}

// LockDecoding takes the lock that a process holds while it decodes for an edge. If servers share the archive
// it also takes the edge's lease in it.
func (s *Site) LockDecoding(ctx context.Context, edge string) (*Lock, error) {
	h, err := s.lock(ctx, wanted{
		file:   func() (*flock.Flock, error) { return s.TryLock(decodingLock(edge)) },
		bucket: s.Archive, lease: decodingLeases + edge, times: decodingTimes,
	})
	if errors.Is(err, store.ErrHeld) {
		err = fmt.Errorf("%w. Two edges need two names (edge.name); after the death of a server its name is free when that time is over", err)
	}
	if err != nil {
		return nil, fmt.Errorf("decode for edge %s: %w", edge, err)
	}
	return h, nil
}

// decodingTimes makes the lease of an edge longer than others. It is held day and night, so renewing it makes most of the
// requests of an idle server; only a spool that is moved to another server waits for its end.
const decodingTimes = 5

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
func (s *Site) LockLoading(ctx context.Context) (*Lock, error) {
	for {
		h, err := s.lock(ctx, wanted{
			file:   func() (*flock.Flock, error) { return s.WaitLock(ctx, LoadLock) },
			bucket: s.Archive, lease: "_leases/load",
		})
		if !errors.Is(err, store.ErrHeld) {
			return h, err
		}
		if err := clock.Wait(ctx, time.Second); err != nil {
			return nil, err
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
	return s.lock(ctx, wanted{bucket: s.Archive, lease: name})
}

// LockFollowing excludes others from publishing a table to a catalog: processes of this machine by a lock,
// other servers by a lease in the table's bucket.
func (s *Site) LockFollowing(ctx context.Context, lt *lake.Table) (*Lock, error) {
	return s.lock(ctx, wanted{
		file:   func() (*flock.Flock, error) { return s.WaitLock(ctx, "iceberg-"+lt.Schema.Name) },
		bucket: lt.Bucket(), lease: "_leases/iceberg/" + lt.Schema.Name,
	})
}

// Locks begins with no partition locked.
func (s *Site) Locks() *Locks { return &Locks{data: &s.Data, files: s.LockFiles} }

// Lend returns Locks that treat all partitions as locked by l, which still holds them.
func (l *Locks) Lend() *Locks { return &Locks{data: l.data, files: l.files, lender: l} }

// RewriteOwner is the archive's owner name for writers that hold LockRewriting.
const RewriteOwner = "replay"
