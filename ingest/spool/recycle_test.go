package spool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// free returns the files in a folder that wait to become segments.
func free(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+freeSuffix))
	require.NoError(t, err)
	return names
}

// TestFilesAreUsedAgain fills and removes segments: what older ones left in
// their files is never read.
func TestFilesAreUsedAgain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	reused := 0
	for round := range 20 {
		want := map[string]int64{}
		for i := range 6 {
			r := record(fmt.Sprintf("%d-%d", round, i), 20000)
			add(t, s, r)
			want[idOf(r)] = r.Timestamp
		}
		require.NoError(t, s.Seal(context.Background()))
		checkAcknowledged(t, dir, want)
		if got := contents(t, dir); len(got) != len(want) {
			t.Fatalf("%d records, want %d", len(got), len(want))
		}
		takeAway(t, s)
		settle(t, s)
		reused += len(free(t, dir))
		if n := len(free(t, dir)); n > maxFree {
			t.Errorf("%d files are kept", n)
		}
	}
	if s.direct.Load() && reused == 0 {
		t.Error("no file was kept to be used again")
	}
	closed(t, s)
	if left := free(t, dir); len(left) > 0 {
		t.Errorf("closing leaves %v", left)
	}
}

// TestNothingIsReadFromAnOlderSegment looks at a file that was used again as a
// crash would leave it.
func TestNothingIsReadFromAnOlderSegment(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	if _, err := s.create(7, 0); err != nil { // so that it is known how files are written
		t.Fatal(err)
	}
	old := &active{number: 5, off: block, sum: summary{end: block}}
	data := make([]byte, 64<<10+footerSize)
	putFileHeader(data, "edge", 5, 0)
	e := &entry{}
	for old.off < 60<<10 {
		r := record(fmt.Sprint(old.off), 3000)
		e.fill(r, recordHeader+payloadSize(r))
		putHead(e.buf, old.number, head{size: len(e.buf) - recordHeader, timestamp: old.off, sum: e.sum})
		copy(data[old.off:], e.buf)
		old.sum.add(old.off, old.off+int64(len(e.buf)))
		old.off += whole(int64(len(e.buf)))
	}
	putFooter(data[64<<10:], 5, old.sum)
	path := filepath.Join(dir, segmentName("edge", 5, freeSuffix))
	require.NoError(t, os.WriteFile(path, data, 0o600))
	s.pool.add(path, true)
	a, err := s.create(9, 0)
	if err != nil || !a.reused {
		t.Fatalf("the file is not used again: %v", err)
	}
	a.close()
	closed(t, s)
	g := Segment{Edge: "edge", Number: 9, Path: a.path}
	r, err := ReadSegment(g, nil)
	require.NoError(t, err)
	r.readAll()
	if got, _ := readAll(t, r); len(got) != 0 {
		t.Errorf("%d records of an older segment", len(got))
	}
	open(t, dir, Options{})
	if _, err := os.Stat(a.path); err == nil {
		t.Error("a segment without records was left")
	}
}

// TestFreeFilesAreForgotten lets files wait for as long as a segment may.
func TestFreeFilesAreForgotten(t *testing.T) {
	dir := t.TempDir()
	var c clock
	c.ns.Store(1e18)
	s := open(t, dir, Options{Now: c.now, SegmentAge: time.Hour})
	path := filepath.Join(dir, segmentName("edge", 5, freeSuffix))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	s.pool.add(path, true)
	if err := s.pool.drop(false); err != nil || len(free(t, dir)) != 1 {
		t.Errorf("a new file is forgotten: %v", err)
	}
	c.ns.Add(int64(time.Hour))
	settle(t, s)
	if left := free(t, dir); len(left) != 0 {
		t.Errorf("an old file is kept: %v", left)
	}
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	closed(t, s)
	open(t, dir, Options{})
	if left := free(t, dir); len(left) != 0 {
		t.Errorf("opening leaves %v", left)
	}
}

// TestFilesAreReleasedInPieces: the bytes that a file system frees at once are bounded, unless the spool is closed.
func TestFilesAreReleasedInPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), segmentName("edge", 5, freeSuffix))
	p := newPool(0, nil, nil)
	write := func() {
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Truncate(path, 4*releaseBytes+1))
	}
	size := func() int64 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	write()
	require.NoError(t, p.shrink(path))
	if got := size(); got != 1 {
		t.Errorf("%d bytes are left, want 1", got)
	}
	require.NoError(t, p.release(path, false))
	require.NoFileExists(t, path)
	write()
	require.NoError(t, p.close())
	require.NoError(t, p.shrink(path))
	if got := size(); got != 3*releaseBytes+1 {
		t.Errorf("at the end %d bytes are left after the first piece, want %d", got, 3*releaseBytes+1)
	}
	p.add(path, true)
	require.NoError(t, p.close(), "again")
	require.NoFileExists(t, path)
	require.ErrorIs(t, p.release(path, false), os.ErrNotExist)
}

// TestSegmentsOfALoadGoSlowly removes more than is used again, as decoding does, in this process and in another one:
// they are no segments any more, and soon deleted.
func TestSegmentsOfALoadGoSlowly(t *testing.T) {
	for _, following := range []bool{false, true} {
		dir := t.TempDir()
		s := open(t, dir, Options{SegmentBytes: 5 << 20})
		for i := range maxFree + 4 { // the last one stays open
			add(t, s, record(fmt.Sprint(i), 4<<20))
		}
		require.NoError(t, s.finish())
		var from interface {
			Sealed() ([]Segment, error)
			Remove(Segment) error
		} = s
		if following {
			f, err := Follow(dir, "edge")
			require.NoError(t, err)
			defer f.Close()
			from = f
		}
		sealed, err := from.Sealed()
		require.NoError(t, err)
		for _, g := range sealed {
			require.NoError(t, from.Remove(g))
			require.NoError(t, from.Remove(g), "again")
		}
		left, err := from.Sealed()
		require.NoError(t, err)
		require.Empty(t, left)
		want := maxFree
		if following || !s.recycles() {
			want = 0
		}
		require.Eventually(t, func() bool { return len(free(t, dir)) == want }, time.Minute, time.Millisecond)
		closed(t, s)
	}
}

// settle waits until all that is due has been given back.
func settle(t *testing.T, s *Spool) {
	t.Helper()
	idle := func() bool {
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		return len(s.pool.files) == len(free(t, s.dir))
	}
	require.Eventually(t, func() bool { return s.pool.drop(false) == nil && idle() }, time.Minute, time.Millisecond)
}

// takeAway removes all sealed segments, as decoding does.
func takeAway(t *testing.T, s *Spool) {
	t.Helper()
	sealed, err := s.Sealed()
	require.NoError(t, err)
	for _, g := range sealed {
		require.NoError(t, s.Remove(g))
	}
}

// checkAcknowledged checks that each is in the folder once; others may be.
func checkAcknowledged(t *testing.T, dir string, acked map[string]int64) {
	t.Helper()
	times := map[string]int{}
	for _, r := range contents(t, dir) {
		id := idOf(r)
		times[id]++
		if ts, ok := acked[id]; ok && ts != r.Timestamp {
			t.Errorf("record %s has %d, acknowledged with %d", id, r.Timestamp, ts)
		}
	}
	for id := range acked {
		if times[id] != 1 {
			t.Errorf("record %s is there %d times", id, times[id])
		}
	}
}
