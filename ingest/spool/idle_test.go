package spool

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// secret is a text that submissions of a client have.
const secret = "5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11"

// holding returns the files of a folder that have the secret.
func holding(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(secret)) {
			names = append(names, e.Name())
		}
	}
	return names
}

// fillWith appends records of a body until a number of segments are full, and seals.
func fillWith(t *testing.T, s *Spool, body string, segments int) {
	t.Helper()
	r := record("x", 0)
	r.Body = bytes.Repeat([]byte(body), 9000/len(body))
	for range segments * int(s.o.SegmentBytes/9000) {
		add(t, s, r)
	}
	require.NoError(t, s.Seal(context.Background()))
}

// TestNothingStaysWhileIdle: soon after the segments with submissions are
// removed no file of the folder has a byte of theirs, also when nothing comes any
// more, and whatever sealed the last segment.
func TestNothingStaysWhileIdle(t *testing.T) {
	for name, last := range map[string]func(*Spool) error{
		"watermark": func(s *Spool) error { _, err := s.Watermark(context.Background()); return err },
		"age":       func(*Spool) error { return nil },
	} {
		dir := t.TempDir()
		s := open(t, dir, Options{SegmentBytes: 256 << 10, SegmentAge: 300 * time.Millisecond})
		reused := false
		for range 4 {
			fillWith(t, s, secret, 3)
			if len(holding(t, dir)) == 0 {
				t.Fatal("the submissions are not to be found while they are there")
			}
			takeAway(t, s)
			reused = reused || len(free(t, dir)) > 0
		}
		if s.direct.Load() && !reused {
			t.Error("no file was kept to be used again")
		}
		add(t, s, record("last", 10)) // makes such a file the active one, and prepares another
		require.NoError(t, last(s))
		for deadline := time.Now().Add(time.Minute); len(holding(t, dir)) > 0; {
			if time.Now().After(deadline) {
				t.Fatalf("%s: after a minute %v still have them", name, holding(t, dir))
			}
			<-time.After(20 * time.Millisecond)
		}
		add(t, s, record("next", 10))
		closed(t, s)
		if n := len(contents(t, dir)); n != 2 {
			t.Errorf("%s: %d records are left, want 2", name, n)
		}
	}
}

// TestNothingIsHandedOn: what stands behind the records of a segment does not go
// from file to file as long as the spool is busy.
func TestNothingIsHandedOn(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentBytes: 256 << 10, SegmentAge: time.Hour})
	fillWith(t, s, secret, 4)
	takeAway(t, s)
	used := 0
	for round := range 6 {
		r := record("other", 100_000) // two fit, and leave a fifth of the file
		for i := range 9 {
			r.URI = fmt.Appendf(nil, "/submit/telemetry/%d-%d/main/Firefox/61.0/release/20180601", round, i)
			add(t, s, r)
		}
		require.NoError(t, s.finish())
		takeAway(t, s)
		used += len(free(t, dir))
	}
	sealed := 0
	for _, name := range holding(t, dir) {
		if filepath.Ext(name) == sealedSuffix {
			sealed++
		}
	}
	if sealed > 0 {
		t.Errorf("%d sealed segments have bytes of older ones", sealed)
	}
	if left := holding(t, dir); len(left) > 0 {
		t.Errorf("%v have bytes of segments that were removed rounds ago", left)
	}
	if s.direct.Load() && used == 0 {
		t.Error("no file was kept to be used again")
	}
}

// finish waits for the segments that are sealed in the background.
func (s *Spool) finish() error {
	return s.do(context.Background(), s.finishSealing)
}
