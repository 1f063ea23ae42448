package spool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// mounted returns a small file system of its own, if this process may mount one.
func mounted(t *testing.T, size string) (dir string, ok bool) {
	t.Helper()
	dir = t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Logf("no mount (%v): TestWritesFail alone has failing writes", err)
		return "", false
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir, true
}

func TestDiskFull(t *testing.T) {
	dir, ok := mounted(t, "8m")
	if !ok {
		return
	}
	for _, o := range []Options{{}, {SegmentBytes: 1 << 20}} {
		s := open(t, dir, o)
		var mu sync.Mutex
		acked := map[string]int64{}
		for round := range 3 {
			fill(t, s, round, &mu, acked)
			if _, err := s.Watermark(context.Background()); err != nil {
				t.Fatal(err)
			}
			checkAcknowledged(t, dir, acked)
			takeAway(t, s)
			clear(acked)
			r := record(fmt.Sprint("after-", round), 100)
			appendUntilTaken(t, s, r)
			acked[idOf(r)] = r.Timestamp
		}
		closed(t, s)
		checkAcknowledged(t, dir, acked)
		s = open(t, dir, o)
		takeAway(t, s)
		closed(t, s)
	}
}

// fill appends from several goroutines until the disk is full for each.
func fill(t *testing.T, s *Spool, round int, mu *sync.Mutex, acked map[string]int64) {
	t.Helper()
	var wg sync.WaitGroup
	for a := range 8 {
		wg.Go(func() {
			for i := 0; ; i++ {
				r := record(fmt.Sprintf("%d-%d-%d", round, a, i), 20000)
				err := s.Append(context.Background(), r)
				if errors.Is(err, ErrFull) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acked[idOf(r)] = r.Timestamp
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestReadOnlyFolder(t *testing.T) {
	dir, ok := mounted(t, "8m")
	if !ok {
		return
	}
	s := open(t, dir, Options{SegmentBytes: 1 << 20})
	add(t, s, record("x", 10))
	closed(t, s)
	require.NoError(t, unix.Mount("none", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	if s, err := Open(dir, Options{Now: time.Now}); !errors.Is(err, unix.EROFS) {
		if err == nil {
			_ = s.Close()
		}
		t.Errorf("opened a read-only folder: %v", err)
	}
	if got := contents(t, dir); len(got) != 1 {
		t.Errorf("%d records can be read", len(got))
	}
}
