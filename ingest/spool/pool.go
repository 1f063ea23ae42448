package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A file system with the mount option discard reports freed blocks to the disk, and everything else on the disk waits
// meanwhile: some 1.2 ms for each MB, so 80 ms for one segment, and seconds when the segments of a load go together. So
// the files of removed segments wait in a pool, which gives them back to the disk one after the other and in pieces.
const (
	maxFree      = 4       // files that wait to be used again
	releaseBytes = 4 << 20 // at a time
	releasePause = 20 * time.Millisecond
	releaseFiles = 16 // that wait: with more the pauses are shorter
)

// freeFile is the file of a removed segment.
type freeFile struct {
	path  string
	since time.Time
	again bool // it may become a segment
}

// pool holds the files of removed segments until they are reused or deleted.
type pool struct {
	age time.Duration    // for which a file waits to be used again
	now func() time.Time // nil: none is used again
	log *slog.Logger

	mu    sync.Mutex
	files []freeFile // oldest first

	wake  chan struct{}
	hurry chan struct{} // closed: nothing waits any more
	done  chan struct{}
	once  sync.Once
}

func newPool(age time.Duration, now func() time.Time, log *slog.Logger) *pool {
	p := &pool{
		age: age, now: now, log: cmp.Or(log, slog.New(slog.DiscardHandler)),
		wake: make(chan struct{}, 1), hurry: make(chan struct{}), done: make(chan struct{}),
	}
	go p.run()
	return p
}

// add takes in a file whose name is durable; again says whether it may be used again.
func (p *pool) add(path string, again bool) {
	f := freeFile{path: path, again: again && p.now != nil}
	if f.again {
		f.since = p.now()
	}
	p.mu.Lock()
	p.files = append(p.files, f)
	p.mu.Unlock()
	p.look()
}

// take returns the newest file that may be used again, or "".
func (p *pool) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.files) - 1; i >= 0; i-- {
		if f := p.files[i]; f.again {
			p.files = append(p.files[:i], p.files[i+1:]...)
			return f.path
		}
	}
	return ""
}

// look makes the pool give back what is due.
func (p *pool) look() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *pool) run() {
	defer close(p.done)
	for {
		select {
		case <-p.wake:
			p.report(p.drop(false))
		case <-p.hurry:
			return
		}
	}
}

func (p *pool) report(err error) {
	if err != nil {
		p.log.Warn("delete the file of a removed segment", "err", err)
	}
}

// drop gives back the files that are due, or all of them at once.
func (p *pool) drop(all bool) (err error) {
	for {
		path := p.due(all)
		if path == "" {
			return err
		}
		if e := p.release(path, all); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
}

// due takes out the oldest file that is not to be used again, has waited for
// long, or is one too many; "" if there is none.
func (p *pool) due(all bool) (path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := 0
	for _, f := range p.files {
		if f.again {
			again++
		}
	}
	for i, f := range p.files {
		if !all && f.again && again <= maxFree && !p.waitedLong(f) {
			continue
		}
		p.files = append(p.files[:i], p.files[i+1:]...)
		return f.path
	}
	return ""
}

func (p *pool) waitedLong(f freeFile) bool {
	waited := p.now().Sub(f.since)
	return waited < 0 || waited >= p.age
}

// release deletes a file, in pieces unless at once.
func (p *pool) release(path string, atOnce bool) error {
	if !atOnce {
		if err := p.shrink(path); err != nil {
			return fmt.Errorf("release %s: %w", path, err)
		}
	}
	return os.Remove(path)
}

// shrink gives back all of a file but a piece.
func (p *pool) shrink(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for size := info.Size() - releaseBytes; size > 0; size -= releaseBytes {
		if err := errors.Join(f.Truncate(size), f.Sync()); err != nil {
			return err
		}
		select {
		case <-time.After(p.pause()):
		case <-p.hurry:
			return nil
		}
	}
	return nil
}

func (p *pool) pause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return releasePause / time.Duration(1+len(p.files)/releaseFiles)
}

// close gives everything back at once.
func (p *pool) close() error {
	p.once.Do(func() { close(p.hurry) })
	<-p.done
	return p.drop(true)
}

// removeSegment deletes the file of a segment that is not needed any more, by way
// of the pool; again says whether it may become another one.
func (p *pool) removeSegment(g Segment, again bool) error {
	dir := filepath.Dir(g.Path)
	free := filepath.Join(dir, segmentName(g.Edge, g.Number, freeSuffix))
	err := os.Rename(g.Path, free)
	if errors.Is(err, fs.ErrNotExist) {
		return syncDir(dir)
	}
	pooled := err == nil
	if !pooled {
		err = os.Remove(g.Path)
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err == nil && pooled {
		p.add(free, again)
	} else if pooled {
		err = errors.Join(err, os.Remove(free))
	}
	return err
}

// removeFree deletes what a crash left of such files.
func removeFree(dir string, names []os.DirEntry) error {
	for _, e := range names {
		if _, _, ok := parseName(e.Name(), freeSuffix); ok {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove a segment's file: %w", err)
			}
		}
	}
	return nil
}
