package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/klauspost/compress/s2"
)

// row is one record waiting in memory.
type row struct {
	time     int64
	data     []byte // the blob, then the body as it is or squeezed
	blobLen  uint32
	bodyLen  uint32 // bytes of the body itself
	sample   uint8
	timeless bool
	squeezed bool
}

func (r *row) blob() []byte { return r.data[:r.blobLen] }

// unsqueeze writes a squeezed body into dst, which has its length.
func (r *row) unsqueeze(dst []byte) error {
	body, err := s2.Decode(dst, r.data[r.blobLen:])
	if err != nil || len(body) != len(dst) {
		return fmt.Errorf("squeezed body: %w", cmp.Or(err, errBlob))
	}
	return nil
}

// raw is what the row counts toward the size of a row group.
func (r *row) raw() int64 { return int64(r.blobLen) + int64(r.bodyLen) }

// buffer holds the rows of one partition until they become a file.
type buffer struct {
	partition
	rows  []row
	arena arena
}

// held is the memory the buffer takes.
func (b *buffer) held() int64 {
	return b.arena.size + int64(cap(b.rows))*int64(unsafe.Sizeof(row{}))
}

// add copies r. blob is r's blob and scratch memory for squeezing; the scratch
// is returned to be used again.
func (b *buffer) add(r *record, blob []byte, squeeze bool, scratch []byte) []byte {
	k := keyOf(&r.meta)
	w := row{time: k.time, timeless: k.timeless, sample: uint8(k.sample),
		blobLen: uint32(len(blob)), bodyLen: uint32(len(r.body))}
	body := r.body
	if squeeze {
		body, w.squeezed, scratch = squeezed(body, scratch)
	}
	w.data = b.arena.alloc(len(blob) + len(body))
	copy(w.data[copy(w.data, blob):], body)
	b.rows = append(b.rows, w)
	return scratch
}

// squeezed compresses a body for waiting, unless that gains less than an
// eighth.
func squeezed(body, scratch []byte) (held []byte, ok bool, _ []byte) {
	if n := s2.MaxEncodedLen(len(body)); n > cap(scratch) {
		scratch = make([]byte, n)
	}
	held = s2.Encode(scratch[:cap(scratch)], body)
	if len(held) > len(body)-len(body)/8 {
		return body, false, scratch
	}
	return held, true, scratch
}

// squeeze compresses the rows that wait as they are. For each moment it needs
// a second arena, at most as large as what it saves, plus one block.
func (b *buffer) squeeze(scratch []byte) []byte {
	old := b.arena
	b.arena = arena{pool: old.pool}
	for i := range b.rows {
		r := &b.rows[i]
		body := r.data[r.blobLen:]
		if !r.squeezed {
			body, r.squeezed, scratch = squeezed(body, scratch)
		}
		data := b.arena.alloc(int(r.blobLen) + len(body))
		copy(data[copy(data, r.blob()):], body)
		r.data = data
	}
	old.release()
	return scratch
}

// sort brings the rows into the order of the archive; equal ones stay in the
// order they came.
func (b *buffer) sort() {
	slices.SortStableFunc(b.rows, func(x, y row) int {
		kx, ky := x.key(), y.key()
		return kx.compare(&ky)
	})
}

func (r *row) key() key {
	return key{sample: int(r.sample), timeless: r.timeless, time: r.time, document: blobDocument(r.data)}
}

// release frees the buffer's memory.
func (b *buffer) release() {
	b.arena.release()
	b.rows = nil
}

// sizes of row groups, in bytes of blobs and bodies, and in rows.
const (
	minGroup  = 1 << 20
	maxGroup  = 16 << 20
	groupRows = 8192
)

// groups cuts sorted rows into row groups: where the sample changes once there
// is minGroup, and at the latest at maxGroup.
func groups(rows []row) [][]row {
	var all [][]row
	start, size := 0, int64(0)
	for i := range rows {
		n := rows[i].raw()
		full := size+n > maxGroup || i-start >= groupRows
		if i > start && (full || size >= minGroup && rows[i].sample != rows[i-1].sample) {
			all = append(all, rows[start:i])
			start, size = i, 0
		}
		size += n
	}
	if start < len(rows) {
		all = append(all, rows[start:])
	}
	return all
}

// partitionKey orders buffers for writing and finds them by their parts.
func partitionKey(dst []byte, k *kind, day, docType []byte) []byte {
	dst = append(dst, k.name...)
	dst = append(append(dst, 0), day...)
	return append(append(dst, 0), docType...)
}

// compareBuffers orders by partition.
func compareBuffers(x, y *buffer) int {
	return cmp.Or(bytes.Compare([]byte(x.kind.name), []byte(y.kind.name)),
		cmp.Compare(x.day, y.day), cmp.Compare(x.docType, y.docType))
}
