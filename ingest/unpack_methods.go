package ingest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"

	"github.com/pingmill/pingmill/ping/inflate"
)

// errTooLarge means the output would exceed the limit.
var errTooLarge = inflate.ErrTooLarge

// unpackMethod unpacks src into the memory of dst, at most limit bytes. After an error it returns the bytes
// unpacked before it. Bytes after the packed data are an error, except zero bytes behind gzip, as in gzip(1).
func unpackMethod(dst, src []byte, m method, limit int) ([]byte, error) {
	switch m {
	case gzipMethod:
		return inflate.Gunzip(dst[:0], src, limit)
	case deflate:
		return inflateEither(dst, src, limit)
	case zstdMethod:
		return unpackStream(&zstds, dst, src, limit)
	case brotliMethod:
		return unpackStream(&brotlis, dst, src, limit)
	}
	return dst[:0], errEncoding
}

// inflateEither unpacks zlib, or bare deflate data, which some clients send as "deflate".
func inflateEither(dst, src []byte, limit int) ([]byte, error) {
	if !zlibHeader(src) {
		return inflateBare(dst, src, limit)
	}
	out, err := inflateZlib(dst, src, limit)
	if err == nil || errors.Is(err, errTooLarge) {
		return out, err
	}
	if bare, e := inflateBare(nil, src, limit); e == nil {
		return bare, nil
	}
	return out, err
}

func inflateBare(dst, src []byte, limit int) ([]byte, error) {
	out, used, err := inflate.Inflate(dst[:0], src, limit)
	if err == nil && used < len(src) {
		err = &trailingError{"deflate", len(src) - used}
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
		err = &trailingError{"zlib", len(rest) - sum}
	}
	return out, err
}

// trailingError means everything was unpacked, but more bytes follow.
type trailingError struct {
	what  string
	bytes int
}

func (e *trailingError) Error() string {
	return fmt.Sprintf("%s: %d bytes too many: %v", e.what, e.bytes, inflate.ErrCorrupt)
}

func (e *trailingError) Unwrap() error { return inflate.ErrCorrupt }

func isTrailing(err error) bool {
	var e *trailingError
	return errors.As(err, &e)
}
