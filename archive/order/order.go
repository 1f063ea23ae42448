package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/store"
)

// Options names the committing server and defines how long it waits for others.
type Options struct {
	By  string // names the server and the source of its commits; it must be the same after a restart
	Now func() time.Time
	// Settle finishes or drops the commit of a server that died during its turn, and reports whether the load
	// is in the archive. It may run while that server is only slow, and on several servers at once.
	Settle func(context.Context, Entry) (done bool, err error)
	// Pause is the time between two checks of an unfinished commit, half a second by default. Looks is the
	// number of checks without a change after which its server counts as dead, 120 by default.
	Pause time.Duration
	Looks int
	// Keep is the retention of entries: 4 days by default.
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

// Log is the order of commits as known by one server. Only one goroutine may use it.
type Log struct {
	bucket store.Bucket
	o      Options
	chunk  int // chunk of the next entry
	read   int // its entries that are known
	own    map[string]bool
}

// ErrBehind means others have committed meanwhile: see News.
var ErrBehind = errors.New("other servers have committed meanwhile")

// errUnsettled means that a commit was ended for its server, and the order does not show it.
var errUnsettled = errors.New("the order of commits does not show its end")

// Open opens the order of an archive. The returned Log has read no commits yet.
func Open(ctx context.Context, b store.Bucket, o Options) (*Log, error) {
	o.defaults()
	numbers, err := chunks(ctx, b)
	if err != nil {
		return nil, err
	}
	l := &Log{bucket: b, o: o, chunk: 1, own: map[string]bool{}}
	for i, n := range numbers {
		c, err := readChunk(ctx, b, n)
		if l.chunk = n; err != nil || c.data != nil || i == len(numbers)-1 { // the next reader reports the error
			break // else an old listing has it still
		}
	}
	return l, nil
}

// News returns, in order, the commits of other servers that ended since the last call. It omits commits that
// never became visible.
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

// Begin starts the turn of a load: until End no other server commits. News must have returned all earlier
// commits; otherwise the error is ErrBehind, and nothing changed. After another error the turn may have
// started: see Had.
func (l *Log) Begin(ctx context.Context, load, stage string) error {
	again := retry.Loop{Policy: retry.Swap, What: "begin the commit of load " + load}
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
		if err := again.Again(ctx, err); err != nil {
			return err
		}
	}
}

// Recover finishes a commit that this server began before it died.
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

// unknown looks whether a failed swap took effect.
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

// tail reads the last chunk. It waits for the end of the last commit, unless that is the commit of the given
// stage.
func (l *Log) tail(ctx context.Context, stage string) (*chunk, error) {
	n, waited, was := l.chunk, 0, ""
	again := retry.Loop{Policy: retry.Swap, What: "end the commit of another server"}
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
			if err := again.Again(ctx, errUnsettled); err != nil {
				return nil, err
			}
			continue
		}
		if err := clock.Wait(ctx, l.o.Pause); err != nil {
			return nil, err
		}
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

// Had reports whether a load with the files of a stage has had its turn.
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
