package spool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxFile bounds what is read into memory: a segment with one last commit.
const maxFile = 2*maxSegmentBytes + 2*block

// DamageError means bytes of a segment differ from the written ones, or are missing. Records in them are lost;
// those before and behind are intact.
type DamageError struct {
	Segment string // path
	Offset  int64
	Bytes   int64
	Reason  string // what is wrong, if it is not just bytes
	At      int64  // about when what is lost arrived, ns since epoch; 0: not known
}

func (e *DamageError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("segment %s is damaged: %s", e.Segment, e.Reason)
	}
	return fmt.Sprintf("segment %s is damaged: %d bytes from offset %d", e.Segment, e.Bytes, e.Offset)
}

// Reader reads the records of one segment from memory.
type Reader struct {
	segment Segment
	data    []byte // the file without its footer
	buf     []byte
	at      int64
	began   int64 // offset of the last record
	limit   int64 // end of the records

	sealed   bool    // it must have all that its footer says
	reported summary // by the footer
	footer   bool    // there is one
	records  int     // read so far
	last     int64   // timestamp of the last one
	damaged  bool
	ended    bool
}

// ReadSegment reads a sealed segment's file into buf, which grows as needed; [Reader.Buffer] returns it for
// reuse. Bytes that the disk cannot read become zeros, and so damage.
func ReadSegment(g Segment, buf []byte) (*Reader, error) {
	if g.Damage != "" {
		r := &Reader{segment: g, buf: buf, sealed: true, last: g.First}
		return r, nil
	}
	f, err := openRegular(g.Path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("read segment %s: it is no file of a segment's size", g.Path)
	}
	size := int(info.Size())
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	n, err := io.ReadFull(f, buf[:size])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		if n, err = size, readBlocks(f, buf[:size]); err != nil {
			return nil, fmt.Errorf("read segment %s: %w", g.Path, err)
		}
	}
	r := newReader(g, buf[:n])
	r.sealed = true
	return r, nil
}

// readBlocks reads what can be read of a file, zeros for the rest. It fails if
// nothing can.
func readBlocks(f io.ReaderAt, data []byte) error {
	var failed error
	some := false
	for at := 0; at < len(data); at += block {
		b := data[at:min(at+block, len(data))]
		if _, err := f.ReadAt(b, int64(at)); err != nil && !errors.Is(err, io.EOF) {
			failed = err
			clear(b)
			continue
		}
		some = true
	}
	if some {
		return nil
	}
	return failed
}

// newReader reads a segment whose whole file is data.
func newReader(g Segment, data []byte) *Reader {
	r := &Reader{segment: g, buf: data, data: data}
	size := int64(len(data))
	r.limit = size
	u, ok := parseFooter(data, g.Number, size)
	if !ok {
		u, ok = parseFooterCopy(data, g.Number)
	}
	if ok {
		r.limit, r.reported, r.footer, r.last = u.end, u, true, u.first
	}
	if after, found := fileHeaderAfter(data, g.Number); found && !ok {
		r.last = after
	}
	r.at = min(block, r.limit)
	return r
}

// Buffer returns the memory of the reader, to be passed to the next ReadSegment once no record of this one is
// needed any more.
func (r *Reader) Buffer() []byte { return r.buf[:0] }

// Next reads the next record, which points into the reader's memory. At the end it returns io.EOF. For a
// damaged stretch it returns a *DamageError once, and the next call continues behind it.
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
		r.began, r.at, r.last = r.at, end, h.timestamp
		r.records++
		return nil
	}
	return r.end()
}

// end is io.EOF, after a *DamageError if there was more once.
func (r *Reader) end() error {
	if r.ended || !r.sealed {
		return io.EOF
	}
	r.ended = true
	e := &DamageError{Segment: r.segment.Path, Offset: r.at, At: r.last}
	switch {
	case r.segment.Damage != "":
		e.Reason = r.segment.Damage
	case !r.footer:
		e.Reason = "it lacks its footer, and may lack records before"
	case !r.damaged && r.records < r.reported.records:
		e.Reason = fmt.Sprintf("it has %d of %d records", r.records, r.reported.records)
	default:
		return io.EOF
	}
	r.damaged = true
	return e
}

// Records returns the number of records read so far.
func (r *Reader) Records() int { return r.records }

// Lost returns the number of lost records, once all was read; -1 if the number of the segment's records is not
// known.
func (r *Reader) Lost() int {
	switch {
	case !r.damaged:
		return 0
	case !r.footer:
		return -1
	}
	return max(0, r.reported.records-r.records)
}

// padding returns the number of bytes up to the next block if all are zero. A whole block of zeros is no padding.
func (r *Reader) padding() int64 {
	end := min(whole(r.at), r.limit)
	for _, c := range r.data[r.at:end] {
		if c != 0 {
			return 0
		}
	}
	return end - r.at
}

// search finds the next record: in a sealed segment wherever one begins, in one
// that was not sealed only at a block. There, what follows a torn write within the
// same commit is no proof that the commit was ever acknowledged.
func (r *Reader) search() int64 {
	if !r.sealed {
		for at := whole(r.at + 1); at < r.limit; at += block {
			if r.startsAt(at) {
				return at
			}
		}
		return r.limit
	}
	var magic [4]byte
	binary.LittleEndian.PutUint32(magic[:], recordMagic)
	for at := r.at + 1; at < r.limit; at++ {
		i := bytes.Index(r.data[at:r.limit], magic[:])
		if i < 0 {
			break
		}
		if at += int64(i); r.startsAt(at) {
			return at
		}
	}
	return r.limit
}

// startsAt reports whether a record's header is at a place, with its whole payload.
func (r *Reader) startsAt(at int64) bool {
	h, ok := parseHead(r.data[at:r.limit], r.segment.Number)
	return ok && at+recordHeader+int64(h.size) <= r.limit
}

// damage reports the bytes up to end and goes on there.
func (r *Reader) damage(end int64) error {
	err := &DamageError{Segment: r.segment.Path, Offset: r.at, Bytes: end - r.at, At: r.last}
	r.at, r.damaged = end, true
	return err
}

// scan reads all that is left, and gives what it found with the damage before
// the last good record.
func (r *Reader) scan() (u summary, damaged []*DamageError) {
	return r.each(func(*Record, []byte) {})
}

// each is scan, and calls f for each record with its payload.
func (r *Reader) each(f func(rec *Record, payload []byte)) (u summary, damaged []*DamageError) {
	var rec Record
	var pending []*DamageError
	for {
		err := r.Next(&rec)
		var d *DamageError
		switch {
		case err == nil:
			f(&rec, r.data[r.began+recordHeader:r.at])
			u.add(rec.Timestamp, r.at)
			damaged, pending = append(damaged, pending...), nil
		case errors.As(err, &d):
			pending = append(pending, d)
		default:
			return u, damaged
		}
	}
}
