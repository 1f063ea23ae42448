package inflate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// The gzip member header, RFC 1952 section 2.3.
const (
	fixedHeader = 10
	trailerSize = 8 // CRC-32 and length of the data
	flagHCRC    = 1 << 1
	flagExtra   = 1 << 2
	flagName    = 1 << 3
	flagComment = 1 << 4

	// maxText bounds file name and comment with their zero byte, as compress/gzip does.
	maxText = 512
	// maxHeader is the longest header that is accepted.
	maxHeader = fixedHeader + 2 + 1<<16 - 1 + 2*maxText + 2
)

// maxRatio is the largest number of bytes that one byte of deflate data can become: 258 from a length and a
// distance of one bit.
const maxRatio = 1032

// likelyRatio is the expected upper bound of a member's size relative to its data. Memory up to that size is
// allocated at the beginning; more is allocated only if that is used up.
const likelyRatio = 16

// Gunzip works like Decoder.Gunzip, with a Decoder from a pool.
func Gunzip(dst, src []byte, limit int) ([]byte, error) {
	d := pool.Get().(*Decoder)
	defer pool.Put(d)
	return d.Gunzip(dst, src, limit)
}

// Gunzip appends to dst the contents of the gzip members in src: one or more, one after the other, and nothing
// else except zero bytes after the last. It checks checksums and lengths, skips names, comments and other
// header fields, and ignores reserved flags. limit, the output after an error, and dst beyond its length behave
// as in Inflate; limit bounds the sum of the members.
func (d *Decoder) Gunzip(dst, src []byte, limit int) ([]byte, error) {
	u := newUnzip(dst, src, limit)
	u.resume(d)
	return u.out, u.err
}

// unzip is a call of Gunzip that can stop in between and continue.
type unzip struct {
	out  []byte // contents of the members before the current one; at the end of all members
	src  []byte // input from the next header on, or from the deflate data of the member on
	end  int    // the result of outputEnd
	body bool   // within the deflate data of a member
	err  error
}

func newUnzip(dst, src []byte, limit int) unzip {
	return unzip{out: dst, src: src, end: outputEnd(dst, limit)}
}

// resume continues and returns true at the end, or false if the decoder stops in between.
func (u *unzip) resume(d *Decoder) bool {
	for {
		if !u.body && !u.header(d) {
			return true
		}
		if !d.resume() {
			return false
		}
		if u.body = false; !u.trailer(d) {
			return true
		}
	}
}

// header begins a member. It reports false if the header is invalid.
func (u *unzip) header(d *Decoder) bool {
	n, err := gzipHeader(u.src)
	if err != nil {
		u.err = err
		return false
	}
	u.src = u.src[n:]
	hint := sizeHint(u.src)
	d.open(u.out, u.src, u.end, hint)
	if o := &d.out; hint <= times(len(u.src), likelyRatio) && len(o.dst)-slack < min(o.want, o.end) {
		o.grow() // before there are bytes to copy
	}
	u.body = true
	return true
}

// trailer ends a member and reports whether another one should follow.
func (u *unzip) trailer(d *Decoder) bool {
	begin, used := len(u.out), 0
	if u.out, used, u.err = d.close(); u.err != nil {
		return false
	}
	if u.src = u.src[used:]; len(u.src) < trailerSize {
		u.err = errTrailerEnd
		return false
	}
	data := u.out[begin:]
	if u.err = checkTrailer(u.src, crc32.ChecksumIEEE(data), uint32(len(data))); u.err != nil {
		return false
	}
	u.src = u.src[trailerSize:]
	return len(u.src) > 0 && (u.src[0] != 0 || len(bytes.TrimLeft(u.src, "\x00")) > 0)
}

// sizeHint guesses the size of the output from the length at the end of src, which is right if there is only
// one member. A wrong length is harmless: the guess never exceeds the size that the data can reach.
func sizeHint(src []byte) int {
	if len(src) < trailerSize {
		return 0
	}
	hint := binary.LittleEndian.Uint32(src[len(src)-4:])
	return int(min(uint64(hint), uint64(times(len(src), maxRatio))))
}

// The errors of headers and trailers.
var (
	errMagic      = fmt.Errorf("gunzip: no gzip header: %w", ErrCorrupt)
	errText       = fmt.Errorf("gunzip: file name or comment longer than %d bytes: %w", maxText-1, ErrCorrupt)
	errHeaderSum  = fmt.Errorf("gunzip: wrong header checksum: %w", ErrCorrupt)
	errDataSum    = fmt.Errorf("gunzip: wrong checksum or length of the data: %w", ErrCorrupt)
	errHeaderEnd  = fmt.Errorf("gunzip header: %w", ErrTruncated)
	errTrailerEnd = fmt.Errorf("gunzip trailer: %w", ErrTruncated)
)

// gzipHeader returns the size of the header at the start of b. errHeaderEnd means that b may hold only a part
// of it.
func gzipHeader(b []byte) (int, error) {
	if len(b) < fixedHeader {
		return 0, errHeaderEnd
	}
	if b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return 0, errMagic
	}
	n, flags := fixedHeader, b[3]
	if flags&flagExtra != 0 {
		if len(b)-n < 2 {
			return 0, errHeaderEnd
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
		if n > len(b) {
			return 0, errHeaderEnd
		}
	}
	for _, flag := range [...]byte{flagName, flagComment} {
		if flags&flag != 0 {
			text := b[n:min(n+maxText, len(b))]
			i := bytes.IndexByte(text, 0)
			switch {
			case i >= 0:
				n += i + 1
			case len(text) == maxText:
				return 0, errText
			default:
				return 0, errHeaderEnd
			}
		}
	}
	if flags&flagHCRC != 0 {
		if len(b)-n < 2 {
			return 0, errHeaderEnd
		}
		if binary.LittleEndian.Uint16(b[n:]) != uint16(crc32.ChecksumIEEE(b[:n])) {
			return 0, errHeaderSum
		}
		n += 2
	}
	return n, nil
}

// checkTrailer compares the trailer at the start of b with the checksum and the length, modulo 2^32, of the data.
func checkTrailer(b []byte, sum, size uint32) error {
	if binary.LittleEndian.Uint32(b) != sum || binary.LittleEndian.Uint32(b[4:]) != size {
		return errDataSum
	}
	return nil
}
