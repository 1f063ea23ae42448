package spool

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// FuzzReader reads any bytes as a segment, and recovers them: neither may fail,
// and both must agree on the records.
func FuzzReader(f *testing.F) {
	m := newImage(f, []int{10, 5000, 300, 20, 60}, 3)
	f.Add(m.data[:m.limit])
	f.Add(m.data[:m.ends[3]+5])
	f.Add(append(make([]byte, block), m.data...))
	f.Add([]byte{})
	footer := make([]byte, footerSize)
	putFooter(footer, 1, summary{records: 5, first: 1, last: 2, end: m.ends[4]})
	f.Add(append(m.data[:m.limit:m.limit], footer...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		sealed, _ := readAll(t, newReader(Segment{Number: 1}, data))
		r := newReader(Segment{Number: 1}, data)
		r.readAll()
		all, _ := readAll(t, r)
		if len(sealed) > len(all) {
			t.Fatalf("%d records of a sealed segment, %d of an open one", len(sealed), len(all))
		}
		dir := t.TempDir()
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
		if len(got) != len(all) || len(all) > 0 && !reflect.DeepEqual(got, all) {
			t.Fatalf("recovery kept %d of %d records", len(got), len(all))
		}
	})
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
