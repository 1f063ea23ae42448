package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/ingest"
)

// unpackText is a body as text, unpacked if it is packed. ok is false for one
// that is no text, is damaged, or has more than ingest.DefaultMaxBody bytes.
func unpackText(body []byte, headers map[string]string) (text string, ok bool) {
	r, done, err := unpacker(body, encodingOf(headers))
	if err != nil {
		return "", false
	}
	defer done()
	plain, err := io.ReadAll(io.LimitReader(r, ingest.DefaultMaxBody+1))
	if err != nil || len(plain) > ingest.DefaultMaxBody || !utf8.Valid(plain) {
		return "", false
	}
	return string(plain), true
}

func encodingOf(headers map[string]string) string {
	for name, value := range headers {
		if strings.EqualFold(name, ingest.ContentEncoding.Name()) {
			return strings.ToLower(strings.TrimSpace(value))
		}
	}
	return ""
}

// unpacker goes by the first bytes of a body, and where these do not tell by its
// content encoding.
func unpacker(body []byte, encoding string) (r io.Reader, done func(), err error) {
	done = func() {}
	in := bytes.NewReader(body)
	switch {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(in)
	case bytes.HasPrefix(body, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(ingest.DefaultMaxBody)); err == nil {
			r, done = z, z.Close
		}
	case len(body) > 0 && body[0] == '{':
		r = in
	case encoding == "deflate":
		r, err = zlib.NewReader(in)
	case encoding == "br":
		r = brotli.NewReader(in)
	default:
		r = in
	}
	return r, done, err
}
