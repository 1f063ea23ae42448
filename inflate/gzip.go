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

// maxRatio is the most bytes that a byte of deflate data can become: 258 from a length and a distance of one bit.
const maxRatio = 1032

// Gunzip is Decoder.Gunzip with a decoder from a pool.
func Gunzip(dst, src []byte, limit int) ([]byte, error) {
	d := pool.Get().(*Decoder)
	defer pool.Put(d)
	return d.Gunzip(dst, src, limit)
}

// Gunzip appends to dst the contents of the gzip members in src: one or more, one after the other, and nothing else but
// zero bytes after the last. Checksums and lengths are checked; names, comments and other header fields are
// skipped, and reserved flags ignored. About limit, out after an error, and dst beyond it see Inflate: limit
// bounds the sum of the members.
func (d *Decoder) Gunzip(dst, src []byte, limit int) ([]byte, error) {
	end := outputEnd(dst, limit)
	for {
		var err error
		if dst, src, err = d.member(dst, src, end); err != nil {
			return dst, err
		}
		if len(src) == 0 || src[0] == 0 && len(bytes.TrimLeft(src, "\x00")) == 0 {
			return dst, nil
		}
	}
}

// member appends to dst what the gzip member at the start of src holds. rest is what follows it in src. end is
// the one that outputEnd gives.
func (d *Decoder) member(dst, src []byte, end int) (out, rest []byte, err error) {
	n, err := gzipHeader(src)
	if err != nil {
		return dst, nil, err
	}
	body := src[n:]
	out, used, err := d.inflate(dst, body, end, sizeHint(body))
	if err != nil {
		return out, nil, err
	}
	if len(body)-used < trailerSize {
		return out, nil, errTrailerEnd
	}
	data := out[len(dst):]
	if err = checkTrailer(body[used:], crc32.ChecksumIEEE(data), uint32(len(data))); err != nil {
		return out, nil, err
	}
	return out, body[used+trailerSize:], nil
}

// sizeHint guesses the size of the output from the length at the end of src, which is right if the member is the
// only one. A wrong one does no harm: it is not taken to be more than the data can become.
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

// gzipHeader returns the size of the header at the start of b. errHeaderEnd means that there may be more of it.
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
