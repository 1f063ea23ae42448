package inflate

import (
	"hash/crc32"
	"io"
)

// These are the sizes of a Reader's buffers. The input buffer holds the longest header or a good part of a
// ping, the output buffer the window that matches may refer to and the bytes decoded at once.
const (
	inSize     = 1 << 17
	windowSize = 1 << 15
	outSize    = windowSize + 1<<17 + slack
)

// The input buffer must hold any header whole.
const _ = uint(inSize - maxHeader)

// Reader reads the contents of a stream of gzip members, one after the other, in constant memory (about 320 KB), for
// any number and size of members. It returns the same bytes as compress/gzip.Reader, and an error in the same cases;
// the errors come from this package or from the underlying reader.
//
// It returns data as soon as it is decoded, before it knows the checksum of the member: the data is verified
// once Read returns io.EOF. A Reader reads ahead, up to the size of its buffer.
type Reader struct {
	src    io.Reader
	srcErr error // src is used up or broken
	err    error // returned once out is used up

	in       []byte // buffer
	r, w     int    // in[r:w] has not been used
	out      []byte // buffer
	from, to int    // out[from:to] has not been returned by Read
	base     int    // first byte of the member in out
	body     bool   // within the deflate data of a member
	sum      uint32 // CRC-32 of the member so far
	size     uint32 // its length modulo 2^32
	offset   int64  // bytes read from src

	d Decoder
}

// NewReader returns a Reader on the gzip members in r after it has read the first header. Like gzip.NewReader
// it returns io.EOF if r is empty.
func NewReader(r io.Reader) (*Reader, error) {
	z := new(Reader)
	if err := z.Reset(r); err != nil {
		return nil, err
	}
	return z, nil
}

// Reset makes z equal to the result of NewReader(r) and reuses its buffers.
func (z *Reader) Reset(r io.Reader) error {
	if z.in == nil {
		z.in = make([]byte, inSize)
		z.out = make([]byte, outSize)
	}
	z.src, z.srcErr, z.err, z.offset = r, nil, nil, 0
	z.r, z.w, z.from, z.to = 0, 0, 0, 0
	z.header()
	return z.err
}

// Read implements io.Reader.
func (z *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for z.from == z.to {
		if z.err != nil {
			return 0, z.err
		}
		if z.body {
			z.decode()
		} else if z.trailer(); z.err == nil {
			z.header()
		}
	}
	n := copy(p, z.out[z.from:z.to])
	z.from += n
	return n, nil
}

// header reads the header of a member, if there is another one.
func (z *Reader) header() {
	n, err := gzipHeader(z.in[z.r:z.w])
	for err == errHeaderEnd && z.srcErr == nil {
		z.fetch()
		n, err = gzipHeader(z.in[z.r:z.w])
	}
	switch {
	case err == errHeaderEnd && (z.srcErr != io.EOF || z.r == z.w):
		z.err = z.srcErr
	case err != nil:
		z.err = err
	default:
		z.r += n
		z.d.reset()
		z.body, z.sum, z.size = true, 0, 0
		z.from, z.to, z.base = 0, 0, 0
	}
}

// decode decodes a part of a member. Read must have returned all bytes decoded before.
func (z *Reader) decode() {
	if len(z.out)-z.to < slack+windowSize {
		z.slide()
	}
	for {
		z.d.pos = 0
		op, st := z.d.run(z.out, z.to, z.base, z.in[z.r:z.w])
		z.r += z.d.pos
		z.sum = crc32.Update(z.sum, crc32.IEEETable, z.out[z.to:op])
		z.size += uint32(op - z.to)
		z.to = op
		switch {
		case st == done:
			z.body = false
			return
		case st == needInput && z.srcErr == nil:
			if z.from < z.to {
				return
			}
			z.fetch()
			continue
		case st == needInput && z.srcErr != io.EOF:
			z.err = z.srcErr
		case st != needRoom:
			z.err = streamError(st, z.offset-int64(z.w-z.r))
		}
		return
	}
}

// slide moves the window to the start of out.
func (z *Reader) slide() {
	n := copy(z.out, z.out[max(z.base, z.to-windowSize):z.to])
	z.from, z.to, z.base = n, n, 0
}

// trailer checks the trailer of a member.
func (z *Reader) trailer() {
	for z.w-z.r < trailerSize {
		if z.srcErr != nil {
			z.err = z.srcErr
			if z.srcErr == io.EOF {
				z.err = errTrailerEnd
			}
			return
		}
		z.fetch()
	}
	z.err = checkTrailer(z.in[z.r:], z.sum, z.size)
	z.r += trailerSize
}

// fetch reads more of src. The buffer has room: no header, block header or symbol is as long as the buffer.
func (z *Reader) fetch() {
	z.w = copy(z.in, z.in[z.r:z.w])
	z.r = 0
	for range 100 {
		n, err := z.src.Read(z.in[z.w:])
		z.w += n
		z.offset += int64(n)
		if z.srcErr = err; n > 0 || err != nil {
			return
		}
	}
	z.srcErr = io.ErrNoProgress
}
