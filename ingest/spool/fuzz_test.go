package spool

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzReader reads any bytes as a sealed and as an open segment, from memory:
// neither may fail, nor lose what the other finds, and recovery reports the
// content of the segment.
func FuzzReader(f *testing.F) {
	images := addImages(f)
	f.Fuzz(func(t *testing.T, image uint8, edits, tail []byte) {
		data := edit(images, image, edits, tail)
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
	images := addImages(f)
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	f.Fuzz(func(t *testing.T, image uint8, edits, tail []byte) {
		data := edit(images, image, edits, tail)
		dir, err := os.MkdirTemp(memory, "spool")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		put(t, filepath.Join(dir, segmentName("edge", 1, openSuffix)), data)
		s, err := Open(dir, Options{Now: time.Now, SegmentBytes: 1 << 16})
		require.NoError(t, err)
		defer s.Close()
		segments, err := s.Sealed()
		require.NoError(t, err)
		var got []*Record
		reported := 0
		for _, g := range segments {
			r, err := ReadSegment(g, nil)
			require.NoError(t, err)
			records, damaged := readAll(t, r)
			got, reported = append(got, records...), reported+len(damaged)
		}
		// In what is sealed records are found behind a damage within a commit, too. What
		// is no record, but has the header of one, may take those inside with it.
		all := openRecords(t, data)
		want := all
		for _, r := range got {
			if len(want) > 0 && reflect.DeepEqual(r, want[0]) {
				want = want[1:]
			}
		}
		if len(want) > 0 && reported == 0 {
			t.Fatalf("recovery kept %d records, not all of %d, and does not tell", len(got), len(all))
		}
	})
}

// addImages returns segments as crashes leave them, and what they are made of, and adds inputs that begin with each of
// them, see edit.
func addImages(f *testing.F) (images [][]byte) {
	f.Helper()
	m := newImage(f, []int{10, 500, 300, 20, 60}, 3)
	footer := make([]byte, footerSize)
	putFooter(footer, 1, summary{records: 5, first: 1, last: 2, end: m.ends[4]})
	images = [][]byte{
		{},
		m.data[:m.limit],
		m.data[:m.ends[3]+5],
		append(make([]byte, block), m.data[:m.limit]...),
		append(m.data[:m.limit:m.limit], footer...),
	}
	for i := range images {
		f.Add(uint8(i), []byte{}, []byte{})
		for op := range byte(4) {
			f.Add(uint8(i), []byte{200, 1, op, 0x55, 20, 0, 0, 1}, []byte("tail"))
		}
	}
	return images
}

// edit makes bytes that may be a segment: an image, changed, with a tail. The inputs
// are small, because the fuzzer spends its time on making large ones smaller. An edit
// is four bytes: a place, what to do there, and with what.
func edit(images [][]byte, image uint8, edits, tail []byte) []byte {
	data := bytes.Clone(images[int(image)%len(images)])
	for ; len(edits) >= 4 && len(data) > 0; edits = edits[4:] {
		at := int(binary.LittleEndian.Uint16(edits)) % len(data)
		switch with := edits[3]; edits[2] % 4 {
		case 0:
			data[at] ^= with
		case 1:
			data = data[:at]
		case 2:
			clear(data[at:min(at+16*int(with), len(data))])
		case 3:
			copy(data[at:], data[32*int(with)%len(data):])
		}
	}
	return append(data, tail...)
}

// openRecords returns the records of a segment that was not sealed.
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
