package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func follow(t testing.TB, dir string) *Follower {
	t.Helper()
	f, err := Follow(dir, "edge")
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func init() { hands["numbers"] = appendNumbers }

// appendNumbers writes numbered records to a folder and prints the number of
// each once it is acknowledged.
func appendNumbers(args []string) error {
	s, err := Open(args[0], Options{Now: time.Now, SegmentBytes: 64 << 10, SegmentAge: 30 * time.Millisecond})
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(args[1])
	for i := first; err == nil; i++ {
		if err = s.Append(context.Background(), record(fmt.Sprint(i), 3000)); err == nil {
			_, err = fmt.Println(i)
		}
	}
	return errors.Join(err, s.Close())
}

// TestFollow has a process write that is killed again and again, while this one
// reads and removes: every acknowledged record once, in ascending time, numbers
// never again, and the watermark holds.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	f := follow(t, dir)
	r := &reading{t: t, f: f, seen: map[string]bool{}}
	acknowledged := 0
	for range 6 {
		cmd := exec.Command(os.Args[0], dir, strconv.Itoa(acknowledged))
		cmd.Env = append(os.Environ(), "SPOOL_TEST_HAND=numbers")
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		for end := acknowledged + 150; acknowledged < end; acknowledged++ {
			var n int
			if _, err := fmt.Fscan(out, &n); err != nil || n != acknowledged {
				t.Fatalf("the writer says %d, %v; want %d", n, err, acknowledged)
			}
			if n%10 == 0 {
				r.take()
			}
		}
		_ = cmd.Process.Kill()
		rest, err := io.ReadAll(out)
		require.NoError(t, err)
		acknowledged += strings.Count(string(rest), "\n")
		_ = cmd.Wait() // it was killed
	}
	closed(t, open(t, dir, Options{}))
	r.take()
	for i := range acknowledged {
		if !r.seen[fmt.Sprint(i)] {
			t.Fatalf("record %d of %d is missing", i, acknowledged)
		}
	}
	if left, err := List(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// reading holds the submissions that a follower has read.
type reading struct {
	t         *testing.T
	f         *Follower
	seen      map[string]bool
	last      int64  // timestamp
	number    uint64 // of a segment
	watermark int64
}

// take reads and removes what is sealed. A record that was not acknowledged may
// be there twice: once from before the kill and once from after.
func (r *reading) take() {
	r.t.Helper()
	watermark, err := r.f.Watermark(context.Background())
	if err != nil || watermark < r.watermark {
		r.t.Fatalf("the watermark is %d after %d, %v", watermark, r.watermark, err)
	}
	sealed, err := r.f.Sealed()
	require.NoError(r.t, err)
	for _, g := range sealed {
		if g.Number <= r.number || g.First <= r.last || g.First <= r.watermark {
			r.t.Fatalf("%+v comes after number %d, timestamp %d and the watermark %d", g, r.number, r.last, r.watermark)
		}
		reader, err := ReadSegment(g, nil)
		require.NoError(r.t, err)
		records, damaged := readAll(r.t, reader)
		if len(damaged) > 0 || len(records) != g.Records {
			r.t.Fatalf("%+v: %d records, damaged %v", g, len(records), damaged)
		}
		for _, rec := range records {
			r.seen[idOf(rec)] = true
		}
		r.last, r.number = g.Last, g.Number
		require.NoError(r.t, r.f.Remove(g))
	}
	r.watermark = watermark
}

// TestNumbersOutliveRemoval: another process removes every segment, and the
// writer dies before it writes anything more.
func TestNumbersOutliveRemoval(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	r := record("one", 10)
	add(t, s, r)
	require.NoError(t, s.Seal(context.Background()))
	f := follow(t, dir)
	all, err := f.Sealed()
	if err != nil || len(all) != 1 {
		t.Fatalf("sealed are %v, %v", all, err)
	}
	require.NoError(t, errors.Join(f.Remove(all[0]), f.Remove(all[0])))
	// The folder as it is now, with nothing that a living writer would add.
	left := t.TempDir()
	if b, err := os.ReadFile(filepath.Join(dir, floorName)); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(filepath.Join(left, floorName), b, 0o600); err != nil {
		t.Fatal(err)
	}
	next := open(t, left, Options{Now: func() time.Time { return time.Unix(0, 1) }})
	after := record("two", 10)
	add(t, next, after)
	closed(t, next)
	if again, err := List(left); err != nil || len(again) != 1 || again[0].Number <= all[0].Number || after.Timestamp <= r.Timestamp {
		t.Errorf("after %+v comes %+v, %v", all[0], again, err)
	}
	if err := f.Remove(Segment{Edge: "edge", Number: 1 << 40}); err == nil || !strings.Contains(err.Error(), "might be used again") {
		t.Errorf("a segment whose number is not written down was removed: %v", err)
	}
}

// TestOneDecodes: two followers never work on one spool, nor does one beside a
// process that decodes what it writes.
func TestOneDecodes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "spool")
	f := follow(t, dir)
	if other, err := Follow(dir, "edge"); !errors.Is(err, errDecoded) {
		t.Errorf("a second follower: %v, %v", other, err)
	}
	if s, err := Open(dir, Options{Now: time.Now, Decoding: true}); !errors.Is(err, errDecoded) {
		t.Errorf("a writer that decodes, beside a follower: %v, %v", s, err)
	}
	closed(t, open(t, dir, Options{}))
	require.NoError(t, f.Close())
	s := open(t, dir, Options{Decoding: true})
	if other, err := Follow(dir, "edge"); !errors.Is(err, errDecoded) {
		t.Errorf("a follower beside a writer that decodes: %v, %v", other, err)
	}
	add(t, s, record("one", 10))
	closed(t, s)
	f, err := Follow(dir, "other")
	require.NoError(t, err)
	defer f.Close()
	if all, err := f.Sealed(); err == nil {
		t.Errorf("segments of another edge: %v", all)
	}
	if f.Changed() != nil {
		t.Error("a follower says that it hears of segments")
	}
}

// TestListingIsComplete lists while segments get their names: none is seen
// before an older one.
func TestListingIsComplete(t *testing.T) {
	dir := t.TempDir()
	const count = 1000 // more than one read of the folder gives
	ended := make(chan error, 1)
	for n := range uint64(count) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, segmentName("edge", n+1, openSuffix)), nil, 0o600))
	}
	go func() {
		var err error
		for n := uint64(1); n <= count && err == nil; n++ {
			err = os.Rename(filepath.Join(dir, segmentName("edge", n, openSuffix)), filepath.Join(dir, segmentName("edge", n, sealedSuffix)))
		}
		ended <- err
	}()
	for done := false; !done; {
		select {
		case err := <-ended:
			require.NoError(t, err)
			done = true
		default:
		}
		all, err := listNames(dir)
		require.NoError(t, err)
		for i, g := range all {
			if g.Number != uint64(i+1) {
				t.Fatalf("number %d stands at %d", g.Number, i+1)
			}
		}
		if done && len(all) != count {
			t.Errorf("%d of %d are listed", len(all), count)
		}
	}
	if _, err := List(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there was listed")
	}
}
