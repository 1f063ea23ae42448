package lake

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// freeServer is one of several without leases: only the bucket separates them.
func freeServer(inner store.Bucket) *storetest.Faults { return faulty(inner, []string{"grace"}) }

// A server is held up before each of its operations, for as long as it takes another
// one to publish the same or something else, with a lease or without one. Readers see what
// the other one has published, whole, and Tidy leaves nothing else.
func TestPausedInBucket(t *testing.T) {
	for _, s := range stories {
		for _, other := range []string{"bbbb", "cccc"} {
			if s.name == "expire" || other == "bbbb" && s.name != "first" && s.name != "replace" {
				continue
			}
			for _, leased := range []bool{true, false} {
				t.Run(fmt.Sprint(s.name, " ", other, " ", leased), func(t *testing.T) {
					t.Parallel()
					steps := 0
					for ended := false; !ended; steps++ {
						ended = testPausedInBucket(t, s, steps+1, other, leased)
					}
					require.Greater(t, steps, 8)
				})
			}
		}
	}
}

func testPausedInBucket(t *testing.T, s story, n int, other string, leased bool) (ended bool) {
	inner := store.NewMemory()
	east, west := freeServer(inner), freeServer(inner)
	var owner atomic.Value
	owner.Store("east")
	if leased {
		servers.Store(east, server{"east", &owner})
		servers.Store(west, server{"west", &owner})
	}
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
	// Half of it may be there: files that another server has copied, and not published.
	if names := visible(t, west); !slices.Equal(names, s.before) && !slices.Equal(names, s.after) {
		t.Fatalf("held up before operation %d: readers see %q", n, names)
	}
	west1 := run(west, sampled, other, part0(0, 99))
	close(goOn)
	err := <-done
	want := []string{other + " 0"}
	if west1 != nil { // the first one may have removed what was staged, having published: it is done again
		check(t, run(west, sampled, other, part0(0, 99)))
	}
	if seen := visible(t, west); !slices.Equal(seen, want) {
		t.Fatalf("held up before operation %d: readers see %q, want %q; it said: %v; the other one: %v", n, seen, want, err, west1)
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

// Who began before another generation was published cannot publish, though nothing
// else keeps it from it.
func TestPublishesOverItsBaseOnly(t *testing.T) {
	inner := store.NewMemory()
	east, west := freeServer(inner), freeServer(inner)
	check(t, run(east, sampled, "aaaa", part0(0, 99)))
	g, err := opened(east, sampled).Begin(ctx, day, "bbbb")
	require.NoError(t, err)
	f, err := makePart(g, part0(0, 99))
	require.NoError(t, err)
	check(t, run(west, sampled, "cccc", part0(0, 99)))
	// The staged files are removed; with it there, the manifest still is another one.
	require.ErrorIs(t, g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil), errIncomplete)
	f, err = makePart(g, part0(0, 99))
	require.NoError(t, err)
	require.ErrorIs(t, g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil), errReplaced)
	require.Equal(t, []string{"cccc 0"}, visible(t, west))
	require.NotEmpty(t, strays(t, inner))
	left, err := opened(west, sampled).Unfinished(ctx, day)
	require.NoError(t, err)
	require.True(t, left)
	check(t, opened(west, sampled).Tidy(ctx, day))
	wantExactly(t, west, sampled, "cccc 0")
	require.Equal(t, 1, published(t, west, sampled).Fence)
	// Somebody who has only made files does not publish at all.
	j, err := opened(west, sampled).Join(ctx, day, "dddd")
	require.NoError(t, err)
	require.Error(t, j.Publish(ctx, Manifest{}, nil))
}

// strays returns the files in the partition's folder that the manifest does not name.
func strays(t *testing.T, b store.Bucket) []string {
	m := published(t, b, sampled)
	names, err := opened(b, sampled).Extra(ctx, m)
	require.NoError(t, err)
	return names
}

// swapOfTwo numbers the operation of a run with two parts that replaces the manifest: each part takes nine
// before it.
const swapOfTwo = 19

// A fence keeps a server from publishing whose files were removed as strays.
func TestFence(t *testing.T) {
	inner := store.NewMemory()
	east, west := freeServer(inner), freeServer(inner)
	check(t, run(west, sampled, "aaaa", part0(0, 99)))
	stopped, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	east.PauseAt(swapOfTwo, func() { close(stopped); <-goOn })
	go func() { done <- run(east, sampled, "bbbb", part0(0, 49), part0(50, 99)) }()
	<-stopped
	require.Len(t, strays(t, inner), 2)
	check(t, opened(west, sampled).Tidy(ctx, day))
	close(goOn)
	require.ErrorIs(t, <-done, errReplaced)
	wantExactly(t, west, sampled, "aaaa 0")
}

