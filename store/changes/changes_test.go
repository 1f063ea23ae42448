package changes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/store"
)

// hand is a clock that a test sets.
type hand struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hand) clock() clock.Clock {
	return clock.Clock{Wait: clock.Wait, Now: func() time.Time {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.now
	}}
}

func (h *hand) add(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// process is one process with a bucket.
type process struct {
	t    *testing.T
	feed *Feed
	part *Part
}

func newProcess(t *testing.T, b store.Bucket, h *hand) *process {
	f := New(b, "_changes.json", Options{Clock: h.clock(), Delay: time.Hour}) // Close or enter by hand
	return &process{t: t, feed: f, part: f.Part("archive")}
}

// list polls a list, and reports whether that needs a request.
func (p *process) list(prefix string) (request bool) {
	poll := p.part.Poll(store.Polling(p.t.Context()), "list", prefix)
	if _, known := poll.Entries(); known {
		return false
	}
	poll.KeepEntries([]store.Entry{{Name: prefix + "x"}})
	return true
}

func (p *process) enter() {
	p.t.Helper()
	require.NoError(p.t, p.feed.swap(p.t.Context()))
}

func TestPolls(t *testing.T) {
	b, h := store.NewMemory(), &hand{now: time.Unix(1e9, 0)}
	one, other := newProcess(t, b, h), newProcess(t, b, h)
	require.True(t, one.list("pings/v1/a/"))
	require.False(t, one.list("pings/v1/a/"))
	require.True(t, one.list("pings/v1/b/"))
	h.add(time.Hour)
	require.False(t, one.list("pings/v1/a/"), "nothing has changed")

	other.part.Wrote("index/v1/x")
	other.enter()
	h.add(time.Minute)
	require.False(t, one.list("pings/v1/a/"), "another part has changed")
	other.part.Wrote("pings/v1/a/y")
	require.False(t, one.list("pings/v1/a/"), "it is not entered")
	other.enter()
	require.False(t, one.list("pings/v1/a/"), "the feed is read once a minute")
	h.add(time.Minute)
	require.True(t, one.list("pings/v1/a/"))
	require.False(t, one.list("pings/v1/a/"))

	require.True(t, one.list("pings/v1/b/"))
	one.part.Wrote("pings/v1/b/z")
	require.True(t, one.list("pings/v1/b/"), "own writes count at once")
	require.False(t, one.list("pings/v1/a/"), "in the answers that they concern")
	one.enter()
	h.add(time.Minute)
	require.False(t, one.list("pings/v1/a/"), "an own entry is no news")

	other.part.Wrote("pings/v1/a/lost") // it dies before the entry
	h.add(5 * time.Hour)
	require.False(t, one.list("pings/v1/a/"))
	again := newProcess(t, b, h)
	again.feed.Opened()
	require.NoError(t, again.feed.Close())
	h.add(time.Minute)
	require.True(t, one.list("pings/v1/a/"), "a process was opened")
	h.add(6 * time.Hour)
	require.True(t, one.list("pings/v1/a/"), "it is old")
}

// TestSince: what a query remembers is as of its beginning, as far as the writers have entered it, and of the same state.
func TestSince(t *testing.T) {
	b, h := store.NewMemory(), &hand{now: time.Unix(1e9, 0)}
	one, other := newProcess(t, b, h), newProcess(t, b, h)
	query := func(state string) (request bool) {
		poll := one.part.Poll(store.Since(t.Context(), h.clock().Now(), state), "list", "a/v1/")
		if _, known := poll.Entries(); known {
			return false
		}
		poll.KeepEntries(nil)
		return true
	}
	require.True(t, one.list("a/v1/"))
	require.True(t, query("x"), "it was remembered in no state")
	require.False(t, query("x"))
	require.False(t, one.list("a/v1/"))
	require.True(t, query("y"))
	other.part.Wrote("a/v1/b")
	other.enter()
	h.add(time.Second)
	require.False(t, one.list("a/v1/"), "the feed is read once a minute")
	require.True(t, query("y"), "a query reads it")
	h.add(10 * time.Minute)
	require.True(t, query("y"), "it is old")
	for _, ctx := range []context.Context{
		store.Since(store.Present(t.Context()), h.clock().Now(), "y"), store.Since(t.Context(), h.clock().Now(), ""),
	} {
		require.Nil(t, one.part.Poll(ctx, "list", "a/v1/"))
	}
}

// TestChangedMeanwhile: an answer is not kept if its part changed while the request lasted.
func TestChangedMeanwhile(t *testing.T) {
	p := newProcess(t, store.NewMemory(), &hand{now: time.Unix(1e9, 0)})
	poll := p.part.Poll(store.Polling(t.Context()), "list", "pings/v1/")
	p.part.Wrote("pings/v1/a")
	poll.KeepEntries(nil)
	require.True(t, p.list("pings/v1/"))
}

func TestNotRemembered(t *testing.T) {
	p := newProcess(t, store.NewMemory(), &hand{now: time.Unix(1e9, 0)})
	require.Nil(t, p.part.Poll(t.Context(), "list", "pings/v1/"), "no poll")
	for _, name := range []string{"", "pin", "_root.json", "_leases/decode/", "_staging/a/", "_generations/addons"} {
		require.Nil(t, p.part.Poll(store.Polling(t.Context()), "list", name), name)
		p.part.Wrote(name)
	}
	require.Empty(t, p.feed.written)
	var none *Part
	require.Nil(t, none.Poll(store.Polling(t.Context()), "list", "pings/v1/"))
	none.Wrote("pings/v1/a")
}

// TestManyWriters: no change is lost among processes that enter at once.
func TestManyWriters(t *testing.T) {
	b, h := store.NewMemory(), &hand{now: time.Unix(1e9, 0)}
	reader := newProcess(t, b, h)
	const n = 8
	name := func(i int) string { return fmt.Sprintf("table%d/v1/", i) }
	for i := range n {
		require.True(t, reader.list(name(i)))
	}
	var all sync.WaitGroup
	failed := make([]error, n)
	for i := range n {
		p := newProcess(t, b, h)
		p.part.Wrote(name(i) + "a")
		all.Go(func() { failed[i] = p.feed.swap(context.WithoutCancel(t.Context())) })
	}
	all.Wait()
	require.NoError(t, errors.Join(failed...))
	h.add(time.Minute)
	for i := range n {
		require.True(t, reader.list(name(i)), i)
	}
}

// TestUnusableFeed: with a feed that somebody else wrote each reading is a change, and without one no answer is used.
func TestUnusableFeed(t *testing.T) {
	b, h := store.NewMemory(), &hand{now: time.Unix(1e9, 0)}
	p := newProcess(t, b, h)
	require.NoError(t, store.WriteFile(t.Context(), b, "_changes.json", []byte("?")))
	require.True(t, p.list("pings/v1/"))
	h.add(time.Minute)
	require.True(t, p.list("pings/v1/"))
	p.part.Wrote("pings/v1/a")
	p.enter() // it is replaced
	require.True(t, p.list("pings/v1/"))
	h.add(time.Minute)
	require.False(t, p.list("pings/v1/"))

	p.feed.bucket = away{b}
	h.add(time.Minute)
	require.Nil(t, p.part.Poll(store.Polling(t.Context()), "list", "pings/v1/"))
	p.part.Wrote("pings/v1/a")
	require.Error(t, p.feed.swap(t.Context()))
	require.NotEmpty(t, p.feed.written, "it is entered later")
}

// away is a bucket whose requests fail.
type away struct{ store.Bucket }

var errAway = errors.New("away")

func (away) Open(context.Context, string) (store.Reader, error) { return nil, errAway }

func (away) CompareAndSwap(context.Context, string, []byte, []byte) error { return errAway }
