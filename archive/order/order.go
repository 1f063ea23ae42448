package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Options say who commits, and how long others are waited for.
type Options struct {
	By  string // names the server and what it commits for; a server that comes again has the same
	Now func() time.Time
	// Settle finishes or drops what a server has left that died after it got its
	// turn, and says whether the load is in the archive. It may be called beside a
	// server that is only slow, and by several servers at once.
	Settle func(context.Context, Entry) (done bool, err error)
	// Pause is the time between two looks at a commit that is under way, and Looks
	// how many without any change are taken for the death of its server: half a
	// second, 120.
	Pause time.Duration
	Looks int
	// Keep is how long entries are kept: 4 days.
	Keep time.Duration
}

func (o *Options) defaults() {
	if o.Pause <= 0 {
		o.Pause = 500 * time.Millisecond
	}
	if o.Looks <= 0 {
		o.Looks = 120
	}
	if o.Keep <= 0 {
		o.Keep = 4 * 24 * time.Hour
	}
}

// Log is the order of commits as one server knows it. One goroutine may use it.
type Log struct {
	bucket store.Bucket
	o      Options
	chunk  int // that has the next entry
	read   int // its entries that are known
	own    map[string]bool
}

// ErrBehind says that others have committed since: see News.
var ErrBehind = errors.New("other servers have committed meanwhile")

// Open opens the order of an archive, and knows nothing of it yet.
func Open(ctx context.Context, b store.Bucket, o Options) (*Log, error) {
	o.defaults()
	numbers, err := chunks(ctx, b)
	if err != nil {
		return nil, err
	}
	l := &Log{bucket: b, o: o, chunk: 1, own: map[string]bool{}}
	if len(numbers) > 0 {
		l.chunk = numbers[0]
	}
	return l, nil
}