// Where a day has no manifest there is nothing to fence. A server that publishes what was
// removed meanwhile takes it back.
func TestTakesBack(t *testing.T) {
	inner := store.NewMemory()
	east, west := freeServer(inner), freeServer(inner)
	var owner atomic.Value
	owner.Store("east")
	servers.Store(east, server{"east", &owner})
	stopped, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	east.PauseAt(swapOfTwo, func() { close(stopped); <-goOn })
	go func() { done <- run(east, sampled, "bbbb", part0(0, 49), part0(50, 99)) }()
	<-stopped
	owner.Store("west")
	check(t, opened(west, sampled).Tidy(ctx, day))
	close(goOn)
	err := <-done
	require.ErrorIs(t, err, errNotOwner)
	require.ErrorIs(t, err, errIncomplete)
	require.Nil(t, visible(t, west))
}

// Listings that lack what was just written neither keep it from being published nor get
// it removed.
func TestOldLists(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			b := freeServer(store.NewMemory())
			b.OldLists()
			check(t, s.prepare(b, sampled))
			require.Equal(t, s.before, visible(t, b))
			check(t, s.last(b, sampled))
			if s.after == nil {
				_, err := opened(b, sampled).Partition(ctx, day)
				require.True(t, missing(err))
				return
			}
			m := published(t, b, sampled)
			require.Equal(t, s.after, contents(t, b, m, sampled))
			_, damage, err := opened(b, sampled).Look(ctx, day)
			require.NoError(t, err)
			require.Empty(t, damage)
			check(t, opened(b, sampled).Tidy(ctx, day))
			require.Equal(t, s.after, contents(t, b, published(t, b, sampled), sampled))
		})
	}
}

// Two processes do the same tasks and publish the same generation, at any distance.
func TestSpeculation(t *testing.T) {
	inner := store.NewMemory()
	one, two := freeServer(inner), freeServer(inner)
	check(t, run(one, sampled, "aaaa", part0(0, 99)))
	make2 := func(b store.Bucket) (*Generation, Manifest) {
		g, err := opened(b, sampled).Begin(ctx, day, "bbbb")
		require.NoError(t, err)
		m := Manifest{Parts: []Part{part0(0, 49), part0(50, 99)}}
		for _, p := range m.Parts {
			f, err := makePart(g, p)
			require.NoError(t, err)
			m.Files = append(m.Files, f)
		}
		return g, m
	}
	first, m1 := make2(one)
	second, m2 := make2(two)
	require.Equal(t, m1, m2)
	check(t, first.Publish(ctx, m1, nil))
	check(t, second.Publish(ctx, m2, nil))
	wantExactly(t, two, sampled, "bbbb 0", "bbbb 50")
	// A task that is done once more after that is seen by nobody, and removed.
	late, err := opened(two, sampled).Join(ctx, day, "bbbb")
	require.NoError(t, err)
	_, err = makePart(late, part0(0, 49))
	require.NoError(t, err)
	require.Equal(t, []string{"bbbb 0", "bbbb 50"}, visible(t, one))
	require.Empty(t, strays(t, inner))
	left, err := opened(one, sampled).Unfinished(ctx, day)
	require.NoError(t, err)
	require.True(t, left)
	check(t, opened(one, sampled).Tidy(ctx, day))
	wantExactly(t, two, sampled, "bbbb 0", "bbbb 50")
}

// A manifest that this program cannot use is replaced by a run, and nothing that it may name is removed.
func TestForeignManifestInBucket(t *testing.T) {
	for _, text := range []string{`{"format":99}`, `{"format":1,"table":"other","version":"v9"}`, "garbage", ""} {
		b := freeServer(store.NewMemory())
		check(t, run(b, sampled, "aaaa", part0(0, 99)))
		name := opened(b, sampled).Path(day, manifestName)
		check(t, store.WriteFile(ctx, b, name, []byte(text)))
		table := opened(b, sampled)
		check(t, table.Tidy(ctx, day))
		check(t, table.Sweep(ctx, day))
		require.Len(t, foreign(t, b, sampled), 1, text)
		check(t, run2(b, "bbbb"))
		wantExactly(t, b, sampled, "bbbb 0")
	}
}

// run2 is run where what is published cannot be read.
func run2(b store.Bucket, name string) error {
	g, err := opened(b, sampled).Begin(ctx, day, name)
	if err != nil {
		return err
	}
	f, err := makePart(g, part0(0, 99))
	if err != nil {
		return err
	}
	return g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil)
}

// The answer of a compare-and-swap that was lost is looked up; one that cannot be is said to
// be uncertain.
func TestUncertain(t *testing.T) {
	b := freeServer(store.NewMemory())
	lost := errors.New("the connection was lost")
	b.LoseAt(swapOfTwo-9, lost)
	check(t, run(b, sampled, "aaaa", part0(0, 99)))
	wantExactly(t, b, sampled, "aaaa 0")
	b.LoseAt(1, lost)
	text, err := opened(b, sampled).manifestBytes(ctx, day)
	require.NoError(t, err)
	require.NoError(t, opened(b, sampled).swapManifest(ctx, day, text, nil))
	b.StopAfter(1)
	_ = b.Delete(ctx, "x")
	err = opened(b, sampled).swapManifest(ctx, day, nil, []byte("x"))
	require.ErrorContains(t, err, "not certain")
}
