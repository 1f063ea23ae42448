package spool

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// image is a segment as it stood on disk while it was written.
type image struct {
	data    []byte // number 1, with preallocated space behind the records
	records []*Record
	ends    []int64 // of the records
	limit   int64   // end of the last commit
}

// newImage appends records of these sizes, each in a commit of its own, and
// those of the last commit together.
func newImage(t testing.TB, sizes []int, last int) image {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	var m image
	for i, n := range sizes {
		m.records = append(m.records, record(fmt.Sprint("r", i), n))
	}
	single := len(sizes) - last
	for _, r := range m.records[:single] {
		add(t, s, r)
	}
	release := hold(t, s)
	results := make(chan error, last)
	for i, r := range m.records[single:] {
		go func() { results <- s.Append(context.Background(), r) }()
		for s.waiting() != i+1 { // in this order
			runtime.Gosched()
		}
	}
	release()
	for range last {
		require.NoError(t, <-results)
	}
	var err error
	if m.data, err = os.ReadFile(filepath.Join(dir, segmentName("edge", 1, openSuffix))); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
	r := newReader(Segment{Number: 1}, m.data)
	var rec Record
	for r.Next(&rec) == nil {
		m.ends = append(m.ends, r.at)
	}
	if len(m.ends) != len(m.records) {
		t.Fatalf("%d of %d records are in the image", len(m.ends), len(m.records))
	}
	m.limit = whole(m.ends[len(m.ends)-1])
	return m
}

// hold stops the committer until release is called.
func hold(t testing.TB, s *Spool) (release func()) {
	t.Helper()
	held, end := make(chan struct{}), make(chan struct{})
	go func() { _ = s.do(context.Background(), func() error { close(held); <-end; return nil }) }()
	<-held
	return func() { close(end) }
}

func (s *Spool) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending)
}

// upTo returns the number of records that end at or before an offset.
func (m image) upTo(at int64) int {
	n := 0
	for n < len(m.ends) && m.ends[n] <= at {
		n++
	}
	return n
}

func TestReaderOfTornTails(t *testing.T) {
	m := newImage(t, []int{10, 5000, 300, 20, 3000, 0, 900}, 4)
	zeros := make([]byte, len(m.data))
	garbage := bytes.Repeat([]byte{0xA5}, len(m.data))
	for cut := int64(0); cut <= m.limit; cut++ {
		for name, behind := range map[string][]byte{"nothing": nil, "zeros": zeros[cut:], "garbage": garbage[cut:]} {
			data := append(bytes.Clone(m.data[:cut]), behind...)
			r := newReader(Segment{Number: 1}, data)
			u, damaged := r.scan()
			if u.records != m.upTo(cut) || len(damaged) > 0 {
				t.Fatalf("cut at %d with %s behind: %d records, want %d; damage before them: %v", cut, name, u.records, m.upTo(cut), damaged)
			}
		}
	}
}

func TestRecoversTornTails(t *testing.T) {
	m := newImage(t, []int{10, 300, 20, 60}, 2)
	end := m.ends[len(m.ends)-1]
	cuts := []int64{0, 1, block - 1, block, block + 1, m.limit - 1, m.limit, m.limit + 1, int64(len(m.data))}
	for cut := m.ends[1] - 3; cut <= end; cut++ {
		if cut < m.ends[1]+3 || cut >= m.ends[2]-3 {
			cuts = append(cuts, cut)
		}
	}
	for _, cut := range cuts {
		dir := t.TempDir()
		put(t, filepath.Join(dir, segmentName("edge", 1, openSuffix)), m.data[:cut])
		s := open(t, dir, Options{Now: func() time.Time { return time.Unix(0, 0) }})
		got, want := contents(t, dir), m.records[:m.upTo(cut)]
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("cut at %d: %d records, want %d", cut, len(got), len(want))
		}
		next := record("next", 10)
		add(t, s, next)
		closed(t, s)
		if all := contents(t, dir); len(all) != len(want)+1 {
			t.Fatalf("cut at %d: %d records after another, want %d", cut, len(all), len(want)+1)
		}
	}
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

func TestFlippedBytes(t *testing.T) {
	m := newImage(t, []int{10, 5000, 300, 20, 60, 0}, 3)
	commit := make([]int, len(m.ends)) // of each record
	for i := 1; i < len(m.ends); i++ {
		commit[i] = min(i, len(m.ends)-3)
	}
	data := m.data[:m.limit]
	for at := range data {
		data[at] ^= 0x10
		got, damaged := readAll(t, newReader(Segment{Number: 1}, data))
		data[at] ^= 0x10
		i := 0
		for k, want := range m.records {
			start := int64(block)
			if k > 0 {
				start = m.ends[k-1]
			}
			switch hit := m.upTo(int64(at)); {
			case i < len(got) && reflect.DeepEqual(got[i], want):
				i++
			case len(damaged) == 0:
				t.Fatalf("byte %d: record %d is missing without a word", at, k)
			case hit >= len(commit) || commit[hit] != commit[k] || hit > k || at < int(start) && hit == k && k == 0:
				t.Fatalf("byte %d flipped: record %d is lost", at, k)
			}
		}
		if i != len(got) {
			t.Fatalf("byte %d: read a record that was never written", at)
		}
	}
}

