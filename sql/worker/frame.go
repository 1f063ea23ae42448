package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// kind is the type of a frame. It decides how the body is encoded.
type kind byte

// Frames to the worker.
const (
	kindSetup    kind = iota + 1 // setup
	kindRequest                  // wireRequest
	kindFiles                    // paths of one view, each followed by a zero byte
	kindHidden                   // hashes, without separators
	kindComplete                 // empty: the request is complete
	kindGo                       // empty: the worker may read files
)

// Frames from the worker, in this order. kindData and kindProgress may be repeated; kindError may follow any frame.
const (
	kindPlan     kind = iota + 65 // wirePlan
	kindColumns                   // Columns
	kindData                      // bytes of the result
	kindProgress                  // Progress
	kindDone                      // Summary
	kindError                     // wireError
	kindFirst                     // empty: kindData has had the first rows
)

// preface is the first bytes of both streams; its last byte is the version.
const preface = "pingmill\x01"

const (
	maxControl = 8 << 20   // bytes of a frame from the worker
	maxData    = 256 << 10 // bytes of a frame of the result
	maxRequest = 1 << 30   // bytes of a frame to the worker
)

// bound returns the maximum length of a frame's body in bytes, -1 if the kind is unknown.
func (k kind) bound() int {
	switch {
	case k >= kindSetup && k <= kindGo:
		return maxRequest
	case k == kindData:
		return maxData
	case k >= kindPlan && k <= kindFirst:
		return maxControl
	}
	return -1
}

// errProtocol means that the other process broke the protocol; violation adds the detail.
var errProtocol = errors.New("it sent what makes no sense")

// violation returns errProtocol with a detail. The detail must not quote bytes of the other process, because operators
// read it in the log.
func violation(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errProtocol, fmt.Sprintf(format, args...))
}

// frameReader reads frames from a stream. It is not safe for concurrent use.
type frameReader struct {
	r     io.Reader
	begun bool
	body  []byte
}

// next reads a frame. The body is valid until the next call. io.EOF is returned only between frames.
func (f *frameReader) next() (kind, []byte, error) {
	if !f.begun {
		var b [len(preface)]byte
		if _, err := io.ReadFull(f.r, b[:]); err != nil {
			return 0, nil, err
		}
		if string(b[:]) != preface {
			return 0, nil, violation("bytes that are no preface")
		}
		f.begun = true
	}
	var head [5]byte
	if _, err := io.ReadFull(f.r, head[:]); err != nil {
		return 0, nil, err
	}
	k, n := kind(head[0]), binary.LittleEndian.Uint32(head[1:])
	if int64(n) > int64(k.bound()) {
		return 0, nil, violation("a frame of kind %d with %d bytes", k, n)
	}
	if err := f.read(int(n)); err != nil {
		return 0, nil, err
	}
	return k, f.body, nil
}

// read reads the body in pieces of 1 MB, so that a header alone cannot make the reader allocate the length that it
// claims.
func (f *frameReader) read(n int) error {
	const piece = 1 << 20
	f.body = f.body[:0]
	for len(f.body) < n {
		from := len(f.body)
		f.body = append(f.body, make([]byte, min(piece, n-from))...)
		if _, err := io.ReadFull(f.r, f.body[from:]); err != nil {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}

// frameWriter writes frames to a stream. It is safe for concurrent use.
type frameWriter struct {
	mu    sync.Mutex
	w     io.Writer
	begun bool
}

func (f *frameWriter) write(k kind, body []byte) error {
	if len(body) > k.bound() {
		return fmt.Errorf("a message of %d bytes is too long", len(body))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var head []byte
	if !f.begun {
		head, f.begun = append(head, preface...), true
	}
	head = binary.LittleEndian.AppendUint32(append(head, byte(k)), uint32(len(body)))
	if len(body) <= 64<<10 { // one call
		_, err := f.w.Write(append(head, body...))
		return err
	}
	if _, err := f.w.Write(head); err != nil {
		return err
	}
	_, err := f.w.Write(body)
	return err
}

// send writes v as JSON in one frame.
func (f *frameWriter) send(k kind, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.write(k, body)
}

// result is an io.Writer that splits the query's result into frames of kindData.
type result struct{ frames *frameWriter }

func (r result) Write(p []byte) (n int, err error) {
	for n < len(p) {
		piece := p[n:min(n+maxData, len(p))]
		if err := r.frames.write(kindData, piece); err != nil {
			return n, err
		}
		n += len(piece)
	}
	return n, nil
}
