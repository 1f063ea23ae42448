package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
)

// Spool is a folder of segments to which one process appends. The same process or another one (see [Follower])
// reads and removes them.
type Spool struct {
	o    Options
	dir  string
	lock *flock.Flock
	read *flock.Flock // the lock of the consumer; nil: another process

	failoverLock *flock.Flock // nil: no second disk

	mu     sync.Mutex
	queue  []*entry // waiting for a commit
	flight []*entry // being written
	want   int      // length of the queue at which the committer is woken
	closed bool

	wake     chan struct{}
	commands chan func()   // run by the committer between commits
	closing  chan struct{} // closed when no entry will come any more
	done     chan struct{} // closed when the committer has ended
	ended    chan struct{} // closed when Close is through
	result   error         // of Close, once ended
	changed  chan struct{}

	queued, last, free              atomic.Int64
	watermark                       atomic.Int64  // records up to it are sealed
	newest                          atomic.Uint64 // number of the segment that was sealed last; 0: not known
	records, bytes, commits, failed atomic.Int64
	stalls, aside                   atomic.Int64
	nearlyFull                      atomic.Bool
	paused                          atomic.Pointer[error]

	// The committer's own.
	active    *active
	unsealed  *active // the one before, until it is sealed
	sealing   bool    // in the background
	sealDone  chan error
	number    uint64 // of the newest segment
	next      chan prepared
	preparing bool

	preparedAt time.Time
	published  time.Time // when the watermark was last written into the floor file

	age     *time.Timer
	batch   []*entry
	aligned []byte
	pace    pace

	floorMu   sync.Mutex
	floorFile *os.File
	kept      mark // what the floor file holds
	slot      int  // and where

	pool     *pool
	failover *failover   // nil: no second disk
	direct   atomic.Bool // the newest segment is written past the page cache

	sealedMu sync.Mutex
	sealed   map[string]Segment // by file name
}

// Open locks the folder for this process, creates it if needed, and recovers from a crash: it cuts torn tails
// and seals segments that were being written.
func Open(dir string, o Options) (*Spool, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	held, err := lock(filepath.Join(dir, lockName), errInUse)
	if err != nil {
		return nil, fmt.Errorf("open spool %s: %w", dir, err)
	}
	var read *flock.Flock
	if o.Decoding {
		if read, err = lockDecoding(dir); err != nil {
			_ = held.Close()
			return nil, fmt.Errorf("open spool %s: %w", dir, err)
		}
	}
	s := &Spool{
		o: o, dir: dir, lock: held, read: read,
		wake:     make(chan struct{}, 1),
		commands: make(chan func()),
		closing:  make(chan struct{}),
		done:     make(chan struct{}),
		ended:    make(chan struct{}),
		changed:  make(chan struct{}, 1),
		next:     make(chan prepared, 1),

		sealDone: make(chan error, 1),
		age:      time.NewTimer(o.SegmentAge),
		sealed:   map[string]Segment{},
	}
	s.age.Stop()
	s.pool = newPool(o.SegmentAge, o.Now, o.Log)
	err = s.claimFailover()
	if err == nil {
		err = s.recover()
	}
	if err == nil {
		err = s.openFailover()
	}
	if err != nil {
		_ = errors.Join(s.pool.close(), s.floorFile.Close(), s.unlock())
		return nil, fmt.Errorf("open spool: %w", err)
	}
	s.lookAtDisk()
	go s.run()
	return s, nil
}

// makeDir makes a folder, and those above it, and their names durable.
func makeDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	parent := filepath.Dir(dir)
	if !errors.Is(err, fs.ErrNotExist) || parent == dir {
		return err
	}
	if err := makeDir(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// Close refuses new records, finishes those it accepted, seals the active segment and releases the folder.
// Another call waits for the first one.
func (s *Spool) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.mu.Unlock()
	if !first {
		<-s.ended
		return s.result
	}
	close(s.closing)
	<-s.done
	clean := false // nothing is on the second disk alone
	var err error
	if s.failover != nil {
		if clean, err = s.failover.close(); !clean {
			s.o.Log.Error("the second folder has submissions that the first one lacks: open the spool again with both", "dir", s.dir, "second", s.o.Second)
		}
	}
	err = errors.Join(err, s.sealActive())
	if s.active != nil {
		if s.active.sum.records == 0 {
			err = errors.Join(err, s.active.discard())
		}
		s.active.close()
	}
	if a := s.takePrepared(); a != nil {
		err = errors.Join(err, a.discard())
	}
	err = errors.Join(err, s.pool.close())
	if err == nil && clean {
		err = s.forgetFailover()
	}
	if err == nil {
		_, err = s.advance()
	}
	s.age.Stop()
	s.floorMu.Lock()
	err = errors.Join(err, s.floorFile.Close())
	s.floorFile = nil
	s.floorMu.Unlock()
	s.result = errors.Join(err, s.unlock())
	close(s.ended)
	return s.result
}

// unlock releases the folder.
func (s *Spool) unlock() error {
	err := s.lock.Close()
	for _, l := range []*flock.Flock{s.read, s.failoverLock} {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
	}
	return err
}

// Changed receives after segments were sealed.
func (s *Spool) Changed() <-chan struct{} { return s.changed }

// Sealed lists the sealed segments, oldest first.
func (s *Spool) Sealed() ([]Segment, error) {
	s.sealedMu.Lock()
	defer s.sealedMu.Unlock()
	return listSealed(s.dir, s.sealed)
}

func (s *Spool) addSealed(g Segment) {
	s.sealedMu.Lock()
	s.sealed[filepath.Base(g.Path)] = g
	s.sealedMu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Remove deletes a sealed segment whose records are in the archive, or reuses its file for a later segment. Its
// number and timestamps are not reused. A missing segment is not an error. It must not be called after Close.
func (s *Spool) Remove(g Segment) error {
	name := segmentName(g.Edge, g.Number, sealedSuffix)
	if err := s.raiseMark(mark{last: g.Last, number: g.Number}); err != nil {
		return fmt.Errorf("remove segment %s: %w", name, err)
	}
	g.Path = filepath.Join(s.dir, name)
	if err := s.pool.removeSegment(g, s.usable(g)); err != nil {
		return fmt.Errorf("remove segment %s: %w", name, err)
	}
	s.sealedMu.Lock()
	delete(s.sealed, name)
	s.sealedMu.Unlock()
	return nil
}

// Stats returns the present counts.
func (s *Spool) Stats() Stats {
	t := Stats{
		Queued: s.queued.Load(), Records: s.records.Load(), Bytes: s.bytes.Load(),
		Commits: s.commits.Load(), Failed: s.failed.Load(), Free: s.free.Load(),
		Stalls: s.stalls.Load(), Aside: s.aside.Load(),
	}
	s.sealedMu.Lock()
	defer s.sealedMu.Unlock()
	for _, g := range s.sealed {
		t.Sealed++
		t.SealedBytes += g.Bytes
	}
	return t
}
