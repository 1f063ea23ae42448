package loader

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// follower starts to decode a folder that another spool writes.
func (v *service) follow() (end func()) {
	v.t.Helper()
	f, err := spool.Follow(v.dir, v.opts.Edge)
	require.NoError(v.t, err)
	o := v.opts
	o.Spool, o.Now, o.Leave = f, v.clock.Now, true
	stop, ended := make(chan struct{}), make(chan error, 1)
	o.Stop = stop
	if v.stop != nil {
		o.Stop = v.stop
	}
	go func() { ended <- Decode(context.Background(), v.site, o) }()
	return func() {
		v.t.Helper()
		if o.Stop == stop {
			close(stop)
		}
		assert.NoError(v.t, <-ended)
		assert.NoError(v.t, f.Close())
	}
}

// progress returns the position up to which the edge is decoded, 0 if there is none.
func (v *service) progress() int64 {
	v.t.Helper()
	all, err := edgestate.ReadProgress(context.Background(), v.site.Archive)
	require.NoError(v.t, err)
	if len(all) == 0 {
		return 0
	}
	return all[0].Watermark
}

// awaitThat polls until something is so; the clock goes a second each time.
func (v *service) awaitThat(what string, is func() bool) {
	v.t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		v.clock.Ns.Add(int64(time.Second))
		if time.Now().After(deadline) {
			v.t.Fatalf("after a minute it is not so that %s", what)
		}
	}
}

func (v *service) openSpool() {
	v.t.Helper()
	var err error
	v.spool, err = spool.Open(v.dir, spool.Options{Edge: v.opts.Edge, SegmentBytes: 1 << 20, MinFree: -1, Now: v.clock.Now})
	require.NoError(v.t, err)
}

func (v *service) closeSpool() {
	v.t.Helper()
	assert.NoError(v.t, v.spool.Close())
}

// TestFollow decodes what another process writes: it is there before that one, reports only the progress that the other
// one promised, takes a day's end from it, and ends without waiting for it.
func TestFollow(t *testing.T) {
	v := newService(t, sitetest.Memory(t, store.NewMemory()))
	v.opts.ArchiveEvery = time.Hour
	g, all := population(t, 30, 1)
	end := v.follow()
	v.openSpool()
	before := v.clock.Ns.Load()
	v.awaitThat("progress is reported", func() bool { return v.progress() >= before })
	v.send(all)
	v.clock.Set(before + int64(24*time.Hour+time.Second))
	v.awaitThat("the day is over", func() bool { return v.progress() > before+int64(24*time.Hour) })
	end()
	sameCounts(t, "followed", archivedCounts(t, v.site), loaded(t, g))
	if left, err := spool.List(v.dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	v.closeSpool()
}

// TestFollowLeaves: after Stop what was not begun stays for the next one, and
// no progress is reported that was not made.
func TestFollowLeaves(t *testing.T) {
	v := newService(t, sitetest.Memory(t, store.NewMemory()))
	g, all := population(t, 30, 1)
	v.openSpool()
	v.send(all)
	v.closeSpool()
	v.stop = make(chan struct{})
	close(v.stop)
	v.follow()()
	if n := v.progress(); n != 0 || len(archivedCounts(t, v.site)) > 0 {
		t.Errorf("after a stop at once progress is %d, and there is %v", n, archivedCounts(t, v.site))
	}
	v.stop = nil
	end := v.follow()
	v.awaitThat("all is taken", func() bool { return v.progress() >= all[len(all)-1].Timestamp })
	end()
	sameCounts(t, "followed", archivedCounts(t, v.site), loaded(t, g))
}
