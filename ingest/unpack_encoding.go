package ingest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// method is a compression method of bodies.
type method uint8

const (
	identity method = iota
	gzipMethod
	deflate // zlib, or without its header and checksum
	zstdMethod
	brotliMethod
	unknownMethod
)

// methodNames lists the content encodings of RFC 9110, 8878 and 7932.
var methodNames = [...]struct {
	name   string
	method method
}{
	{"gzip", gzipMethod}, {"x-gzip", gzipMethod}, {"deflate", deflate}, {"zstd", zstdMethod}, {"br", brotliMethod},
	{"identity", identity}, {"", identity},
}

// encodings reads a Content-Encoding in order, without the encodings that change nothing.
func encodings(header []byte) (named [maxSteps]method, n int, err error) {
	for more := len(header) > 0; more; {
		var name []byte
		name, header, more = bytes.Cut(header, []byte(","))
		m := methodByName(bytes.TrimSpace(name))
		if m == identity {
			continue
		}
		if n == maxSteps {
			return [maxSteps]method{}, 0, fmt.Errorf("the body has more than %d content encodings", maxSteps)
		}
		named[n] = m
		n++
	}
	return named, n, nil
}

func methodByName(name []byte) method {
	for _, m := range methodNames {
		if len(name) == len(m.name) && strings.EqualFold(m.name, string(name)) {
			return m.method
		}
	}
	return unknownMethod
}

// recognise identifies gzip and zstd by the first bytes of a body; identity stands for everything else. The
// outermost layer may also be zlib if no encoding is named; inner layers may be texts that begin like zlib.
func recognise(body []byte, named method, outermost bool) method {
	switch {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b}):
		return gzipMethod
	case bytes.HasPrefix(body, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstdMethod
	case len(body) >= 4 && binary.LittleEndian.Uint32(body)>>4 == 0x184d2a5: // a frame to be skipped
		return zstdMethod
	case named == identity && outermost && zlibHeader(body):
		return deflate
	}
	return identity
}

// zlibHeader reports whether a body begins as RFC 1950 requires: deflate with a window of up to 32 KiB, no
// dictionary, and a multiple of 31.
func zlibHeader(body []byte) bool {
	return len(body) >= 2 && body[0]&15 == 8 && body[0]>>4 <= 7 && body[1]&32 == 0 &&
		(int(body[0])<<8|int(body[1]))%31 == 0
}
