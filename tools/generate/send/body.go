package send

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// body is the body shared by all tries of a submission. A connection may read it after its request has failed, until
// it closes its reader.
type body struct {
	data    []byte
	readers atomic.Int64 // not closed yet
}

// open returns a reader of the body from its beginning.
func (b *body) open() (io.ReadCloser, error) {
	b.readers.Add(1)
	return &bodyReader{body: b, rest: b.data}, nil
}

// bodyReader reads a body for one request. Once Close has returned it never
// touches the body's memory.
type bodyReader struct {
	mu   sync.Mutex
	body *body // nil once closed
	rest []byte
}

// Read implements io.Reader.
func (r *bodyReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.body == nil:
		return 0, http.ErrBodyReadAfterClose
	case len(r.rest) == 0:
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *bodyReader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.body != nil {
		r.body.readers.Add(-1)
		r.body, r.rest = nil, nil
	}
	return nil
}
