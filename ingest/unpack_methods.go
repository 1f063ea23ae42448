package ingest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"

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
		return unpackStream(&u.zstd, dst, src, limit)
	case brotliMethod:
		return unpackStream(&u.brotli, dst, src, limit)
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