// News are the commits that ended since the last call and are not this Log's own, in
// their order; those that never became visible are left out.
func (l *Log) News(ctx context.Context) (all []Entry, err error) {
	for {
		c, err := l.current(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range c.Entries[l.read:] {
			if e.State == stateBegun {
				return all, nil
			}
			if e.Done() && !l.own[e.Stage] {
				all = append(all, e)
			}
			l.read++
		}
		if !c.full() {
			return all, nil
		}
		l.chunk, l.read = l.chunk+1, 0
	}
}

// current reads the chunk that has the next entry.
func (l *Log) current(ctx context.Context) (*chunk, error) {
	c, err := l.at(ctx, l.chunk)
	if err == nil && len(c.Entries) < l.read {
		err = &BadError{c.name, "has lost entries"}
	}
	return c, err
}

// Begin gives a load its turn: until End no other server commits, and News has given
// all commits before it. If it has not, the error is ErrBehind, and nothing
// happened. After another error the load may have its turn: see Had.
func (l *Log) Begin(ctx context.Context, load, stage string) error {
	for {
		c, err := l.tail(ctx, stage)
		if err != nil {
			return err
		}
		if e := c.last(); e != nil && e.is(load, stage) && e.State == stateBegun {
			l.own[stage] = true
			return nil // an attempt that had no answer
		}
		if c.name != chunkName(l.chunk) || len(c.Entries) != l.read {
			return ErrBehind
		}
		next := Entry{Load: load, By: l.o.By, Stage: stage, At: l.o.Now().UnixNano()}
		err = c.swap(ctx, l.bucket, append(c.Entries, next))
		if err == nil {
			l.own[stage] = true
			if l.read == 0 {
				l.prune(ctx)
			}
			return nil
		}
		if !errors.Is(err, store.ErrChanged) {
			return l.unknown(ctx, load, stage, err)
		}
	}
}

// Recover ends what this server began before it died.
func (l *Log) Recover(ctx context.Context) error {
	numbers, err := chunks(ctx, l.bucket)
	if err != nil || len(numbers) == 0 {
		return err
	}
	c, err := readChunk(ctx, l.bucket, numbers[len(numbers)-1])
	if e := c.last(); err == nil && e != nil && e.State == stateBegun && e.By == l.o.By {
		err = l.settle(ctx, c)
	}
	return err
}

// unknown looks whether a swap that failed has happened all the same.
func (l *Log) unknown(ctx context.Context, load, stage string, failed error) error {
	c, err := readChunk(context.WithoutCancel(ctx), l.bucket, l.chunk)
	if err != nil {
		return errors.Join(failed, err)
	}
	if e := c.last(); e != nil && e.is(load, stage) && e.State == stateBegun && ctx.Err() == nil {
		l.own[stage] = true
		return nil
	}
	return failed
}

// tail reads the last chunk, of whose last commit the end is waited for, unless it
// is that of a stage.
func (l *Log) tail(ctx context.Context, stage string) (*chunk, error) {
	n, waited, was := l.chunk, 0, ""
	for {
		c, err := l.at(ctx, n)
		if err != nil {
			return nil, err
		}
		e := c.last()
		switch {
		case e == nil || e.State != stateBegun:
			if !c.full() {
				return c, nil
			}
			n, waited, was = n+1, 0, ""
			continue
		case e.Stage == stage:
			return c, nil // our turn already
		case n != l.chunk || l.read < len(c.Entries)-1:
			return c, nil // what others have ended can be looked at while this one goes on
		case e.Stage != was:
			waited, was = 0, e.Stage
		}
		if waited++; waited > l.o.Looks || e.By == l.o.By {
			if err := l.settle(ctx, c); err != nil {
				return nil, err
			}
			continue
		}
		if err := pause(ctx, l.o.Pause); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// settle ends the last commit of a chunk for its server.
func (l *Log) settle(ctx context.Context, c *chunk) error {
	e := c.last()
	done, err := l.o.Settle(ctx, *e)
	if err != nil {
		return fmt.Errorf("finish what %s was committing, load %s: %w", e.By, e.Load, err)
	}
	return l.mark(ctx, c, len(c.Entries)-1, done)
}

// mark ends a commit of a chunk. Another server may have done so.
func (l *Log) mark(ctx context.Context, c *chunk, i int, done bool) error {
	c.Entries[i].State = stateVoid
	if done {
		c.Entries[i].State = stateDone
	}
	err := c.swap(ctx, l.bucket, c.Entries)
	if errors.Is(err, store.ErrChanged) {
		return nil
	}
	return err
}

// End ends the turn of a load that is in the archive.
func (l *Log) End(ctx context.Context, load, stage string) error {
	c, err := readChunk(ctx, l.bucket, l.chunk)
	if err != nil {
		return err
	}
	for i := len(c.Entries) - 1; i >= 0; i-- {
		if e := &c.Entries[i]; e.is(load, stage) {
			if e.State == stateBegun {
				return l.mark(ctx, c, i, true)
			}
			if !e.Done() {
				return fmt.Errorf("load %s is in the archive, and %s says that it is not", load, c.name)
			}
			return nil
		}
	}
	return &BadError{c.name, "has lost entries"}
}

// Had says whether a load has had its turn, with the files of a stage.
func (l *Log) Had(ctx context.Context, load, stage string) (bool, error) {
	numbers, err := chunks(ctx, l.bucket)
	if err != nil {
		return false, err
	}
	for _, n := range numbers {
		c, err := readChunk(ctx, l.bucket, n)
		if err != nil {
			return false, err
		}
		for _, e := range c.Entries {
			if e.is(load, stage) {
				return e.State != stateVoid, nil
			}
		}
	}
	return false, nil
}

// prune removes chunks whose time is over. What fails is done the next time.
func (l *Log) prune(ctx context.Context) {
	numbers, err := chunks(ctx, l.bucket)
	if err != nil {
		return
	}
	for _, n := range numbers {
		c, err := readChunk(ctx, l.bucket, n)
		if err != nil || n >= l.chunk || c.last() == nil || c.last().At > l.o.Now().Add(-l.o.Keep).UnixNano() {
			return
		}
		if l.bucket.CompareAndSwap(ctx, c.name, c.data, nil) != nil {
			return
		}
	}
}
