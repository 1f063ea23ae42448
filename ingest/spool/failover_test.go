package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sides returns the files of a second folder that hold, or will hold, records.
func sides(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+failoverSuffix))
	require.NoError(t, err)
	return names
}

// addMany appends from several goroutines and waits for all.
func addMany(t *testing.T, s *Spool, prefix string, n int, acked map[string]int64) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r := record(fmt.Sprint(prefix, i), 1+i*531%20000)
			if err := s.Append(context.Background(), r); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			acked[idOf(r)] = r.Timestamp
		})
	}
	wg.Wait()
}

// TestSecondDiskTakesWhatWaits delays the writer of the first disk, several times.
func TestSecondDiskTakesWhatWaits(t *testing.T) {
	dir, second := t.TempDir(), t.TempDir()
	s := open(t, dir, Options{Failover: second, SegmentBytes: 256 << 10})
	acked := map[string]int64{}
	for round := range 4 {
		addMany(t, s, fmt.Sprint("before", round, "-"), 20, acked)
		release := hold(t, s)
		addMany(t, s, fmt.Sprint("held", round, "-"), 100, acked) // 1 MB: several files
		if n := len(sides(t, second)); n < 2 {
			t.Errorf("%d files in the second folder", n)
		}
		release()
		addMany(t, s, fmt.Sprint("after", round, "-"), 20, acked)
		checkAside(t, s, dir, int64(100*(round+1)))
		require.Eventually(t, func() bool { return len(sides(t, second)) == 1 && s.Stats().Queued == 0 }, time.Minute, time.Millisecond)
	}
	_, err := s.Watermark(context.Background())
	require.NoError(t, err)
	closed(t, s)
	checkAcknowledged(t, dir, acked)
	if got := contents(t, dir); len(got) != len(acked) {
		t.Errorf("%d records, want %d", len(got), len(acked))
	}
	if left := sides(t, second); len(left) > 0 {
		t.Errorf("closing leaves %v", left)
	}
	closed(t, open(t, dir, Options{})) // the second folder is not needed any more
}

// checkAside checks how much went to the second disk: other records may, when this
// machine is slow.
func checkAside(t *testing.T, s *Spool, dir string, least int64) {
	t.Helper()
	if st := s.Stats(); st.Aside < least || st.Stalls < 1 {
		t.Errorf("%+v, want %d records on the second disk", st, least)
	}
	if _, err := os.Stat(filepath.Join(dir, markerName)); err != nil {
		t.Error(err)
	}
}

// TestStalledAgainAtOnce holds the first disk up again before it got to all that waited:
// more comes than may be written to both disks.
func TestStalledAgainAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Failover: t.TempDir()})
	acked := map[string]int64{}
	release := hold(t, s)
	addMany(t, s, "held", 5, acked)
	s.mu.Lock()
	s.failover.primaryDone(0, 0)
	catchingUp := s.failover.active
	s.mu.Unlock()
	assert.True(t, catchingUp)
	addMany(t, s, "again", 5*catchUp+5, acked)
	assert.EqualValues(t, 2, s.Stats().Stalls)
	release()
	closed(t, s)
	checkAcknowledged(t, dir, acked)
}

// TestWatermarkIsBelowWhatIsAside: records have timestamps before the first disk has them.
func TestWatermarkIsBelowWhatIsAside(t *testing.T) {
	s := open(t, t.TempDir(), Options{Failover: t.TempDir()})
	acked := map[string]int64{}
	var w int64
	held, end, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- s.do(context.Background(), func() (err error) {
			close(held)
			<-end
			w, err = s.advance()
			return err
		})
	}()
	<-held
	addMany(t, s, "x", 5, acked)
	close(end)
	require.NoError(t, <-done)
	for id, at := range acked {
		if at <= w {
			t.Errorf("%s has %d, the watermark is %d", id, at, w)
		}
	}
}

// holdAndLose keeps the first disk from writing until lose is called, which closes its file under it.
func holdAndLose(s *Spool) (lose func()) {
	held, end := make(chan struct{}), make(chan struct{})
	go func() {
		_ = s.do(context.Background(), func() error {
			close(held)
			<-end
			return s.active.file.Close()
		})
	}()
	<-held
	return func() { close(end) }
}

// TestFirstDiskFailsAfterAStall: what the second disk acknowledged is written again.
func TestFirstDiskFailsAfterAStall(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Failover: t.TempDir()})
	acked := map[string]int64{}
	addMany(t, s, "before", 3, acked)
	require.Eventually(t, func() bool { return s.Stats().Queued == 0 }, time.Minute, time.Millisecond) // on the first disk, too
	lose := holdAndLose(s)
	addMany(t, s, "held", 30, acked)
	lose()
	after := record("after", 10)
	appendUntilTaken(t, s, after)
	acked[idOf(after)] = after.Timestamp
	require.Eventually(t, func() bool { return s.Stats().Queued == 0 }, time.Minute, time.Millisecond)
	closed(t, s)
	checkAcknowledged(t, dir, acked)
	if s.Stats().Failed == 0 {
		t.Error("no write failed")
	}
}

