package lake

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// server is one of several that publish into one bucket, by way of its own Faults.
type server struct {
	name  string
	owner *atomic.Value // name of the server that has the lease
}

var servers sync.Map // of *storetest.Faults to server

var errNotOwner = errors.New("the lease is another server's")

func (s server) confirm(context.Context, string) error {
	if s.owner.Load() != s.name {
		return errNotOwner
	}
	return nil
}

// open makes a table the server's.
func (s server) open(t *Table) *Table {
	t.Token, t.Confirm = s.name, s.confirm
	return t
}

// serve makes a bucket a server's.
func serve(inner store.Bucket, without []string, s server) *storetest.Faults {
	b := faulty(inner, without)
	servers.Store(b, s)
	return b
}

// A server is held up before each of its operations in turn. Another one takes the day over and publishes; then the
// first one goes on. Readers see what the other one has published, whole, and the first one fails, or has published
// before.
func TestPausedServer(t *testing.T) {
	for _, back := range backends[:2] { // on others no more is moved
		for _, s := range stories {
			for _, other := range []string{"bbbb", "cccc"} { // what the first one makes, or something else
				if s.name == "expire" || other == "bbbb" && s.name != "first" && s.name != "replace" {
					continue // one needs no lease; rewriting never makes what a run makes
				}
				t.Run(back.name+" "+s.name+" "+other, func(t *testing.T) {
					t.Parallel()
					steps := 0
					for ended := false; !ended; steps++ {
						ended = testPaused(t, back.open(t), back.without, s, steps+1, other)
					}
					if steps < 4 {
						t.Errorf("only %d steps", steps)
					}
				})
			}
		}
	}
}

// testPaused holds the first server up before its nth operation. It reports whether that has fewer.
func testPaused(t *testing.T, inner store.Bucket, without []string, s story, n int, other string) (ended bool) {
	var owner atomic.Value
	owner.Store("east")
	east := serve(inner, without, server{"east", &owner})
	west := serve(inner, without, server{"west", &owner})
	check(t, s.prepare(east, sampled))
	stopped, goOn := make(chan struct{}), make(chan struct{})
	east.PauseAt(n, func() { close(stopped); <-goOn })
	done := make(chan error, 1)
	go func() { done <- s.last(east, sampled) }()
	select {
	case err := <-done:
		check(t, err)
		return true
	case <-stopped:
	}
	owner.Store("west")
	check(t, run(west, sampled, other, part0(0, 99)))
	close(goOn)
	err := <-done
	want := []string{other + " 0"}
	if seen := visible(t, west); !slices.Equal(seen, want) {
		t.Fatalf("held up before operation %d: readers see %q, want %q; it said: %v", n, seen, want, err)
	}
	if names := foreign(t, west, sampled); len(names) != 1 || !strings.HasPrefix(names[0], "sample_id=0/") {
		t.Fatalf("held up before operation %d: readers without manifests see %q", n, names)
	}
	check(t, opened(west, sampled).Tidy(ctx, day))
	wantExactly(t, west, sampled, want...)
	check(t, run(west, sampled, "dddd", part0(0, 99)))
	wantExactly(t, west, sampled, "dddd 0")
	if t.Failed() {
		t.Fatalf("held up before operation %d, which then said: %v", n, err)
	}
	return false
}

// What a server had in the making is not made again by what it writes when it goes
// on.
func TestWritesMakeNoFolder(t *testing.T) {
	var owner atomic.Value
	owner.Store("east")
	inner := localBucket(t)
	east, west := serve(inner, nil, server{"east", &owner}), serve(inner, nil, server{"west", &owner})
	g, err := opened(east, sampled).Begin(ctx, day, "aaaa")
	check(t, err)
	begun, err := g.Create(ctx, g.FileName("sample_id=1", 1, 0))
	check(t, err)
	owner.Store("west")
	_, err = opened(west, sampled).Begin(ctx, day, "bbbb")
	check(t, err)
	_, finished := begun.Finish()
	_, created := g.Create(ctx, g.FileName("sample_id=2", 2, 0))
	_, again := opened(east, sampled).Begin(ctx, day, "aaaa")
	for name, err := range map[string]error{
		"finish": finished, "create": created, "checkpoint": g.SaveCheckpoint(ctx, "1", nil), "publish": g.Publish(ctx, Manifest{}, nil),
	} {
		if !errors.Is(err, errTaken) && !errors.Is(err, errNotOwner) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !errors.Is(again, errNotOwner) {
		t.Errorf("begin again: %v", again)
	}
	for e := range inner.List(ctx, stagingRoot) {
		t.Errorf("left over: %s", e.Name)
	}
	dirs, err := opened(west, sampled).staged(ctx, opened(west, sampled).stagingDir(day))
	if err != nil || len(dirs) != 1 || !strings.HasSuffix(dirs[0], "/bbbb.west") {
		t.Errorf("in the making: %q, %v", dirs, err)
	}
}
