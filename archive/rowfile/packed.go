package rowfile

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/ping/inflate"
)

// Gzip is the encoding of a body that is one gzip member, as a client sent it: a header without options and,
// last, the length of the document (RFC 1952).
const Gzip = "gzip"

const (
	gzipLeast = 10 + 2 + 8 // header, deflate data, trailer
	gzipRatio = 1032       // the most that a byte of deflate data can become
)

// IsGzip reports whether a body may be stored with the encoding Gzip; its document has size bytes.
func IsGzip(body []byte, size int) bool {
	return len(body) >= gzipLeast && body[0] == 0x1f && body[1] == 0x8b && body[2] == 8 && body[3] == 0 && gzipSize(body) == int64(size)
}

// gzipSize returns the length of the document as recorded in the body.
func gzipSize(body []byte) int64 {
	if len(body) < gzipLeast {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(body[len(body)-4:]))
}

// Pack sets the body to gzip of valid JSON.
func (r *Record) Pack(body []byte) { r.Body, r.Extra[extraEncoding] = body, []byte(Gzip) }

// Kind returns the kind of file to which the row is written: PackedPings if its body is packed.
func (r *Record) Kind(k *Kind) *Kind {
	if k == Pings && r.Extra[extraEncoding] != nil {
		return PackedPings
	}
	return k
}

// Packed reports whether a file that was read has packed pings.
func (f *File) Packed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kind.packed
}

// Headers reports whether a file that was read has columns of all metadata.
func (f *File) Headers() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kind.wide == f.kind
}

// size returns the length of a ping's document, or of a rejected submission's body.
func (r *Record) size(k *Kind) int64 {
	if k.packed {
		return gzipSize(r.Body)
	}
	return int64(len(r.Body))
}

var errDocument = errors.New("a document does not unpack to what it should")

// Unpack replaces the body of a ping by its document, in the memory of dst, which it returns.
func (r *Record) Unpack(dst []byte) ([]byte, error) {
	if r.Extra[extraEncoding] == nil {
		return dst, nil
	}
	size, err := r.unpackedSize()
	if err != nil {
		return dst, err
	}
	dst, err = inflate.Gunzip(dst[:0], r.Body, size)
	return dst, r.unpackedTo(dst, size, err)
}

// unpackedSize returns the size of the document in a packed body.
func (r *Record) unpackedSize() (int, error) {
	if encoding := r.Extra[extraEncoding]; string(encoding) != Gzip {
		return 0, fmt.Errorf("a document has the encoding %.40q, which this version of the program does not know", encoding)
	}
	size, ok := unpackedSize(r.Body)
	if !ok {
		return 0, errDocument
	}
	return size, nil
}

// unpackedSize returns false if the body cannot have a document of the size that it says.
func unpackedSize(body []byte) (int, bool) {
	size := gzipSize(body)
	return int(size), size <= gzipRatio*int64(len(body))
}

// unpackedTo puts the document in the place of the body.
func (r *Record) unpackedTo(document []byte, size int, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errDocument, err)
	case len(document) != size:
		return errDocument
	}
	r.Body, r.Extra[extraEncoding] = document, nil
	return nil
}

// documents unpacks the bodies of the rows of a row group, each together with those behind it, which takes less
// time than one after the other. A document is valid until the next row is requested.
type documents struct {
	pair    inflate.Pair
	present []byte
}

// unpack is Record.Unpack, of a row whose body is the present one of a column.
func (d *documents) unpack(r *Record, bodies *columnReader) error {
	d.recycle()
	if r.Extra[extraEncoding] == nil {
		d.pair.Reset()
		return nil
	}
	size, err := r.unpackedSize()
	if err != nil {
		d.pair.Reset()
		return err
	}
	if !d.pair.Next(r.Body) {
		d.pair.Reset()
		d.pair.Start(nil, r.Body, size)
	}
	for d.pair.Open() < inflate.MaxOpen {
		body := bodies.ahead(d.pair.Open())
		size, ok := unpackedSize(body)
		if !ok || !IsGzip(body, size) {
			break
		}
		d.pair.Start(nil, body, size)
	}
	d.present, err = d.pair.Finish()
	return r.unpackedTo(d.present, size, err)
}

func (d *documents) recycle() {
	d.pair.Recycle(d.present)
	d.present = nil
}

// end ends a row group.
func (d *documents) end() {
	d.pair.Reset()
	d.recycle()
}
