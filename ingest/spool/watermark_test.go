package spool

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPublishWatermark: an idle writer moves the watermark, soon after midnight at the latest, and a busy one moves it
// to the last sealed segment.
func TestPublishWatermark(t *testing.T) {
	dir := t.TempDir()
	f := follow(t, dir)
	watermark := func() int64 {
		t.Helper()
		n, err := f.Watermark(context.Background())
		require.NoError(t, err)
		return n
	}
	if n := watermark(); n != 0 {
		t.Errorf("the watermark is %d without a writer", n)
	}
	var c clock
	c.ns.Store(time.Date(2018, 3, 1, 23, 0, 0, 0, time.UTC).UnixNano())
	s := open(t, dir, Options{Now: c.now, SegmentAge: time.Minute})
	publish := func() int64 {
		t.Helper()
		if err := s.do(context.Background(), func() error { s.publishWatermark(); return nil }); err != nil {
			t.Fatal(err)
		}
		return watermark()
	}
	if n := publish(); n != c.ns.Load() {
		t.Errorf("the watermark is %d, want now, %d", n, c.ns.Load())
	}
	add(t, s, record("one", 10))
	c.ns.Add(int64(time.Minute))
	if n := publish(); n >= c.ns.Load() {
		t.Errorf("the watermark is %d, above an open segment's record", n)
	}
	c.ns.Add(int64(time.Hour)) // past midnight: what is open is sealed
	if n := publish(); n != c.ns.Load() {
		t.Errorf("after midnight the watermark is %d, want %d", n, c.ns.Load())
	}
	if all, err := f.Sealed(); err != nil || len(all) != 1 {
		t.Errorf("sealed are %v, %v", all, err)
	}
	c.ns.Add(int64(time.Second))
	if err := s.Close(); err != nil || watermark() != c.ns.Load() {
		t.Errorf("at the end the watermark is %d, %v; want %d", watermark(), err, c.ns.Load())
	}
}

// TestOldFloor reads what an earlier version wrote, and a damaged file.
func TestOldFloor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, floorName)
	b := make([]byte, floorSlots*block)
	copy(b, oldFloor)
	binary.LittleEndian.PutUint64(b[8:], 1e18)
	binary.LittleEndian.PutUint64(b[16:], 41)
	binary.LittleEndian.PutUint32(b[24:], checksum(b[:24]))
	require.NoError(t, os.WriteFile(path, b, 0o600))
	f := follow(t, dir)
	if n, err := f.Watermark(context.Background()); n != 0 || err != nil {
		t.Errorf("an old file has the watermark %d, %v", n, err)
	}
	s := open(t, dir, Options{})
	add(t, s, record("one", 10))
	closed(t, s)
	if all, err := f.Sealed(); err != nil || len(all) != 1 || all[0].Number < 42 {
		t.Errorf("after number 41 comes %+v, %v", all, err)
	}
	require.NoError(t, os.WriteFile(path, []byte("nothing"), 0o600))
	if n, err := f.Watermark(context.Background()); err == nil {
		t.Errorf("a damaged file has the watermark %d", n)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Watermark(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context: %v", err)
	}
	if !Exists(dir) || Exists(t.TempDir()) {
		t.Error("Exists says the opposite")
	}
}
