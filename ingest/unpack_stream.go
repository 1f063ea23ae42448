package ingest

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the largest window that RFC 9659 allows for zstd in HTTP. A frame in one segment has a window
// of the size of its content.
const zstdWindow = 8 << 20

// stream is a reusable stream decoder with its source. It retains its window: up to 8 MiB for zstd and 16 MiB
// for brotli.
type stream struct {
	src   bytes.Reader
	read  io.Reader
	reset func(io.Reader) error
	what  string
}

// newZstd returns a decoder that starts no goroutines.
func newZstd() (*stream, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, fmt.Errorf("make zstd decoder: %w", err)
	}
	return &stream{read: z, reset: z.Reset, what: "zstd"}, nil
}

// newBrotli returns a decoder for the windows of RFC 7932 and its dictionary only.
func newBrotli() (*stream, error) {
	r := new(brotli.Reader)
	return &stream{read: r, reset: func(src io.Reader) error { return r.Reset(pieces{src}) }, what: "brotli"}, nil
}

// pieces limits reads to a few bytes, because brotli drops the whole output of a read in which it finds damage.
type pieces struct{ io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 512)]) }

// streams is a pool of decoders of one kind.
type streams struct {
	open func() (*stream, error)
	free sync.Pool
}

var zstds, brotlis = streams{open: newZstd}, streams{open: newBrotli}

// unpackStream unpacks src with a pooled decoder into the memory of dst. dst grows with the data; at most one
// byte over the limit is read.
func unpackStream(supply *streams, dst, src []byte, limit int) (out []byte, err error) {
	s, _ := supply.free.Get().(*stream)
	if s == nil {
		if s, err = supply.open(); err != nil {
			return dst, err
		}
	}
	s.src.Reset(src)
	if err := s.reset(&s.src); err != nil {
		return dst, fmt.Errorf("%s: %w", s.what, err)
	}
	out, err = readBounded(s.read, dst[:0], 4*len(src), limit)
	s.src.Reset(nil)
	supply.free.Put(s)
	if err != nil && err != errTooLarge {
		err = fmt.Errorf("%s: %w", s.what, err)
	}
	return out, err
}

// readBounded appends everything that r returns, about guess bytes, until an error.
func readBounded(r io.Reader, dst []byte, guess, limit int) ([]byte, error) {
	if want := min(guess, limit) + 1; cap(dst) < want {
		dst = make([]byte, 0, want)
	}
	for {
		if len(dst) == cap(dst) {
			bigger := make([]byte, len(dst), min(2*len(dst)+minRoom, limit+1))
			copy(bigger, dst)
			dst = bigger
		}
		n, err := r.Read(dst[len(dst):min(cap(dst), limit+1)])
		dst = dst[:len(dst)+n]
		switch {
		case len(dst) > limit:
			return dst[:limit], errTooLarge
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}

// minRoom avoids many small steps when a small body needs more memory.
const minRoom = 1 << 10
