package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// maxFile bounds what is read into memory: a segment with one last commit.
const maxFile = 2*maxSegmentBytes + 2*block

// DamageError says that bytes of a segment are not what was written. Records in
// them are lost; those before and behind are not.
type DamageError struct {
	Segment string // path
	Offset  int64
	Bytes   int64
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("segment %s is damaged: %d bytes from offset %d", e.Segment, e.Bytes, e.Offset)
}

// Reader reads the records of one segment from memory.
type Reader struct {
	segment Segment
	data    []byte // the file without its footer
	buf     []byte
	at      int64
	limit   int64 // end of the records
}

// ReadSegment reads a segment's file into buf, which is grown as needed;
// [Reader.Buffer] gives it back for the next one.
func ReadSegment(g Segment, buf []byte) (*Reader, error) {
	f, err := os.Open(g.Path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("read segment %s: %d bytes are more than a segment has", g.Path, info.Size())
	}
	size := int(info.Size())
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	n, err := io.ReadFull(f, buf[:size])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read segment %s: %w", g.Path, err)
	}
	return newReader(g, buf[:n]), nil
}

// newReader reads a segment of which data is the whole file.
func newReader(g Segment, data []byte) *Reader {
	r := &Reader{segment: g, buf: data, data: data}
	size := int64(len(data))
	r.limit = size
	if u, ok := parseFooter(data, g.Number, size); ok {
		r.limit = u.end
	}
	r.at = min(block, r.limit)
	return r
}

// Buffer is the memory that the reader uses, to be given to the next
// ReadSegment when no record of this one is needed any more.
func (r *Reader) Buffer() []byte { return r.buf[:0] }

// Next reads the next record, which points into the reader's memory. At the end
// it gives io.EOF. A damaged stretch gives a *DamageError once, and the next
// call goes on behind it.
func (r *Reader) Next(rec *Record) error {
	for r.at < r.limit {
		h, ok := parseHead(r.data[r.at:r.limit], r.segment.Number)
		if !ok {
			if n := r.padding(); n > 0 {
				r.at += n
				continue
			}
			return r.damage(r.search())
		}
		start, end := r.at+recordHeader, r.at+recordHeader+int64(h.size)
		if end > r.limit {
			return r.damage(r.search())
		}
		payload := r.data[start:end]
		if checksum(payload) != h.sum || decodePayload(payload, rec) != nil {
			return r.damage(end)
		}
		rec.Timestamp = h.timestamp
		r.at = end
		return nil
	}
	return io.EOF
}

// padding is the number of bytes up to the next block if all are zero. A whole
// block of zeros is no padding.
func (r *Reader) padding() int64 {
	end := min(whole(r.at), r.limit)
	for _, c := range r.data[r.at:end] {
		if c != 0 {
			return 0
		}
	}
	return end - r.at
}

// search finds the next block that starts with a record.
func (r *Reader) search() int64 {
	for at := whole(r.at + 1); at < r.limit; at += block {
		h, ok := parseHead(r.data[at:r.limit], r.segment.Number)
		if ok && at+recordHeader+int64(h.size) <= r.limit {
			return at
		}
	}
	return r.limit
}

// damage reports the bytes up to end and goes on there.
func (r *Reader) damage(end int64) error {
	err := &DamageError{Segment: r.segment.Path, Offset: r.at, Bytes: end - r.at}
	r.at = end
	return err
}

// scan reads all that is left, and gives what it found with the damage before
// the last good record.
func (r *Reader) scan() (u summary, damaged []*DamageError) {
	var rec Record
	var pending []*DamageError
	for {
		err := r.Next(&rec)
		var d *DamageError
		switch {
		case err == nil:
			u.add(rec.Timestamp, r.at)
			damaged, pending = append(damaged, pending...), nil
		case errors.As(err, &d):
			pending = append(pending, d)
		default:
			return u, damaged
		}
	}
}