func TestDamageIsReportedOnce(t *testing.T) {
	m := newImage(t, []int{9000, 10, 10}, 1)
	data := bytes.Clone(m.data[:m.limit])
	clear(data[block : block+block]) // head of the first record
	got, damaged := readAll(t, newReader(Segment{Path: "p", Number: 1}, data))
	want := &DamageError{Segment: "p", Offset: block, Bytes: whole(m.ends[0]) - block}
	if len(got) != 2 || len(damaged) != 1 || !reflect.DeepEqual(damaged[0], want) {
		t.Errorf("%d records and %v, want 2 and %v", len(got), damaged, want)
	}
	if damaged[0].Error() != "segment p is damaged: 12288 bytes from offset 4096" {
		t.Error(damaged[0])
	}
}

func TestStaleBytesBehindTheTail(t *testing.T) {
	m := newImage(t, []int{10, 300, 20, 60}, 2)
	dir := t.TempDir()
	s := open(t, dir, Options{SegmentBytes: 64 << 10})
	s.do(context.Background(), func() error { s.number = 1; return nil })
	add(t, s, record("new", 10))
	path := filepath.Join(dir, segmentName("edge", 2, openSuffix))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	closed(t, s)
	copy(data[2*block:], m.data[block:m.limit]) // as if the file's space had been segment 1
	other := t.TempDir()
	put(t, filepath.Join(other, segmentName("edge", 2, openSuffix)), data)
	open(t, other, Options{})
	if got := contents(t, other); len(got) != 1 || idOf(got[0]) != "new" {
		t.Errorf("%d records, want one", len(got))
	}
}

func TestListWithoutFooter(t *testing.T) {
	m := newImage(t, []int{10, 300, 20}, 2)
	dir := t.TempDir()
	put(t, filepath.Join(dir, segmentName("edge", 1, sealedSuffix)), m.data[:m.limit])
	put(t, filepath.Join(dir, "notes.seg"), nil)
	segments, err := List(dir)
	if err != nil || len(segments) != 1 || segments[0].Records != 3 {
		t.Fatalf("listed %+v, %v", segments, err)
	}
	r, err := ReadSegment(segments[0], nil)
	require.NoError(t, err)
	got, damaged := readAll(t, r) // nothing reports whether there was more
	if !reflect.DeepEqual(got, m.records) || len(damaged) != 1 || r.Lost() != -1 {
		t.Errorf("%d records, %v, lost %d", len(got), damaged, r.Lost())
	}
	s := open(t, dir, Options{})
	if sealed, err := s.Sealed(); err != nil || len(sealed) != 1 || sealed[0].Records != 3 {
		t.Errorf("sealed %+v, %v", sealed, err)
	}
}

func TestDamagedFloor(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	if _, err := s.Watermark(context.Background()); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
	path := filepath.Join(dir, floorName)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[10] ^= 1 // the older mark
	put(t, path, b)
	closed(t, open(t, dir, Options{}))
	b[block+10] ^= 1
	put(t, path, b)
	if _, err := Open(dir, Options{Now: time.Now}); err == nil {
		t.Error("a damaged floor was taken")
	}
}

func TestClocks(t *testing.T) {
	at := func(year int) int64 { return time.Date(year, 5, 1, 0, 0, 0, 0, time.UTC).UnixNano() }
	for name, times := range map[string][]int64{
		"stands still": {100, 100, 100, 100},
		"goes back":    {100, 50, 101, 20},
		"1970":         {0, 0, 5, -7},
		"2099":         {at(2026), at(2099), at(2026), at(2027)},
	} {
		dir := t.TempDir()
		var c clock
		last := int64(0)
		for _, ns := range times {
			c.ns.Store(ns)
			s := open(t, dir, Options{Now: c.now})
			for range 2 {
				r := record("x", 1)
				add(t, s, r)
				if r.Timestamp <= last || r.Timestamp != max(ns, last+1) {
					t.Errorf("%s: %d follows %d at %d", name, r.Timestamp, last, ns)
				}
				last = r.Timestamp
			}
			closed(t, s)
		}
		contents(t, dir)
	}
}
