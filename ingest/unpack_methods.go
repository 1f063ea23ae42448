package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/inflate"
)

// errTooLarge says that more would come out than the limit.
var errTooLarge = inflate.ErrTooLarge

// methods unpacks src into the memory of dst, no more than limit bytes, and
// returns the memory also with an error. What follows the packed data in src is
// an error; zero bytes behind gzip are none, as gzip(1) has it.
func (u *unpacker) methods(dst, src []byte, m method, limit int) ([]byte, error) {
	switch m {
	case gzipMethod:
		return inflate.Gunzip(dst[:0], src, limit)
	case deflate:
		return inflateEither(dst, src, limit)
	case zstdMethod:
		return u.unzstd(dst, src, limit)
	case brotliMethod:
		return u.unbrotli(dst, src, limit)
	}
	return dst, errEncoding
}

// inflateEither unpacks zlib or, as some clients understand "deflate", the bare
// deflate data.
func inflateEither(dst, src []byte, limit int) ([]byte, error) {
	if !zlibHeader(src) {
		return inflateBare(dst, src, limit)
	}
	out, err := inflateZlib(dst, src, limit)
	if err == nil || errors.Is(err, errTooLarge) {
		return out, err
	}
	if bare, e := inflateBare(out, src, limit); e == nil {
		return bare, nil
	}
	return out, err
}

func inflateBare(dst, src []byte, limit int) ([]byte, error) {
	out, used, err := inflate.Inflate(dst[:0], src, limit)
	if err == nil && used < len(src) {
		err = fmt.Errorf("deflate: %d bytes too many: %w", len(src)-used, inflate.ErrCorrupt)
	}
	return out, err
}

func inflateZlib(dst, src []byte, limit int) ([]byte, error) {
	const header, sum = 2, 4
	out, used, err := inflate.Inflate(dst[:0], src[header:], limit)
	if err != nil {
		return out, err
	}
	switch rest := src[header+used:]; {
	case len(rest) < sum:
		err = fmt.Errorf("zlib checksum: %w", inflate.ErrTruncated)
	case binary.BigEndian.Uint32(rest) != adler32.Checksum(out):
		err = fmt.Errorf("zlib: wrong checksum: %w", inflate.ErrCorrupt)
	case len(rest) > sum:
		err = fmt.Errorf("zlib: %d bytes too many: %w", len(rest)-sum, inflate.ErrCorrupt)
	}
	return out, err
}

// zstdWindow is the largest window that RFC 9659 allows in HTTP.
const zstdWindow = 8 << 20

// newZstd makes a decoder for whole bodies. Windows take no memory of their own
// then, and a frame of one segment has one of the size of its content.
func newZstd(most int) (*zstd.Decoder, error) {
	window := uint64(max(zstdWindow, most))
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(window), zstd.WithDecoderMaxWindow(window))
}

// unzstd unpacks zstd frames. The decoder writes no more than its output has room
// for; where the frame does not say how much that must be, it is tried.
func (u *unpacker) unzstd(dst, src []byte, limit int) ([]byte, error) {
	want := 4 * len(src)
	var h zstd.Header
	if err := h.Decode(src); err == nil && h.HasFCS {
		if h.FrameContentSize > uint64(limit) {
			return dst, errTooLarge
		}
		want = int(h.FrameContentSize)
	}
	for {
		if want = min(want, limit); cap(dst) < want {
			dst = make([]byte, 0, want)
		}
		room := min(cap(dst), limit)
		out, err := u.zstd.DecodeAll(src, dst[:0:room])
		if len(out) > limit || errors.Is(err, zstd.ErrDecoderSizeExceeded) && room == limit {
			return dst, errTooLarge
		}
		if !errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			if err != nil {
				return dst, fmt.Errorf("zstd: %w", err)
			}
			return out, nil
		}
		want = 4 * max(room, 1<<10)
	}
}

// brotliReader is a brotli decoder with the reader that it reads from.
type brotliReader struct {
	src bytes.Reader
	br  brotli.Reader
}

// unbrotli unpacks a brotli stream. A decoder holds a window of up to 16 MiB.
func (u *unpacker) unbrotli(dst, src []byte, limit int) ([]byte, error) {
	r, _ := u.brotli.Get().(*brotliReader)
	if r == nil {
		r = new(brotliReader)
	}
	defer u.brotli.Put(r)
	r.src.Reset(src)
	defer r.src.Reset(nil)
	if err := r.br.Reset(&r.src); err != nil {
		return dst, fmt.Errorf("brotli: %w", err)
	}
	if want := min(4*len(src), limit) + 1; cap(dst) < want {
		dst = make([]byte, 0, want)
	}
	out := dst[:0]
	for {
		if len(out) == cap(out) {
			bigger := make([]byte, len(out), min(2*len(out)+minRoom, limit+1))
			copy(bigger, out)
			out = bigger
		}
		n, err := r.br.Read(out[len(out):min(cap(out), limit+1)])
		out = out[:len(out)+n]
		switch {
		case len(out) > limit:
			return out[:0], errTooLarge
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out[:0], fmt.Errorf("unbrotli: %w", err)
		}
	}
}

// minRoom keeps small bodies from growing their memory in many steps.
const minRoom = 1 << 10
