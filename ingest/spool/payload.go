package spool

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// A payload is URI, remote address, number of headers + 1, their names and
// values, body. A text is its length + 1 as a varint and its bytes; 0 is an
// absent one.

var errPayload = errors.New("the payload of a record is malformed")

// payloadSize returns the number of bytes that appendPayload appends.
func payloadSize(r *Record) int64 {
	n := textSize(r.URI) + textSize(r.RemoteAddr) + textSize(r.Body) + varintSize(uint64(len(r.Headers))+1)
	for i := range r.Headers {
		n += textSize(r.Headers[i].Name) + textSize(r.Headers[i].Value)
	}
	return n
}

func textSize(b []byte) int64 {
	if b == nil {
		return 1
	}
	return varintSize(uint64(len(b))+1) + int64(len(b))
}

func varintSize(v uint64) int64 { return int64(bits.Len64(v|1)+6) / 7 }

func appendPayload(b []byte, r *Record) []byte {
	b = appendText(b, r.URI)
	b = appendText(b, r.RemoteAddr)
	if r.Headers == nil {
		b = append(b, 0)
	} else {
		b = binary.AppendUvarint(b, uint64(len(r.Headers))+1)
	}
	for i := range r.Headers {
		b = appendText(b, r.Headers[i].Name)
		b = appendText(b, r.Headers[i].Value)
	}
	return appendText(b, r.Body)
}

func appendText(b, text []byte) []byte {
	if text == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(text))+1)
	return append(b, text...)
}

// decodePayload points r into b; the headers' memory is used again.
func decodePayload(b []byte, r *Record) error {
	d := payloadDecoder{rest: b}
	r.URI = d.text()
	r.RemoteAddr = d.text()
	headers := r.Headers[:0]
	r.Headers = nil
	if n := d.number(); n > 0 {
		if n-1 > uint64(len(d.rest))/2 { // a header takes two bytes or more
			return errPayload
		}
		if headers == nil {
			headers = make([]Header, 0, n-1)
		}
		for range n - 1 {
			headers = append(headers, Header{Name: d.text(), Value: d.text()})
		}
		r.Headers = headers
	}
	r.Body = d.text()
	if d.failed || len(d.rest) > 0 {
		return errPayload
	}
	return nil
}

type payloadDecoder struct {
	rest   []byte
	failed bool
}

func (d *payloadDecoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.failed, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *payloadDecoder) text() []byte {
	n := d.number()
	if n == 0 {
		return nil
	}
	n--
	if n > uint64(len(d.rest)) {
		d.failed, d.rest = true, nil
		return nil
	}
	text := d.rest[:n:n]
	d.rest = d.rest[n:]
	return text
}