// TestBothDisksFail: without a disk nothing is acknowledged, and the first one is enough.
func TestBothDisksFail(t *testing.T) {
	dir, second := t.TempDir(), filepath.Join(t.TempDir(), "second")
	s := open(t, dir, Options{Failover: second, SegmentBytes: 64 << 10})
	require.NoError(t, os.Rename(second, second+".away"))
	release := hold(t, s)
	acked, added := map[string]int64{}, make(chan struct{})
	go func() { addMany(t, s, "x", 30, acked); close(added) }()
	for s.waiting() == 0 {
		runtime.Gosched()
	}
	for deadline := time.Now().Add(3 * lateAfter); time.Now().Before(deadline); { // one file is open, the next one cannot be made
		runtime.Gosched()
	}
	release()
	<-added
	require.NoError(t, os.Rename(second+".away", second))
	addMany(t, s, "after", 30, acked)
	closed(t, s)
	checkAcknowledged(t, dir, acked)
}

// TestClosedWithoutTheFirstDisk: what only the second disk has is there again later.
func TestClosedWithoutTheFirstDisk(t *testing.T) {
	dir, second := filepath.Join(t.TempDir(), "first"), t.TempDir()
	s := open(t, dir, Options{Failover: second})
	acked := map[string]int64{}
	addMany(t, s, "before", 3, acked)
	require.Eventually(t, func() bool { return s.Stats().Queued == 0 }, time.Minute, time.Millisecond) // on the first disk, too
	lose := holdAndLose(s)
	addMany(t, s, "held", 30, acked)
	require.NoError(t, os.Rename(dir, dir+".away"))
	lose()
	assert.Error(t, s.Close())
	require.NoError(t, os.Rename(dir+".away", dir))
	if _, err := Open(dir, Options{Now: time.Now}); err == nil || !strings.Contains(err.Error(), second) {
		t.Errorf("opened without the second folder: %v", err)
	}
	s = open(t, dir, Options{Failover: second})
	closed(t, s)
	checkAcknowledged(t, dir, acked)
	closed(t, open(t, dir, Options{}))
}

// TestWrongSecondFolder opens a spool that ended by a crash with other folders.
func TestWrongSecondFolder(t *testing.T) {
	dir, second := t.TempDir(), t.TempDir()
	s := open(t, dir, Options{Failover: second})
	if _, err := Open(t.TempDir(), Options{Now: time.Now, Failover: second}); !errors.Is(err, errInUse) {
		t.Errorf("two spools have one second folder: %v", err)
	}
	marker, err := os.ReadFile(filepath.Join(dir, markerName))
	require.NoError(t, err)
	identity, err := os.ReadFile(filepath.Join(second, identityName))
	require.NoError(t, err)
	closed(t, s)
	require.NoError(t, os.WriteFile(filepath.Join(dir, markerName), marker, 0o600)) // as a crash leaves it
	refused := func(what string, o Options) {
		t.Helper()
		o.Now = time.Now
		if s, err := Open(dir, o); err == nil {
			_ = s.Close()
			t.Errorf("opened: %s", what)
		} else {
			t.Log(err)
		}
	}
	refused("no second folder", Options{})
	refused("another second folder", Options{Failover: t.TempDir()})
	require.NoError(t, os.Remove(filepath.Join(second, identityName)))
	refused("a disk that is not mounted", Options{Failover: second})
	require.NoError(t, os.WriteFile(filepath.Join(second, identityName), identity, 0o600))
	odd := filepath.Join(second, segmentName("other", 3, failoverSuffix))
	require.NoError(t, os.WriteFile(odd, nil, 0o600))
	refused("a file of another edge", Options{Failover: second})
	require.NoError(t, os.Remove(odd))
	require.NoError(t, os.WriteFile(filepath.Join(second, segmentName("edge", 3, failoverSuffix)), []byte("torn"), 0o600))
	if _, err := Open(t.TempDir(), Options{Now: time.Now, Failover: second}); err == nil {
		t.Error("the second folder of another spool was taken")
	}
	for _, bad := range []string{"", "x", "\x00", strings.Repeat("A", 26) + " relative\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, markerName), []byte(bad), 0o600))
		refused(fmt.Sprintf("marker %q", bad), Options{Failover: second})
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, markerName), marker, 0o600))
	closed(t, open(t, dir, Options{Failover: second}))
	if err := s.checkEdge(markerName); err == nil {
		t.Error("a program that knows no second folders would open the spool")
	}
}
