package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
)

// trial is a bucket that is being checked.
type trial struct {
	bucket *blob.Bucket
	now    func() time.Time
}

// checks lists the checks in their order.
var checks = []struct {
	name string
	do   func(*trial, context.Context) error
}{
	{"rights: write, read, list, copy, delete", (*trial).rights},
	{"the clock of this machine", (*trial).clock},
	{"each write is another version", (*trial).versions},
	{"conditional writes", (*trial).conditions},
	{"of 16 writers of a version one wins, ten times", (*trial).race},
	{"listings show each write and removal at once", (*trial).listings},
	{"a listing of 1,100 objects, in order, by pages", (*trial).pages},
	{"an upload in parts, and one that is given up", (*trial).parts},
	{"a replaced object is not read in parts of two", (*trial).replaced},
}

const (
	writers = 16
	many    = 1100 // objects; a page has 1,000
	large   = 20 << 20
	// maxSkew is the largest difference of clocks that leases allow.
	maxSkew = time.Minute
)

// run runs all checks and removes what they wrote. It returns the number of those that failed.
func run(ctx context.Context, out io.Writer, t *trial) (failed int, err error) {
	for _, c := range checks {
		began := t.now()
		err := c.do(t, ctx)
		if ctx.Err() != nil {
			return failed, errors.Join(ctx.Err(), t.clean(context.WithoutCancel(ctx)))
		}
		word, text := "ok    ", ""
		if err != nil {
			failed++
			word, text = "FAILED", "\n       "+err.Error()
		}
		if _, err := fmt.Fprintf(out, "%s %-50s %8s%s\n", word, c.name, t.now().Sub(began).Round(time.Millisecond), text); err != nil {
			return failed, err
		}
	}
	if err := t.clean(ctx); err != nil {
		return failed, fmt.Errorf("remove what was written below %s: %w", t.bucket.URL(), err)
	}
	return failed, nil
}

// clean removes all objects of the trial.
func (t *trial) clean(ctx context.Context) error {
	var names []string
	for e, err := range t.bucket.List(ctx, "") {
		if err != nil {
			return err
		}
		names = append(names, e.Name)
	}
	return each(ctx, len(names), func(ctx context.Context, i int) error { return t.bucket.Delete(ctx, names[i]) })
}

// each calls do for all numbers below n, some at a time.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func (t *trial) rights(ctx context.Context) error {
	if err := store.WriteFile(ctx, t.bucket, "rights/a", []byte("a")); err != nil {
		return err
	}
	if err := t.bucket.Copy(ctx, "rights/a", "rights/b"); err != nil {
		return err
	}
	got, err := store.ReadFile(ctx, t.bucket, "rights/b")
	if err == nil && string(got) != "a" {
		err = wrong("a copy has other bytes")
	}
	if err == nil {
		err = t.bucket.Delete(ctx, "rights/b")
	}
	if err != nil {
		return err
	}
	if _, err := store.ReadFile(ctx, t.bucket, "rights/b"); !errors.Is(err, fs.ErrNotExist) {
		return wrong("reading a deleted object: %v", err)
	}
	return t.bucket.Delete(ctx, "rights/never") // is no error
}

func (t *trial) clock(ctx context.Context) error {
	if err := store.WriteFile(ctx, t.bucket, "clock", []byte("x")); err != nil {
		return err
	}
	id, err := t.bucket.Identify(ctx, "clock")
	if err != nil {
		return err
	}
	if skew := t.now().Sub(id.Changed); skew.Abs() > maxSkew {
		return wrong("this machine's clock and the server's differ by %v: leases allow %v", skew.Round(time.Second), maxSkew)
	}
	return nil
}

func (t *trial) versions(ctx context.Context) error {
	seen := map[string]bool{}
	for i := range 3 {
		if err := store.WriteFile(ctx, t.bucket, "version", []byte{byte(i)}); err != nil {
			return err
		}
		id, err := t.bucket.Identify(ctx, "version")
		if err != nil {
			return err
		}
		if seen[id.Content] {
			return wrong("two contents of an object have version %s", id.Content)
		}
		seen[id.Content] = true
	}
	return nil
}

func (t *trial) conditions(ctx context.Context) error {
	one, two, three := []byte("one"), []byte("two"), []byte("three")
	for _, s := range []struct {
		what     string
		old, new []byte
		fails    bool
	}{
		{"create an object", nil, one, false},
		{"create it again", nil, two, true},
		{"replace another content", two, three, true},
		{"replace it", one, two, false},
		{"replace what it was before", one, three, true},
		{"remove what it was before", one, nil, true},
		{"remove it", two, nil, false},
		{"replace what is removed", two, three, true},
	} {
		err := t.bucket.CompareAndSwap(ctx, "condition", s.old, s.new)
		switch {
		case s.fails && err == nil:
			return wrong("%s: it succeeded (If-Match, If-None-Match): several servers would overwrite each other", s.what)
		case s.fails && !errors.Is(err, store.ErrChanged), !s.fails && err != nil:
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}

func (t *trial) race(ctx context.Context) error {
	for round := range 10 {
		name := fmt.Sprintf("race/%d", round%2) // the first time it is created, then replaced
		was, err := store.ReadFile(ctx, t.bucket, name)
		if errors.Is(err, fs.ErrNotExist) {
			was, err = nil, nil
		}
		if err != nil {
			return err
		}
		var won atomic.Int64
		err = each(ctx, writers, func(ctx context.Context, i int) error {
			err := t.bucket.CompareAndSwap(ctx, name, was, fmt.Appendf(nil, "%d %d", round, i))
			if err == nil {
				won.Add(1)
			}
			if errors.Is(err, store.ErrChanged) || errors.Is(err, blob.ErrUncertain) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		if won.Load() > 1 {
			return wrong("%d of %d writers of one version succeeded", won.Load(), writers)
		}
	}
	return nil
}
