package ingest

import (
	"bytes"
	"errors"
	"fmt"
)

const (
	// maxSteps is the largest number of nested content encodings.
	maxSteps = 2
	// freeOutput is the size up to which any body may be unpacked, however small it is.
	freeOutput = 1 << 20
)

var errEncoding = errors.New("the body is neither JSON nor what its content encoding says")

// unpacker unpacks bodies within bounds. It is safe for concurrent use.
type unpacker struct {
	max   int // bytes of a body
	ratio int
}

// limit returns the size up to which a body may be unpacked.
func (u unpacker) limit(packed int) int {
	if packed > u.max/u.ratio {
		return u.max
	}
	return min(u.max, max(freeOutput, packed*u.ratio))
}

// tooLarge returns the error for a body that exceeds its limit.
func (u unpacker) tooLarge(limit int) error {
	if limit < u.max {
		return fmt.Errorf("the body has more than %d bytes, which is over %d times what came", limit, u.ratio)
	}
	return fmt.Errorf("the body has more than %d bytes", limit)
}

// unpack returns the JSON text of a body: the body itself or its unpacked content, in the outcome's memory.
//
// The first bytes of a body identify gzip and zstd. Otherwise Content-Encoding does: gzip, zstd, deflate or br,
// or several of them, the last of which is the outermost. Without that header, the first bytes may identify
// zlib. If the header names an encoding but the body looks like an object, it is used without unpacking: some
// proxies unpack the body and leave the header.
func (u unpacker) unpack(o *Outcome, s *Submission) ([]byte, error) {
	body := s.Body
	named, n, err := encodings(s.Headers.Get(ContentEncoding))
	if err != nil && recognise(body, unknownMethod, true) == identity && !looksLikeObject(body) {
		return nil, err
	}
	limit := u.limit(len(body))
	o.last = identity
	for step := range max(n, 1) {
		m := identity
		if n > 0 {
			m = named[n-1-step]
		}
		out, err := u.step(o, body, m, step == 0, limit)
		if err != nil {
			return nil, err
		}
		body = out
	}
	if len(body) > u.max {
		return nil, u.tooLarge(u.max)
	}
	if n <= 1 && o.last == gzipMethod {
		o.Gzip = s.Body
	}
	return body, nil
}

// step removes one encoding from a body; named is the encoding in the header.
func (u unpacker) step(o *Outcome, body []byte, named method, outermost bool, limit int) ([]byte, error) {
	if found := recognise(body, named, outermost); found != identity {
		out, err := u.open(o, body, found, limit)
		// Brotli and deflate may begin with any bytes.
		if err != nil && named != found && (named == brotliMethod || named == deflate) {
			if again, e := u.open(o, body, named, limit); e == nil {
				return again, nil
			}
		}
		return out, err
	}
	switch {
	case named == identity, looksLikeObject(body) && body[0] == '{':
		return body, nil // neither deflate nor brotli of a text begins like that
	case named == brotliMethod, named == deflate:
		out, err := u.open(o, body, named, limit)
		if err != nil && looksLikeObject(body) {
			return body, nil
		}
		return out, err
	case looksLikeObject(body):
		return body, nil
	}
	return nil, errEncoding
}

// open unpacks a body by a method, into the memory of the outcome that does not hold it.
func (u unpacker) open(o *Outcome, body []byte, m method, limit int) ([]byte, error) {
	dst := &o.unpacked
	if o.inUnpacked(body) {
		dst = &o.inner
	}
	var out []byte
	var err error
	if m == gzipMethod && same(body, o.begun) {
		out, err = *dst, o.begunErr
	} else {
		out, err = unpackMethod(*dst, body, m, limit)
	}
	o.begun = nil
	*dst = out
	switch {
	case errors.Is(err, errTooLarge):
		return nil, u.tooLarge(limit)
	case err != nil:
		return nil, fmt.Errorf("unpack: %w", err)
	}
	o.last = m
	return out, nil
}

// inUnpacked reports whether an earlier step wrote the body to o.unpacked.
func (o *Outcome) inUnpacked(body []byte) bool {
	return cap(body) > 0 && cap(o.unpacked) > 0 && &body[:1][0] == &o.unpacked[:1][0]
}

// looksLikeObject reports whether the first character that is not a blank opens an object.
func looksLikeObject(body []byte) bool {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{'
}
