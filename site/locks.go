package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// LoadLock names the lock that a load of files has.
const LoadLock = "load"

// CommitLock names the lock for committing a load: a process that looks for
// documents in the archive just before its commit must not miss another's commit.
const CommitLock = "commit"

// LockRewriting takes the right to rewrite files of the archive. It does not wait for others that have it, alone or together.
func (s *Site) LockRewriting(ctx context.Context) (*Lock, error) {
	h, err := s.lockRewriting(ctx, false)
	if err != nil {
		return nil, err
	}
	// Removers that lost their lease may not know it yet. Without their stages they cannot commit.
	for e, err := range store.Children(ctx, s.Archive, naming.Staging) {
		owner := strings.TrimSuffix(strings.TrimPrefix(e.Name, naming.Staging+"/"), "/")
		if err == nil && strings.HasPrefix(owner, removalOwner) {
			err = archive.FinishStages(ctx, s.Archive, owner)
		}
		if err != nil {
			h.Release()
			return nil, fmt.Errorf("finish what removers have left: %w", err)
		}
	}
	return h, nil
}

// JoinRewriting takes the right to rewrite files of the archive together with other servers that remove the same rows, but not with
// other processes of this one. Each of them needs a lease for its part of the work, such as a day.
func (s *Site) JoinRewriting(ctx context.Context) (*Lock, error) {
	h, err := s.lockRewriting(ctx, true)
	if err != nil {
		return nil, err
	}
	if err := archive.FinishStages(ctx, s.Archive, RewriteOwner); err != nil { // as above
		h.Release()
		return nil, fmt.Errorf("finish what a replay has left: %w", err)
	}
	return h, nil
}

func (s *Site) lockRewriting(ctx context.Context, joint bool) (*Lock, error) {
	return s.lock(ctx, wanted{bucket: s.Archive, lease: "_leases/rewriting", joint: joint, file: func() (*flock.Flock, error) {
		file, err := s.TryLock("rewriting")
		if err != nil {
			return nil, fmt.Errorf("replay, or removal of rows: %w", err)
		}
		return file, nil
	}})
}

// RewriteOwner is the archive's owner name for writers that hold LockRewriting.
const RewriteOwner = "replay"

const removalOwner = "removal-"

// RemovalOwner returns the owner name for the one writer that holds JoinRewriting and rewrites files of a day; "": of no day.
func RemovalOwner(day string) string { return removalOwner + cmp.Or(day, "none") }

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
