package edge

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
)

// receiver reads bodies into pooled buffers within the bounds.
type receiver struct {
	buffers
	maxBody, maxInFlight int64
	inFlight             atomic.Int64
}

// receive reads the body of r into b. Memory grows with the bytes that arrived, not with the declared length.
func (v *receiver) receive(r *http.Request, b *submission) *response {
	size := r.ContentLength
	if size == 0 {
		return nil
	}
	limit := size
	if size < 0 {
		limit = v.maxBody + 1
	}
	for {
		if refused := v.room(b, limit); refused != nil {
			return refused
		}
		buf := *b.buf
		n, err := r.Body.Read(buf[len(buf):min(int64(cap(buf)), limit)])
		buf = buf[:len(buf)+n]
		*b.buf = buf
		switch {
		case size < 0 && int64(len(buf)) > v.maxBody:
			return responseTooLarge
		case int64(len(buf)) == size, size < 0 && errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return bodyFault(err)
		}
	}
}

func bodyFault(err error) *response {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return responseSlow
	}
	return responseBadBody
}

// room ensures that the next read has a buffer: first a small one, so that a client that declares a body and
// sends none uses little memory, then one for the declared length up to 64 KiB, then one of four times the
// received size.
func (v *receiver) room(b *submission, limit int64) *response {
	var have []byte
	next := int64(minBuffer)
	if b.buf != nil {
		have = *b.buf
		if len(have) < cap(have) {
			return nil
		}
		next = min(limit, max(4*int64(cap(have)), firstBuffer))
	}
	size := classSize(next)
	b.reserved += size
	if v.inFlight.Add(size) > v.maxInFlight {
		return responseOverloaded
	}
	bigger := v.get(size)
	*bigger = append(*bigger, have...)
	v.release(b.buf)
	b.buf = bigger
	b.reserved -= int64(cap(have))
	v.inFlight.Add(-int64(cap(have)))
	return nil
}

func (v *receiver) release(p *[]byte) {
	if p != nil {
		v.put(p)
	}
}

// body returns the received bytes, never nil.
func (b *submission) body() []byte {
	if b.buf == nil {
		return []byte{}
	}
	return *b.buf
}

// done returns the memory of b.
func (v *receiver) done(b *submission) {
	v.release(b.buf)
	v.inFlight.Add(-b.reserved)
	b.buf, b.reserved = nil, 0
}
