package spool

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// FuzzReader reads any bytes as a sealed and as an open segment, from memory:
// neither may fail, nor lose what the other finds, and what recovery is told of
// a segment is what is in it.
func FuzzReader(f *testing.F) {
	addImages(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		sealed, _ := readAll(t, newReader(Segment{Number: 1}, data))
		all := openRecords(t, data)
		if len(sealed) > len(all) {
			t.Fatalf("%d records of a sealed segment, %d of an open one", len(sealed), len(all))
		}
		r := newReader(Segment{Number: 1}, data)
		r.readAll()
		var want summary
		for _, rec := range all {
			want.add(rec.Timestamp, 0)
		}
		got, _ := r.scan()
		end := got.end
		if got.end = 0; got != want || end > int64(len(data)) {
			t.Fatalf("%+v up to %d of %d bytes, want %+v", got, end, len(data), want)
		}
		if again, damaged := readAll(t, newReader(Segment{Number: 1}, data[:end])); !reflect.DeepEqual(again, all) {
			t.Fatalf("cut where it is to be sealed: %d of %d records, %v", len(again), len(all), damaged)
		}
	})
}

// FuzzRecover does the same with a spool that finds the bytes on its disk: slow,
// as it makes and syncs files.
func FuzzRecover(f *testing.F) {
	addImages(f)
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir, err := os.MkdirTemp(memory, "spool")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		put(t, filepath.Join(dir, segmentName("edge", 1, openSuffix)), data)
		s, err := Open(dir, Options{Now: time.Now, SegmentBytes: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		segments, err := s.Sealed()
		if err != nil {
			t.Fatal(err)
		}
		var got []*Record
		for _, g := range segments {
			r, err := ReadSegment(g, nil)
			if err != nil {
				t.Fatal(err)
			}
			records, _ := readAll(t, r)
			got = append(got, records...)
		}
		if all := openRecords(t, data); len(got) != len(all) || len(all) > 0 && !reflect.DeepEqual(got, all) {
			t.Fatalf("recovery kept %d of %d records", len(got), len(all))
		}
	})
}

// addImages adds segments as crashes leave them, and what they are made of.
func addImages(f *testing.F) {
	f.Helper()
	m := newImage(f, []int{10, 500, 300, 20, 60}, 3)
	f.Add(m.data[:m.limit])
	f.Add(m.data[:m.ends[3]+5])
	f.Add(append(make([]byte, block), m.data[:m.limit]...))
	f.Add([]byte{})
	footer := make([]byte, footerSize)
	putFooter(footer, 1, summary{records: 5, first: 1, last: 2, end: m.ends[4]})
	f.Add(append(m.data[:m.limit:m.limit], footer...))
}

// openRecords are the records of a segment that was not sealed.
func openRecords(t testing.TB, data []byte) []*Record {
	t.Helper()
	r := newReader(Segment{Number: 1}, data)
	r.readAll()
	all, _ := readAll(t, r)
	return all
}

// FuzzPayload decodes any bytes: what is taken encodes to a record that decodes
// to the same again.
func FuzzPayload(f *testing.F) {
	f.Add([]byte{})
	f.Add(appendPayload(nil, &Record{}))
	f.Add(appendPayload(nil, record("x", 30)))
	f.Add([]byte{0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, again Record
		if decodePayload(data, &r) != nil {
			return
		}
		b := appendPayload(nil, &r)
		if int64(len(b)) != payloadSize(&r) {
			t.Fatalf("size %d announced as %d", len(b), payloadSize(&r))
		}
		if err := decodePayload(b, &again); err != nil || !reflect.DeepEqual(r, again) {
			t.Fatalf("decoded to %+v, then %+v, %v", r, again, err)
		}
	})
}
