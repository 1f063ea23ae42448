package spool

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reopened recovers a folder that has one segment, open at a crash, and gives
// what is logged as an error and what was kept.
func reopened(t *testing.T, number uint64, data []byte) (records []*Record, logged string, damaged []Damaged) {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, segmentName("edge", number, openSuffix)), data)
	var log bytes.Buffer
	s := open(t, dir, Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))})
	segments, err := List(dir)
	require.NoError(t, err)
	for _, g := range segments {
		r, err := ReadSegment(g, nil)
		require.NoError(t, err)
		all, _ := readAll(t, r)
		records = append(records, all...)
	}
	closed(t, s)
	if damaged, err = ListDamaged(dir); err != nil {
		t.Fatal(err)
	}
	return records, log.String(), damaged
}

// TestRecoversDamage: a file that was open at a crash does not count as damaged.
func TestRecoversDamage(t *testing.T) {
	m := newImage(t, []int{10, 5000, 300, 20, 60}, 2)
	flipped := func(at int64) []byte { b := bytes.Clone(m.data); b[at] ^= 4; return b }
	written := func(from, to int64, with byte) []byte {
		b := bytes.Clone(m.data)
		copy(b[from:to], bytes.Repeat([]byte{with}, int(to-from)))
		return b
	}
	recycled := bytes.Clone(m.data) // segment 7 in the file of segment 1, nothing of it written
	putFileHeader(recycled[:block], "edge", 7, 5)
	torn := bytes.Clone(recycled)
	copy(torn[block:], bytes.Repeat([]byte{9}, 100)) // and its first commit begun
	for name, c := range map[string]struct {
		number  uint64
		data    []byte
		records int
		loud    bool
		damaged bool
	}{
		"whole":                       {1, m.data, 5, false, false},
		"a torn last commit":          {1, m.data[:m.ends[3]+3], 4, false, false},
		"a lost last commit":          {1, written(whole(m.ends[2]), m.limit, 0), 3, false, false},
		"a bit of the first commit":   {1, flipped(block + 30), 4, true, false},
		"a bit of a head":             {1, flipped(m.ends[0] + block), 4, true, false},
		"a zeroed commit":             {1, written(block, whole(m.ends[0]), 0), 4, true, false},
		"no record":                   {1, written(block, m.limit, 0xA5), 0, true, true},
		"no header":                   {1, written(0, block, 0), 5, false, false},
		"nothing":                     {1, nil, 0, false, false},
		"a header only":               {1, m.data[:block], 0, false, false},
		"never written":               {1, written(block, int64(len(m.data)), 0), 0, false, false},
		"never written, used before":  {7, recycled, 0, false, false},
		"nothing whole, used before":  {7, torn, 0, true, true},
		"the file of another segment": {200_002, m.data, 0, true, true},
	} {
		got, logged, damaged := reopened(t, c.number, c.data)
		if len(got) != c.records || (logged != "") != c.loud || (len(damaged) == 1) != c.damaged {
			t.Errorf("%s: %d records, want %d; kept %v; logged %q", name, len(got), c.records, damaged, logged)
		}
	}
}

// TestIrregularFiles: what is no regular file is neither opened nor followed, and
// kept as damaged.
func TestIrregularFiles(t *testing.T) {
	m := newImage(t, []int{10, 300}, 1)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	put(t, elsewhere, m.data)
	for kind, place := range map[string]func(string) error{
		"folder":        func(p string) error { return os.Mkdir(p, 0o700) },
		"symbolic link": func(p string) error { return os.Symlink(elsewhere, p) },
		"pipe":          makePipe,
	} {
		dir := t.TempDir()
		sealed := filepath.Join(dir, segmentName("edge", 3, sealedSuffix))
		for _, path := range []string{sealed, filepath.Join(dir, segmentName("edge", 5, openSuffix))} {
			if err := place(path); err != nil {
				t.Skip(err)
			}
		}
		s := open(t, dir, Options{})
		segments, err := s.Sealed()
		if err != nil || len(segments) != 1 || segments[0].Damage != "it is a "+kind {
			t.Fatalf("%s: listed %+v, %v", kind, segments, err)
		}
		r, err := ReadSegment(segments[0], nil)
		require.NoError(t, err)
		if got, damaged := readAll(t, r); len(got) != 0 || len(damaged) != 1 || !strings.Contains(damaged[0].Error(), kind) {
			t.Errorf("%s: %d records, %v", kind, len(got), damaged)
		}
		assert.NoError(t, s.Keep(segments[0]))
		listed, err := ListDamaged(dir)
		if err != nil || len(listed) != 2 {
			t.Errorf("%s: kept %v, %v", kind, listed, err)
		}
		if _, err := os.Lstat(sealed); err == nil {
			t.Errorf("%s: it is still there", kind)
		}
		closed(t, s)
	}
	if b, err := os.ReadFile(elsewhere); err != nil || !bytes.Equal(b, m.data) {
		t.Errorf("what a link leads to was changed: %v", err)
	}
}

