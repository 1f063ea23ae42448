package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "spool")
	s := open(t, dir, Options{Edge: "edge_1"})
	empty, texts := []byte{}, []byte("text")
	records := []*Record{
		{},
		{URI: empty, RemoteAddr: empty, Headers: []Header{}, Body: empty},
		{URI: texts, Headers: []Header{{}, {Name: empty, Value: nil}, {Name: texts, Value: texts}}},
		{Body: make([]byte, block)},
		record("large", 5<<20),
		record("small", 10),
	}
	for _, r := range records {
		add(t, s, r)
	}
	closed(t, s)
	if got := contents(t, dir); !reflect.DeepEqual(got, records) {
		t.Fatalf("read other records than were appended: %d", len(got))
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := filepath.Join(dir, "edge_1-0000000000000001.seg"); len(names) != 3 || names[0] != want {
		t.Errorf("files are %v, want %s, the floor and the lock", names, want)
	}
}

func TestAppendByMany(t *testing.T) {
	for _, mode := range []Sync{SyncGroup, SyncEach, SyncNone, SyncAppend} {
		dir := t.TempDir()
		s := open(t, dir, Options{Sync: mode, SegmentBytes: 256 << 10})
		const appenders, each = 16, 25
		var wg sync.WaitGroup
		var mu sync.Mutex
		acked := map[string]int64{}
		for a := range appenders {
			wg.Go(func() {
				for i := range each {
					r := record(fmt.Sprintf("%d-%d", a, i), 100*i+1)
					if err := s.Append(context.Background(), r); err != nil {
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
		if st := s.Stats(); st.Records != appenders*each || st.Queued != 0 || st.Failed != 0 || st.Commits == 0 || st.Sealed == 0 ||
			st.Free <= 0 {
			t.Errorf("stats are %+v", st)
		}
		closed(t, s)
		for _, r := range contents(t, dir) {
			if ts, ok := acked[idOf(r)]; !ok || ts != r.Timestamp {
				t.Errorf("record %s at %d, acknowledged at %d", idOf(r), r.Timestamp, ts)
			}
			delete(acked, idOf(r))
		}
		if len(acked) > 0 {
			t.Errorf("%d records were acknowledged and are not there", len(acked))
		}
	}
}

func TestSealedAndRemoved(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	s := open(t, dir, Options{})
	require.NoError(t, s.Seal(ctx))
	for i := range 3 {
		add(t, s, record(fmt.Sprint(i), 10))
		require.NoError(t, s.Seal(ctx))
		<-s.Changed()
	}
	sealed, err := s.Sealed()
	if err != nil || len(sealed) != 3 || sealed[0].Number >= sealed[1].Number {
		t.Fatalf("sealed %+v, %v", sealed, err)
	}
	listed, err := List(dir)
	if err != nil || !reflect.DeepEqual(listed, sealed) {
		t.Fatalf("listed %+v, %v; sealed %+v", listed, err, sealed)
	}
	highest := sealed[2]
	for _, g := range sealed {
		require.NoError(t, errors.Join(s.Remove(g), s.Remove(g)))
	}
	if st := s.Stats(); st.Sealed != 0 || st.SealedBytes != 0 {
		t.Errorf("stats after removal: %+v", st)
	}
	closed(t, s)

	s = open(t, dir, Options{Now: func() time.Time { return time.Unix(0, 0) }})
	r := record("later", 10)
	add(t, s, r)
	closed(t, s)
	if sealed, _ = s.Sealed(); len(sealed) != 1 || sealed[0].Number <= highest.Number || r.Timestamp <= highest.Last {
		t.Errorf("after a restart %+v follows %+v", sealed, highest)
	}
}

func TestSealsByAgeWithoutAppends(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentAge: time.Millisecond})
	for i := range 2 {
		add(t, s, record(fmt.Sprint(i), 10))
		<-s.Changed()
	}
	if got := contents(t, dir); len(got) != 2 {
		t.Errorf("%d records in sealed segments", len(got))
	}
}

func TestWatermark(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	var c clock
	c.ns.Store(5000)
	s := open(t, dir, Options{Now: c.now})
	before := record("before", 10)
	add(t, s, before)
	watermark, err := s.Watermark(ctx)
	if err != nil || watermark < before.Timestamp || watermark != 5000 {
		t.Fatalf("watermark %d, %v; the record has %d", watermark, err, before.Timestamp)
	}
	if got := contents(t, dir); len(got) != 1 {
		t.Fatalf("%d records are sealed", len(got))
	}
	c.ns.Store(10)
	after := record("after", 10)
	add(t, s, after)
	if after.Timestamp <= watermark {
		t.Errorf("timestamp %d after watermark %d", after.Timestamp, watermark)
	}
	c.ns.Store(9000)
	if watermark, err = s.Watermark(ctx); err != nil || watermark != 9000 {
		t.Fatalf("watermark %d, %v", watermark, err)
	}
	closed(t, s)
	c.ns.Store(0)
	s = open(t, dir, Options{Now: c.now})
	again := record("again", 10)
	add(t, s, again)
	if again.Timestamp != 9001 {
		t.Errorf("timestamp %d after a restart, want 9001", again.Timestamp)
	}
	closed(t, s)
	if _, err := s.Watermark(ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("watermark of a closed spool: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	if err := s.Append(ctx, record("x", 64<<10)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	for _, err := range []error{s.Append(ended, record("x", 1)), s.Seal(ended)} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended context: %v", err)
		}
	}
	if _, err := Open(dir, Options{Now: time.Now}); !errors.Is(err, errInUse) {
		t.Errorf("opened twice: %v", err)
	}
	closed(t, s)
	closed(t, s)
	if err := s.Append(ctx, record("x", 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	full := open(t, t.TempDir(), Options{MinFree: 1 << 60})
	if err := full.Append(ctx, record("x", 1)); !errors.Is(err, ErrFull) {
		t.Errorf("nearly full: %v", err)
	}
	for _, o := range []Options{
		{}, {Now: time.Now, Edge: "a-b"}, {Now: time.Now, Sync: 9}, {Now: time.Now, SegmentBytes: -1}, {Now: time.Now, SegmentAge: -1},
	} {
		if _, err := Open(t.TempDir(), o); err == nil {
			t.Errorf("options %+v were taken", o)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if _, err := Open(file, Options{Now: time.Now}); err == nil {
		t.Error("a file was opened as a spool")
	}
}
