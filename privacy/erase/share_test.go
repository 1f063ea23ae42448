package erase

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/storetest"
)

// check compares what several servers have made with what one makes alone, byte by byte. The record of the removal may count less: what
// a server has removed just before its death is in the reports, but in no piece.
func (l *shared) check(t *testing.T, b buckets, what string) {
	t.Helper()
	after := l.server(t, b, "after")
	require.NoError(t, after.run(t.Context()), what) // what late servers have left, if anything
	reports, record := after.results(t)
	require.Equal(t, l.reports, reports, what)
	require.Equal(t, l.record.Days, record.Days, what)
	require.Equal(t, len(record.Days), record.Done, what)
	require.Equal(t, 2, record.Sources[forget.Operator], what)
	got, want := b.sums(t, l.clients), maps.Clone(l.after)
	maps.DeleteFunc(want, func(name, _ string) bool { return strings.Contains(name, "/cycles/") })
	maps.DeleteFunc(got, func(name, _ string) bool { // the next removal deletes pieces and unpublished files that a server wrote late
		return strings.Contains(name, "/cycles/") || strings.HasPrefix(name, requestsBucket+"/running/v1/pieces/") ||
			strings.HasPrefix(name, requestsBucket+"/found/") ||
			strings.Contains(name, "/_staging/") && !strings.HasPrefix(name, archiveBucket)
	})
	if !maps.Equal(got, want) {
		t.Error(what)
		sitetest.SameContents(t, got, want)
		t.FailNow()
	}
}

// TestShare: several servers that share a removal make the same of the lake as one alone, byte by byte, and the same reports.
func TestShare(t *testing.T) {
	l := newShared(t)
	for n := 2; n <= 4; n++ {
		b := l.before.clone(t)
		var all sync.WaitGroup
		errs := make(chan error, n)
		for i := range n {
			r := l.server(t, b, fmt.Sprint("server_", i))
			all.Go(func() { errs <- r.run(r.ctx) })
		}
		all.Wait()
		for range n {
			require.NoError(t, <-errs)
		}
		l.check(t, b, fmt.Sprint(n, " servers"))
	}
}

// TestRemovers: the status lists which server is at which day, and how much is done.
func TestRemovers(t *testing.T) {
	l := newShared(t)
	b := l.before.clone(t)
	first, second := l.server(t, b, "one"), l.server(t, b, "two")
	lease, err := second.Lease(t.Context(), pieceLeases+"20180302")
	require.NoError(t, err)
	first.progress = func(c *forget.Cycle) {
		if c.Done < 1 {
			return
		}
		all, err := Removers(t.Context(), second.Site, time.Now())
		require.NoError(t, err)
		require.Contains(t, all, forget.Remover{Server: "two", Piece: "20180302"})
		st, err := second.Forgotten.Status(t.Context(), nil, 0)
		require.NoError(t, err)
		require.Equal(t, c.Done, st.Running.Done)
		require.Equal(t, c.Rows(), st.Running.Rows())
		first.progress = func(*forget.Cycle) {}
		lease.Release()
	}
	require.NoError(t, first.run(first.ctx))
	l.check(t, b, "one server waits for another")
	all, err := Removers(t.Context(), second.Site, time.Now())
	require.NoError(t, err)
	require.Empty(t, all)
}

// TestShareKilled kills one of three servers before one of its changes, wherever that is, and nothing is lost, done twice or left.
func TestShareKilled(t *testing.T) { shareStopped(t, func(r *remover, _ chan struct{}) { r.kill() }) }

// TestShareHeldUp stops one of three servers before one of its changes until the others have finished. It then goes on where it was.
func TestShareHeldUp(t *testing.T) {
	shareStopped(t, func(r *remover, goOn chan struct{}) {
		for _, f := range r.buckets { // also what it does to keep its leases
			f.PauseAt(1, func() { <-goOn })
		}
		<-goOn
	})
}

// shareStopped runs removals of three servers. The first one is stopped at a change of one of its buckets, another one each time.
func shareStopped(t *testing.T, stop func(r *remover, goOn chan struct{})) {
	l := newShared(t)
	ops, rounds := 400, 10
	stopped := 0
	for round := range rounds {
		b := l.before.clone(t)
		goOn := make(chan struct{})
		first := l.server(t, b, "server_0")
		at := round*ops/rounds + rand.IntN(ops/rounds) + 1
		bucket := round % len(first.buckets)
		at /= []int{2, 6, 1, 1}[min(bucket, 3)] // they have not all as many changes
		var once sync.Once
		first.buckets[bucket].PauseAt(at+1, func() { once.Do(func() { stopped++; stop(first, goOn) }) })
		ended := make(chan error, 1)
		go func() { ended <- first.run(first.ctx) }()
		var others sync.WaitGroup
		errs := make(chan error, 2)
		for i := range 2 {
			r := l.server(t, b, fmt.Sprint("server_", i+1))
			others.Go(func() { errs <- r.run(r.ctx) })
		}
		others.Wait()
		close(goOn)
		err := <-ended
		if !errors.Is(err, storetest.ErrStopped) {
			require.NoError(t, err)
		}
		what := fmt.Sprintf("stopped before change %d of bucket %d", at, bucket)
		require.NoError(t, <-errs, what)
		require.NoError(t, <-errs, what)
		l.check(t, b, what)
	}
	require.Greater(t, stopped, rounds/3, "the first server was hardly ever stopped")
}
