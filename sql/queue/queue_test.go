package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// order starts queries, one after the other, and gives the order in which they get their slots.
func order(t *testing.T, o Options, persons string) string {
	var got []string
	synctest.Test(t, func(t *testing.T) {
		q := New(o)
		var mu sync.Mutex
		var releases []func()
		for _, p := range strings.Fields(persons) {
			go func() {
				release, err := q.Acquire(t.Context(), p[:1], nil)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					got = append(got, p+"!")
					return
				}
				got, releases = append(got, p), append(releases, release)
			}()
			synctest.Wait()
		}
		for len(releases) > 0 {
			release := releases[0]
			releases = releases[1:]
			release()
			release()
			synctest.Wait()
		}
		if running, waiting := q.Load(); running != 0 || waiting != 0 || len(q.rotation) != 0 || len(q.running) != 0 {
			t.Errorf("%d run, %d wait, %v", running, waiting, q.rotation)
		}
	})
	return strings.Join(got, " ")
}

// TestOrder: persons take turns, and each one's queries keep their order.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		o             Options
		persons, want string
	}{
		{Options{Slots: 1}, "a1 a2 a3 b1 c1 b2", "a1 a2 b1 c1 a3 b2"},
		{Options{Slots: 2}, "a1 a2 a3 a4 b1 b2", "a1 b1 a2 b2 a3 a4"},
		{Options{Slots: 3}, "a1 a2 a3 b1 c1", "a1 a2 b1 c1 a3"},
		{Options{Slots: 2, PerPerson: 1}, "a1 a2 a3 b1 b2", "a1 b1 a2 b2 a3"},
		{Options{Slots: 1, Waiting: 2}, "a1 a2 b1 b2 c1", "a1 b2! c1! a2 b1"},
		{Options{Slots: 1, Waiting: 2}, "a1 a2 a3 a4 b1 b2", "a1 a3! a4! b2! a2 b1"},
		{Options{PerPerson: 1}, "a1 a2 b1 c1", "a1 b1 c1 a2"},
		{Options{}, "a1 a2 b1", "a1 a2 b1"},
	} {
		if got := order(t, c.o, c.persons); got != c.want {
			t.Errorf("%+v: %s: %s, want %s", c.o, c.persons, got, c.want)
		}
	}
}

// TestCancel: who gives up waiting is not waited for, and the others move up.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{Slots: 1})
		release, err := q.Acquire(t.Context(), "a", nil)
		require.NoError(t, err)
		left, cancel := context.WithCancelCause(t.Context())
		var lost error
		go func() { _, lost = q.Acquire(left, "b", nil) }()
		synctest.Wait()
		var positions []int
		done := false
		go func() {
			r, err := q.Acquire(t.Context(), "c", func(n int) { positions = append(positions, n) })
			if err == nil {
				done = true
				r()
			}
		}()
		synctest.Wait()
		why := errors.New("no more")
		cancel(why)
		synctest.Wait()
		if !errors.Is(lost, why) {
			t.Errorf("cancelled: %v", lost)
		}
		release()
		synctest.Wait()
		if !done || !slices.Equal(positions, []int{2, 1}) {
			t.Errorf("done %v, positions %v", done, positions)
		}
		if _, err := q.Acquire(left, "b", nil); !errors.Is(err, why) {
			t.Errorf("acquired with a context that ended: %v", err)
		}
	})
}

// TestMany: under all orders of events no more run than may, and all end.
func TestMany(t *testing.T) {
	const slots, perPerson = 4, 2
	q := New(Options{Slots: slots, PerPerson: perPerson})
	var mu sync.Mutex
	running, most := map[string]int{}, 0
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			person := fmt.Sprint(i % 5)
			ctx, cancel := context.WithCancel(t.Context())
			if i%7 == 0 {
				go cancel()
			}
			defer cancel()
			release, err := q.Acquire(ctx, person, func(int) {})
			if err != nil {
				return
			}
			defer release()
			count := func(by int) {
				mu.Lock()
				defer mu.Unlock()
				running[person] += by
				sum := 0
				for p, n := range running {
					if sum += n; n > perPerson {
						t.Errorf("%d of %s run", n, p)
					}
				}
				most = max(most, sum)
			}
			count(1)
			runtime.Gosched()
			count(-1)
		})
	}
	all.Wait()
	if r, w := q.Load(); r != 0 || w != 0 || most > slots {
		t.Errorf("%d run, %d wait, at most %d ran", r, w, most)
	}
}

// TestWaiting: never more wait than may, and a person who floods the queue leaves places to others.
func TestWaiting(t *testing.T) {
	const most = 100
	q := New(Options{Slots: 1, Waiting: most})
	_, err := q.Enter("first")
	require.NoError(t, err)
	got := map[string]int{}
	var mu sync.Mutex
	flood := func(person string) {
		var all sync.WaitGroup
		for range 3 * most {
			all.Go(func() {
				if _, err := q.Enter(person); err == nil {
					mu.Lock()
					got[person]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
	}
	for _, person := range []string{"a", "b", "c", "d", "e", "f"} {
		flood(person)
	}
	sum := 0
	for _, n := range got {
		sum += n
	}
	if running, waiting := q.Load(); sum != waiting || waiting > most || running != 1 || got["a"] != most/2 || got["b"] != most/4 ||
		got["f"] == 0 {
		t.Errorf("%d run, %d wait, of %v", running, waiting, got)
	}
	p, err := q.Enter("z")
	require.NoError(t, err)
	_, before := q.Load()
	p.Leave()
	if _, after := q.Load(); after != before-1 {
		t.Errorf("%d wait, then %d", before, after)
	}
}

func TestSlots(t *testing.T) {
	for _, c := range []struct {
		cores        int
		memory, each int64
		want         int
	}{{1, 0, 0, 2}, {2, 4, 2, 2}, {2, 3, 2, 1}, {8, 32, 4, 4}, {8, 8, 4, 2}, {16, 1, 4, 1}, {16, 100, 0, 8}} {
		if got := Slots(c.cores, c.memory, c.each); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
