package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOverloadAndDeadAppenders(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{MaxQueue: 1000})
	release := hold(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	dead := make(chan error)
	go func() { dead <- s.Append(ctx, record("dead", 400)) }()
	for s.waiting() != 1 {
		runtime.Gosched()
	}
	if err := s.Append(context.Background(), record("x", 600)); !errors.Is(err, ErrOverloaded) {
		t.Errorf("a full queue: %v", err)
	}
	cancel()
	if err := <-dead; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled append: %v", err)
	}
	alive := make(chan error)
	go func() { alive <- s.Append(context.Background(), record("alive", 100)) }()
	for s.waiting() != 2 {
		runtime.Gosched()
	}
	release()
	assert.NoError(t, <-alive)
	if n := s.Stats().Queued; n != 0 {
		t.Errorf("%d bytes are still queued", n)
	}
	closed(t, s)
	if got := contents(t, dir); len(got) != 1 || idOf(got[0]) != "alive" {
		t.Errorf("%d records", len(got))
	}
	if err := errors.Join(s.Seal(context.Background()), s.Remove(Segment{Edge: "edge"})); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed spool: %v", err)
	}
}

func TestOneRecordLargerThanTheQueue(t *testing.T) {
	s := open(t, t.TempDir(), Options{MaxQueue: 10})
	add(t, s, record("x", 1000))
}

func TestCloseWhileAppending(t *testing.T) {
	for range 5 {
		dir := t.TempDir()
		s := open(t, dir, Options{SegmentBytes: 64 << 10})
		var wg sync.WaitGroup
		var acked sync.Map
		first := make(chan struct{})
		var once sync.Once
		for a := range 8 {
			wg.Go(func() {
				for i := 0; ; i++ {
					r := record(fmt.Sprintf("%d-%d", a, i), 500)
					err := s.Append(context.Background(), r)
					if errors.Is(err, ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					acked.Store(idOf(r), true)
					once.Do(func() { close(first) })
				}
			})
		}
		<-first
		closed(t, s)
		wg.Wait()
		for _, r := range contents(t, dir) {
			if _, ok := acked.LoadAndDelete(idOf(r)); !ok {
				t.Errorf("record %s was not acknowledged, or is there twice", idOf(r))
			}
		}
		acked.Range(func(id, _ any) bool { t.Errorf("record %v is lost", id); return true })
	}
}

// TestFolderGoesAway makes sealing and creating segments impossible for a while.
func TestFolderGoesAway(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir() + "/spool"
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	add(t, s, record("before", 10))
	require.NoError(t, os.Rename(dir, dir+".away"))
	if err := s.Seal(ctx); err == nil {
		t.Error("sealed in a folder that is not there")
	}
	for range 3 {
		if err := s.Append(ctx, record("x", 10)); err == nil {
			t.Error("appended to a folder that is not there")
		}
	}
	if _, err := s.Watermark(ctx); err == nil {
		t.Error("a watermark in a folder that is not there")
	}
	require.NoError(t, os.Rename(dir+".away", dir))
	appendUntilTaken(t, s, record("after", 10))
	closed(t, s)
	if got := contents(t, dir); len(got) != 2 || idOf(got[0]) != "before" || idOf(got[1]) != "after" {
		t.Errorf("%d records", len(got))
	}
}

// TestSealingFailsInBackground takes the folder away while segments fill up.
func TestSealingFailsInBackground(t *testing.T) {
	dir := t.TempDir() + "/spool"
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	var acked []string
	put := func(i int) error {
		r := record(fmt.Sprint(i), 30000)
		err := s.Append(context.Background(), r)
		if err == nil {
			acked = append(acked, idOf(r))
		}
		return err
	}
	require.NoError(t, put(0))
	require.NoError(t, os.Rename(dir, dir+".away"))
	i := 1
	for ; put(i) == nil; i++ {
		if i > 20 {
			t.Fatal("segments are filled in a folder that is not there")
		}
	}
	require.NoError(t, os.Rename(dir+".away", dir))
	for put(i) != nil {
		runtime.Gosched()
	}
	closed(t, s)
	var got []string
	for _, r := range contents(t, dir) {
		got = append(got, idOf(r))
	}
	if !slices.Equal(got, acked) {
		t.Errorf("records %v are there, %v were acknowledged", got, acked)
	}
}

func appendUntilTaken(t testing.TB, s *Spool, r *Record) {
	t.Helper()
	for s.Append(context.Background(), r) != nil {
		runtime.Gosched()
	}
}
