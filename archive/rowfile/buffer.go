package rowfile

import (
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
	bodyLen  uint32 // bytes of the body itself, or of the document packed in it
	prepared uint32 // 1 + index in Buffer.prepared, 0: none
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

// raw returns the row's contribution to the size of a row group.
func (r *row) raw() int64 { return int64(r.blobLen) + int64(r.bodyLen) }

// Memory is shared by the buffers of one goroutine.
type Memory struct {
	blocks        blocks
	blob, scratch []byte
}

// Free drops the memory that released buffers returned.
func (m *Memory) Free() { m.blocks.free = nil }

// Buffer holds rows until they become a file.
type Buffer struct {
	kind   *Kind
	wide   bool // a row needs columns of all metadata
	memory *Memory
	rows   []row
	arena  arena

	prepared prepared
}

// NewBuffer makes an empty buffer.
func NewBuffer(k *Kind, m *Memory) *Buffer {
	return &Buffer{kind: k, memory: m, arena: arena{pool: &m.blocks}, prepared: prepared{arena: arena{pool: &m.blocks}}}
}

// Rows returns the number of rows.
func (b *Buffer) Rows() int { return len(b.rows) }

// Compact reports whether the rows are written in the smallest form.
func (b *Buffer) Compact() bool { return b.kind.compact }

// Packed reports whether the bodies are compressed individually.
func (b *Buffer) Packed() bool { return b.kind.packed }

// Kind returns the kind of the file of the rows.
func (b *Buffer) Kind() *Kind {
	if b.wide {
		return b.kind.wide
	}
	return b.kind
}

// Headers reports whether the file has columns of all metadata.
func (b *Buffer) Headers() bool { return b.wide }

// Raw returns the size of the documents or bodies, uncompressed.
func (b *Buffer) Raw() (n int64) {
	for i := range b.rows {
		n += int64(b.rows[i].bodyLen)
	}
	return n
}

// Held returns the memory of the buffer in bytes.
func (b *Buffer) Held() int64 {
	return b.arena.size + int64(cap(b.rows))*int64(unsafe.Sizeof(row{}))
}

// Add copies r. If squeeze is set, it compresses the body in memory.
func (b *Buffer) Add(r *Record, squeeze bool) {
	m := b.memory
	m.blob = b.kind.appendBlob(m.blob[:0], r)
	b.wide = b.wide || r.needsWide()
	k := KeyOf(&r.Meta)
	w := row{time: k.time, timeless: k.timeless, sample: uint8(k.sample),
		blobLen: uint32(len(m.blob)), bodyLen: uint32(r.size(b.kind))}
	body := r.Body
	if squeeze && !b.kind.packed {
		body, w.squeezed = m.squeezed(body)
	}
	w.data = b.arena.alloc(len(m.blob) + len(body))
	copy(w.data[copy(w.data, m.blob):], body)
	w.prepared = b.prepared.add(r.Prepared, b.arena.size)
	b.rows = append(b.rows, w)
}

// squeezed compresses a body for waiting, unless that gains less than an
// eighth.
func (m *Memory) squeezed(body []byte) (held []byte, ok bool) {
	if n := s2.MaxEncodedLen(len(body)); n > cap(m.scratch) {
		m.scratch = make([]byte, n)
	}
	held = s2.Encode(m.scratch[:cap(m.scratch)], body)
	if len(held) > len(body)-len(body)/8 {
		return body, false
	}
	return held, true
}

// Squeeze compresses the rows that are not compressed yet. Meanwhile it needs a second arena, at most as large
// as the memory that it saves, plus one block.
func (b *Buffer) Squeeze() {
	old := b.arena
	b.arena = arena{pool: old.pool}
	for i := range b.rows {
		r := &b.rows[i]
		body := r.data[r.blobLen:]
		if !r.squeezed && !b.kind.packed {
			body, r.squeezed = b.memory.squeezed(body)
		}
		data := b.arena.alloc(int(r.blobLen) + len(body))
		copy(data[copy(data, r.blob()):], body)
		r.data = data
	}
	old.release()
}

// sort brings the rows into the order of the archive; equal ones stay in the
// order they came.
func (b *Buffer) sort() {
	slices.SortStableFunc(b.rows, func(x, y row) int {
		kx, ky := x.key(), y.key()
		return kx.Compare(&ky)
	})
}

func (r *row) key() Key {
	return Key{sample: int(r.sample), timeless: r.timeless, time: r.time, document: blobDocument(r.data)}
}

// Release frees the buffer's memory.
func (b *Buffer) Release() {
	b.arena.release()
	b.prepared.drop()
	b.rows = nil
}

// sizes of row groups, in bytes of blobs and bodies, and in rows.
const (
	minGroup        = 1 << 20
	minCompactGroup = 8 << 20
	maxGroup        = 16 << 20
	groupRows       = 8192
)

func (k *Kind) leastGroup() int64 {
	if k.compact {
		return minCompactGroup
	}
	return minGroup
}

// groups cuts sorted rows into row groups: at a change of the sample once a group has least bytes, and at the
// latest at maxGroup.
func groups(rows []row, least int64) [][]row {
	var all [][]row
	start, size := 0, int64(0)
	for i := range rows {
		n := rows[i].raw()
		full := size+n > maxGroup || i-start >= groupRows
		if i > start && (full || size >= least && rows[i].sample != rows[i-1].sample) {
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