// TestMissing: a used number is distinguished from an unused one, also if it was the newest.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	var numbers []uint64
	for range 4 { // prepared segments are given up at the end: numbers are left out
		s := open(t, dir, Options{})
		add(t, s, record("x", 10))
		closed(t, s)
	}
	all, err := List(dir)
	if err != nil || len(all) != 4 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, g := range all {
		numbers = append(numbers, g.Number)
	}
	f, err := Follow(dir, "edge")
	require.NoError(t, err)
	defer f.Close()
	for i := range 2 * (len(all) + 1) {
		lost, known := i/2-1, i%2 > 0
		var aside string
		if lost >= 0 {
			aside = all[lost].Path + ".aside"
			require.NoError(t, os.Rename(all[lost].Path, aside))
		}
		left, err := f.Sealed()
		require.NoError(t, err)
		for last := range numbers[len(numbers)-1] + 1 {
			missing, err := f.Missing(left, last, last > 0 || known)
			require.NoError(t, err)
			var got []uint64
			for _, g := range missing {
				got = append(got, g.Number)
			}
			var want []uint64
			if lost >= 0 && last < numbers[lost] && (last > 0 || known || lost > 0) {
				want = []uint64{numbers[lost]}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v without %d, decoded up to %d (known: %v): missing %v, want %v", numbers, lost, last, known, got, want)
			}
		}
		if lost >= 0 {
			require.NoError(t, os.Rename(aside, all[lost].Path))
		}
	}
}

// TestFooterInTheHeader: a footer without room is read nevertheless, and shows a cut.
func TestFooterInTheHeader(t *testing.T) {
	m := newImage(t, []int{10, 300, 20}, 2)
	data := bytes.Clone(m.data[:m.limit])
	putFooterCopy(data[:block], 1, summary{records: 3, first: m.records[0].Timestamp, last: m.records[2].Timestamp, end: m.ends[2]})
	got, damaged := readAll(t, sealedReader(data))
	if !reflect.DeepEqual(got, m.records) || len(damaged) > 0 {
		t.Errorf("%d records, %v", len(got), damaged)
	}
	r := sealedReader(data[:whole(m.ends[0])])
	if got, damaged := readAll(t, r); len(got) != 1 || len(damaged) != 1 || r.Lost() == 0 {
		t.Errorf("cut: %d records, %v, lost %d", len(got), damaged, r.Lost())
	}
}

func sealedReader(data []byte) *Reader {
	r := newReader(Segment{Number: 1}, data)
	r.sealed = true
	return r
}

// TestDamagedMarkSkipsNumbers: the mark that is left may be the older one, and no
// number may come twice.
func TestDamagedMarkSkipsNumbers(t *testing.T) {
	for slot := range floorSlots {
		dir := t.TempDir()
		s := open(t, dir, Options{})
		add(t, s, record("x", 10))
		closed(t, s)
		used, err := List(dir)
		if err != nil || len(used) != 1 || os.Remove(used[0].Path) != nil {
			t.Fatal(used, err)
		}
		path := filepath.Join(dir, floorName)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		b[slot*block+10] ^= 1
		put(t, path, b)
		s, err = Open(dir, Options{Edge: "edge", Now: time.Now})
		require.NoError(t, err)
		add(t, s, record("y", 10))
		closed(t, s)
		if again, err := List(dir); err != nil || len(again) != 1 || again[0].Number <= used[0].Number {
			t.Errorf("slot %d: %v after %v, %v", slot, again, used, err)
		}
	}
}

// TestUnreadableBlocks: what the disk cannot read is damage; a disk that reads
// nothing is an error.
func TestUnreadableBlocks(t *testing.T) {
	data := bytes.Repeat([]byte{1}, 3*block)
	got := make([]byte, len(data))
	if err := readBlocks(badBlocks{data, map[int64]bool{1: true}}, got); err != nil {
		t.Fatal(err)
	}
	if clear(data[block : 2*block]); !bytes.Equal(got, data) {
		t.Error("other blocks than the bad one changed")
	}
	if err := readBlocks(badBlocks{data, map[int64]bool{0: true, 1: true, 2: true}}, got); err == nil {
		t.Error("nothing could be read, and there is no error")
	}
}

type badBlocks struct {
	data []byte
	bad  map[int64]bool
}

func (b badBlocks) ReadAt(p []byte, at int64) (int, error) {
	if b.bad[at/block] {
		return 0, &fs.PathError{Op: "read", Path: "x", Err: os.ErrInvalid}
	}
	return copy(p, b.data[at:]), nil
}
