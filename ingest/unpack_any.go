package ingest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Unpack reads the body of a rejected submission, which may be damaged: what
// comes before the damage can be read. The first bytes of the body decide the
// encoding; where they do not, the content encodings among the headers do, up to
// two around each other. No encoding gives more than limit bytes, then the error
// says that the body is too large. The reader must be closed.
func Unpack(body []byte, headers map[string]string, limit int64) (io.ReadCloser, error) {
	u := &unpacking{in: io.NopCloser(bytes.NewReader(body)), limit: limit}
	named, n, _ := encodings(encodingOf(headers)) // those that are known, where one is not
	for step := range maxSteps {
		m := identity
		if step < n {
			m = named[n-1-step]
		}
		if err := u.layer(m, step == 0); err != nil {
			_ = u.Close()
			return nil, err
		}
	}
	return u, nil
}

// Limit is the number of bytes to which a body of this size may be unpacked when
// it is decoded; more are an error.
func (c Config) Limit(packed int) int64 {
	return int64(c.unpacker().limit(packed))
}

// unpacking is a body under the decoders of its encodings.
type unpacking struct {
	in    io.ReadCloser // the innermost
	outer []io.Closer
	limit int64
}

func (u *unpacking) Read(p []byte) (int, error) { return u.in.Read(p) }

// Close gives back the decoders' memory.
func (u *unpacking) Close() error {
	err := u.in.Close()
	for _, c := range u.outer {
		_ = c.Close() // of memory
	}
	return err
}

// layer takes one encoding off, which is said to be of a method. What zlib may
// begin with a text may, too: it counts at the outermost only.
func (u *unpacking) layer(named method, outermost bool) error {
	start := make([]byte, 512)
	n, err := io.ReadFull(u.in, start)
	if n == 0 && err != io.EOF {
		return err
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		u.in = &endsWith{u.in, err} // returned behind all that could be read
	}
	start = start[:n]
	again := io.MultiReader(bytes.NewReader(start), u.in)
	found := recognise(start)
	switch {
	case found != identity:
	case looksLikeObject(start):
		return u.under(io.NopCloser(again))
	case named == identity && outermost && zlibHeader(start):
		found = deflate
	default:
		found = named
	}
	opened, err := openMethod(again, found, start)
	if err != nil {
		return err
	}
	return u.under(opened)
}

func (u *unpacking) under(r io.ReadCloser) error {
	u.outer = append(u.outer, u.in)
	u.in = &bounded{r, u.limit}
	return nil
}

// openMethod decodes what begins with start.
func openMethod(in io.Reader, m method, start []byte) (io.ReadCloser, error) {
	switch m {
	case gzipMethod:
		return gzip.NewReader(in)
	case zstdMethod:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	case deflate:
		if zlibHeader(start) {
			return zlib.NewReader(in)
		}
		return flate.NewReader(in), nil
	case brotliMethod:
		return io.NopCloser(brotli.NewReader(in)), nil
	}
	return io.NopCloser(in), nil
}

// endsWith has an error in the place of its end.
type endsWith struct {
	io.ReadCloser
	err error
}

func (f *endsWith) Read([]byte) (int, error) { return 0, f.err }

// bounded gives no more than so many bytes, and then an error.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}

func encodingOf(headers map[string]string) []byte {
	for name, value := range headers {
		if strings.EqualFold(name, ContentEncoding.Name()) {
			return []byte(value)
		}
	}
	return nil
}
