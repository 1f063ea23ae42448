package ingest

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Unpack reads the body of a rejected submission, which may be damaged: what
// comes before the damage can be read. It goes by the first bytes of the body,
// and where these do not tell by the content encoding among the headers. It has
// no limit; the reader must be closed.
func Unpack(body []byte, headers map[string]string) (io.ReadCloser, error) {
	in := bytes.NewReader(body)
	switch encoding := encodingOf(headers); {
	case bytes.HasPrefix(body, []byte{0x1f, 0x8b}):
		return gzip.NewReader(in)
	case bytes.HasPrefix(body, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	case len(body) > 0 && body[0] == '{':
	case encoding == "deflate":
		return zlib.NewReader(in)
	case encoding == "br":
		return io.NopCloser(brotli.NewReader(in)), nil
	}
	return io.NopCloser(in), nil
}

func encodingOf(headers map[string]string) string {
	for name, value := range headers {
		if strings.EqualFold(name, ContentEncoding.Name()) {
			return strings.ToLower(strings.TrimSpace(value))
		}
	}
	return ""
}
