package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
)

// Spool is a folder of segments to which one process appends. The same process or another one (see [Follower])
// reads and removes them. Its parts have one job each: queue holds the records that wait, writer writes and seals
// segments, failover journals on a second disk. Spool itself opens and closes them and runs the committer.
type Spool struct {
	writer

	lock *flock.Flock
	read *flock.Flock // the lock of the consumer; nil: another process

	commands chan func()   // run by the committer between commits
	done     chan struct{} // closed when the committer has ended
	ended    chan struct{} // closed when Close is through
	result   error         // of Close, once ended

	free                            atomic.Int64
	records, bytes, commits, failed atomic.Int64

	// The committer's own.
	pace      pace
	published time.Time // when the watermark was last written into the floor file
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
		lock: held, read: read,
		commands: make(chan func()),
		done:     make(chan struct{}),
		ended:    make(chan struct{}),
	}
	s.writer.init(dir, o)
	err = s.failoverDir.claim()
	if err == nil {
		err = s.recover()
	}
	if err == nil {
		err = s.openFailover()
	}
	if err != nil {
		_ = errors.Join(s.pool.close(), s.floor.close(), s.unlock())
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
			s.o.Log.Error("the second folder has submissions that the first one lacks: open the spool again with both", "dir", s.dir, "second",
				s.o.Failover)
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
		err = s.failoverDir.forget()
	}
	if err == nil {
		_, err = s.advance()
	}
	s.age.Stop()
	err = errors.Join(err, s.floor.close())
	s.result = errors.Join(err, s.unlock())
	close(s.ended)
	return s.result
}

// unlock releases the folder.
func (s *Spool) unlock() error {
	err := s.lock.Close()
	for _, l := range []*flock.Flock{s.read, s.failoverDir.lock} {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
	}
	return err
}

// Changed receives after segments were sealed.
func (s *Spool) Changed() <-chan struct{} { return s.catalog.changed }

// Remove deletes a sealed segment whose records are in the archive, or reuses its file for a later segment. Its
// number and timestamps are not reused. A missing segment is not an error. It must not be called after Close.
func (w *writer) Remove(g Segment) error {
	name := segmentName(g.Edge, g.Number, sealedSuffix)
	if err := w.floor.raise(mark{last: g.Last, number: g.Number}); err != nil {
		return fmt.Errorf("remove segment %s: %w", name, err)
	}
	g.Path = filepath.Join(w.dir, name)
	if err := w.pool.removeSegment(g, w.usable(g)); err != nil {
		return fmt.Errorf("remove segment %s: %w", name, err)
	}
	w.catalog.remove(name)
	return nil
}

// Stats returns the present counts.
func (s *Spool) Stats() Stats {
	t := Stats{
		Queued: s.queue.bytes.Load(), Records: s.records.Load(), Bytes: s.bytes.Load(),
		Commits: s.commits.Load(), Failed: s.failed.Load(), Free: s.free.Load(),
	}
	if s.failover != nil {
		t.Stalls, t.Aside = s.failover.stalls.Load(), s.failover.aside.Load()
	}
	s.catalog.count(&t)
	return t
}
